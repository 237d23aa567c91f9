#include "analyzer/rule/cause_rule.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <set>

#include "analyzer/base/text.h"
#include "analyzer/rule/rule_node.h"

namespace autotune {
namespace {

std::string Upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::vector<std::string> Items(std::string_view list) {
  std::vector<std::string> items;
  while (true) {
    const size_t comma = list.find(',');
    const std::string item = Upper(Trim(list.substr(0, comma)));
    if (!item.empty()) items.push_back(item);
    if (comma == std::string_view::npos) return items;
    list.remove_prefix(comma + 1);
  }
}

bool HasNew(const std::vector<std::string>& old_items, const std::vector<std::string>& items) {
  return std::any_of(items.begin(), items.end(), [&](const std::string& item) {
    return std::find(old_items.begin(), old_items.end(), item) == old_items.end();
  });
}

std::string NewItems(std::string_view manifest, std::string_view observed) {
  const std::vector<std::string> before = Items(manifest);
  std::string added;
  for (const std::string& item : Items(observed)) {
    if (std::find(before.begin(), before.end(), item) != before.end()) continue;
    added.append(added.empty() ? "" : ",").append(item);
  }
  return added;
}

bool MatchesWhole(const std::string& pattern, std::string_view value) {
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  return RE2::FullMatch(ToRe2(value), RE2(pattern, options));
}

bool NeedHolds(const CauseRule::Need& need, const Change& change) {
  std::optional<std::string> value;
  if (change.fact) value = change.fact(need.setting);
  return (value && MatchesWhole(need.matches, *value)) != need.negate;
}

bool Applies(const CauseRule& cause, const Change& change) {
  return cause.setting == change.setting && InReleases(change.torch, cause.from, cause.until) &&
         (cause.when.empty() || ChangeIs(cause.when, change.manifest, change.observed)) &&
         (cause.if_manifest.empty() || MatchesWhole(cause.if_manifest, change.manifest)) &&
         (cause.if_observed.empty() || MatchesWhole(cause.if_observed, change.observed)) &&
         (cause.if_added.empty() || MatchesWhole(cause.if_added, NewItems(change.manifest, change.observed))) &&
         std::all_of(cause.needs.begin(), cause.needs.end(),
                     [&](const CauseRule::Need& need) { return NeedHolds(need, change); });
}

// A condition on the values says more about a change than the release it happened in.
size_t Conditions(const CauseRule& cause) {
  return 2 * (!cause.when.empty() + !cause.if_manifest.empty() + !cause.if_observed.empty() + !cause.if_added.empty() +
              cause.needs.size()) +
         !cause.from.empty() + !cause.until.empty();
}

std::vector<SourceEdit> DecodeEdits(const RuleFile& file, const RuleNode& list, std::vector<Diag>* diags, bool* ok) {
  std::vector<SourceEdit> edits;
  for (const RuleNode& node : list.items) {
    RuleReader reader(file, node, diags);
    SourceEdit edit;
    edit.kind = reader.OneOf("kind", {"set_meta", "remove_meta", "add_meta", "replace"});
    edit.key = edit.kind == "replace" ? reader.Pattern("key") : reader.String("key");
    edit.value = reader.String("value", edit.kind != "remove_meta");
    edit.after = reader.String("after", edit.kind == "add_meta");
    reader.Done();
    *ok = *ok && reader.ok();
    edits.push_back(std::move(edit));
  }
  return edits;
}

CauseRule DecodeCause(const RuleFile& file, const RuleNode& node, std::vector<Diag>* diags, bool* ok) {
  RuleReader reader(file, node, diags);
  CauseRule cause;
  const std::string name = reader.String("name", false);
  cause.id = name.empty() ? file.id : file.id + "/" + name;
  cause.title = reader.String("title", false);
  cause.setting = reader.String("setting");
  cause.from = reader.String("from", false);
  cause.until = reader.String("until", false);
  cause.when = reader.OneOf("when", {"set", "unset", "added", "removed", "reordered", "release", "patch", "local"},
                            /*required=*/false);
  cause.if_manifest = reader.Pattern("if_manifest", false);
  cause.if_observed = reader.Pattern("if_observed", false);
  cause.if_added = reader.Pattern("if_added", false);
  for (const RuleNode& item : reader.Array("needs")) {
    RuleReader inner(file, item, diags);
    CauseRule::Need need{inner.String("setting"), inner.Pattern("matches"), inner.Bool("not", false)};
    inner.Done();
    *ok = *ok && inner.ok();
    cause.needs.push_back(std::move(need));
  }
  cause.effect = reader.OneOf("effect", {"retune", "graph", "none", "new_problems"}, /*required=*/false);
  cause.why = reader.String("why");
  cause.fix = reader.String("fix", false);
  cause.check = reader.String("check", false);
  cause.confidence = reader.Number("confidence", cause.confidence);
  cause.unrecorded = reader.Number("unrecorded", cause.unrecorded);
  cause.prior = reader.Number("prior", cause.prior);
  cause.row_ops = reader.Strings("row_ops");
  cause.row_name = reader.Pattern("row_name", false);
  cause.row_value = reader.String("row_value", !cause.row_name.empty());
  for (const RuleNode& list : reader.Array("edits")) {
    if (list.kind != RuleNode::Kind::kArray || list.items.empty()) {
      reader.Error(list, "R110", "an alternative is a list of edits", "write [ { \"kind\": ..., ... } ]");
      continue;
    }
    cause.edits.push_back(DecodeEdits(file, list, diags, ok));
  }
  cause.edited_value = reader.String("edited_value", !cause.edits.empty());
  reader.Done();
  *ok = *ok && reader.ok();
  return cause;
}

std::set<std::string> NeededSettings(const std::vector<CauseRule>& causes) {
  std::set<std::string> settings;
  for (const CauseRule& cause : causes) {
    for (const CauseRule::Need& need : cause.needs) settings.insert(need.setting);
  }
  return settings;
}

CauseRule::Sample DecodeSample(const RuleFile& file, const RuleNode& node, const std::vector<CauseRule>& causes,
                               std::vector<Diag>* diags, bool* ok) {
  RuleReader reader(file, node, diags);
  CauseRule::Sample sample;
  sample.setting = reader.String("setting", false);
  sample.manifest = reader.String("manifest", false);
  sample.observed = reader.String("observed", false);
  sample.torch = reader.String("torch", false);
  sample.cause = reader.String("cause", false);
  if (const RuleNode* with = reader.Object("with")) {
    // Only settings that some cause needs: another one is a misspelling.
    RuleReader inner(file, *with, diags);
    for (const std::string& setting : NeededSettings(causes)) {
      if (std::string value = inner.String(setting, false); !value.empty()) sample.with.emplace_back(setting, value);
    }
    inner.Done();
    *ok = *ok && inner.ok();
  }
  reader.Done();
  *ok = *ok && reader.ok();
  return sample;
}

std::string NameOf(const CauseRule& cause) {
  const size_t slash = cause.id.find('/');
  return slash == std::string::npos ? cause.id : cause.id.substr(slash + 1);
}

}  // namespace

int TorchRelease(std::string_view version) {
  int major = 0, minor = 0;
  const char* end = version.data() + version.size();
  const auto [dot, error] = std::from_chars(version.data(), end, major);
  if (error != std::errc() || dot == end || *dot != '.') return 0;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return 0;
  return major * 1000 + minor;
}

bool InReleases(std::string_view torch, std::string_view from, std::string_view until) {
  int release = TorchRelease(torch);
  if (release == 0) release = std::numeric_limits<int>::max();
  return (from.empty() || release >= TorchRelease(from)) && (until.empty() || release <= TorchRelease(until));
}

bool ChangeIs(std::string_view kind, std::string_view manifest, std::string_view observed) {
  if (kind == "set") return manifest.empty() && !observed.empty();
  if (kind == "unset") return !manifest.empty() && observed.empty();
  if (kind == "added" || kind == "removed" || kind == "reordered") {
    const std::vector<std::string> before = Items(manifest), now = Items(observed);
    const bool added = HasNew(before, now), removed = HasNew(now, before);
    if (kind == "added") return added;
    return kind == "removed" ? removed && !added : !removed && !added && before != now;
  }
  const int before = TorchRelease(manifest), now = TorchRelease(observed);
  if (before == 0 || now == 0) return false;
  if (kind == "release") return before != now;
  if (before != now || manifest == observed) return false;
  const bool same_public = manifest.substr(0, manifest.find('+')) == observed.substr(0, observed.find('+'));
  return (kind == "local") == same_public;
}

const CauseRule* FindCause(const std::vector<CauseRule>& causes, const Change& change) {
  const CauseRule* best = nullptr;
  for (const CauseRule& cause : causes) {
    if ((!best || Conditions(cause) > Conditions(*best)) && Applies(cause, change)) best = &cause;
  }
  return best;
}

std::vector<CauseRule> DecodeCauseRules(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  reader.String("id");
  const std::string title = reader.String("title");
  reader.String("why", false);
  bool ok = true;
  std::vector<CauseRule> causes;
  for (const RuleNode& node : reader.Array("causes", true)) {
    causes.push_back(DecodeCause(file, node, diags, &ok));
    if (causes.back().title.empty()) causes.back().title = title;
  }
  std::vector<CauseRule::Sample> samples;
  for (const RuleNode& node : reader.Array("samples", true))
    samples.push_back(DecodeSample(file, node, causes, diags, &ok));
  reader.Done();
  if (!ok || !reader.ok() || causes.empty()) return {};
  causes.front().samples = std::move(samples);
  return causes;
}

void CheckCauseSamples(const std::vector<CauseRule>& rules, const RuleFile& file, std::vector<Diag>* diags) {
  bool fires = false, near_miss = false;
  for (const CauseRule::Sample& sample : rules.front().samples) {
    const auto fact = [&](std::string_view setting) -> std::optional<std::string> {
      for (const auto& [name, value] : sample.with) {
        if (name == setting) return value;
      }
      return std::nullopt;
    };
    const std::string& setting = sample.setting.empty() ? rules.front().setting : sample.setting;
    const CauseRule* found = FindCause(rules, {setting, sample.manifest, sample.observed, sample.torch, fact});
    const std::string name = found ? NameOf(*found) : "";
    (sample.cause.empty() ? near_miss : fires) = true;
    if (name == sample.cause) continue;
    diags->push_back(RuleDiag(file, 0, 0, "R111",
                              fmt::format("sample {} \"{}\" -> \"{}\": cause \"{}\" speaks, not \"{}\"", setting,
                                          sample.manifest, sample.observed, name, sample.cause)));
  }
  if (fires && near_miss) return;
  diags->push_back(RuleDiag(file, 0, 0, "R112", "the causes need a sample that one speaks for, and a near miss",
                            "add a sample whose \"cause\" is \"\""));
}

}  // namespace autotune
