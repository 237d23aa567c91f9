#include "analyzer/rule/layout_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>

#include "analyzer/base/text.h"
#include "analyzer/rule/rule_node.h"

namespace autotune {
namespace {

bool IsRelease(const std::string& s) {
  const size_t dot = s.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == s.size()) return false;
  return std::all_of(s.begin(), s.end(), [](unsigned char c) { return c == '.' || std::isdigit(c); });
}

bool ConditionHolds(std::string_view condition, const std::vector<std::string>& features) {
  const bool negate = !condition.empty() && condition.front() == '!';
  if (negate) condition.remove_prefix(1);
  const size_t tilde = condition.find('~');
  bool found = false;
  if (tilde == std::string_view::npos) {
    found = std::find(features.begin(), features.end(), condition) != features.end();
  } else {
    const std::string key = std::string(condition.substr(0, tilde)) + "=";
    const RE2 pattern(ToRe2(condition.substr(tilde + 1)));
    for (const std::string& feature : features) {
      if (feature.compare(0, key.size(), key) != 0) continue;
      const std::string_view value = std::string_view(feature).substr(key.size());
      found =
          found || (key == "desc=" ? RE2::PartialMatch(ToRe2(value), pattern) : RE2::FullMatch(ToRe2(value), pattern));
    }
  }
  return found != negate;
}

}  // namespace

bool LayoutHolds(const std::vector<std::string>& when, const std::vector<std::string>& features) {
  return std::all_of(when.begin(), when.end(), [&](const std::string& c) { return ConditionHolds(c, features); });
}

std::optional<LayoutRule> DecodeLayoutRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  LayoutRule rule;
  rule.id = reader.String("id");
  rule.title = reader.String("title");
  reader.String("why", false);
  rule.when = reader.Strings("when", true);
  for (const std::string& condition : rule.when) {
    const size_t tilde = condition.find('~');
    if (tilde == std::string::npos || file.trusted || RE2(ToRe2(condition.substr(tilde + 1)), RE2::Quiet).ok())
      continue;
    reader.Error(*root.Find("when"), "R021", fmt::format("\"{}\" is no RE2 pattern", condition.substr(tilde + 1)));
  }
  rule.min = reader.String("min", false);
  rule.max = reader.String("max", false);
  for (const std::string* end : {&rule.min, &rule.max}) {
    if (!end->empty() && !IsRelease(*end))
      reader.Error(root, "R074", fmt::format("\"{}\" is no torch release like 2.8", *end));
  }
  if (rule.min.empty() && rule.max.empty() && reader.ok()) reader.Error(root, "R074", "rule needs \"min\" or \"max\"");
  bool ok = true;
  for (const RuleNode& node : reader.Array("samples", true)) {
    RuleReader inner(file, node, diags);
    LayoutRule::Sample sample;
    sample.features = inner.Strings("features", true);
    sample.fires = inner.Bool("fires", false);
    rule.samples.push_back(std::move(sample));
    inner.Done();
    ok = ok && inner.ok();
  }
  reader.Done();
  if (!ok || !reader.ok()) return std::nullopt;
  return rule;
}

void CheckLayoutSamples(const LayoutRule& rule, const RuleFile& file, std::vector<Diag>* diags) {
  bool fires = false, near_miss = false;
  for (const LayoutRule::Sample& sample : rule.samples) {
    (sample.fires ? fires : near_miss) = true;
    if (LayoutHolds(rule.when, sample.features) == sample.fires) continue;
    diags->push_back(RuleDiag(
        file, 0, 0, "R075",
        fmt::format("sample [{}] {}", fmt::join(sample.features, ", "), sample.fires ? "does not fire" : "fires")));
  }
  if (fires && near_miss) return;
  diags->push_back(RuleDiag(file, 0, 0, "R076", "rule needs a sample that fires and a near miss that does not"));
}

}  // namespace autotune
