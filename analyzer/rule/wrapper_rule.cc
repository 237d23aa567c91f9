#include "analyzer/rule/wrapper_rule.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <map>

#include "analyzer/base/text.h"
#include "analyzer/rule/rule_node.h"

namespace autotune {
namespace {

WrapperSample DecodeSample(const RuleFile& file, const RuleNode& node, std::vector<Diag>* diags, bool* ok) {
  RuleReader reader(file, node, diags);
  WrapperSample sample;
  sample.text = reader.String("text");
  sample.fires = reader.Bool("fires", false);
  sample.rest = reader.String("rest", false);
  sample.process = reader.String("process", false);
  sample.rank = reader.String("rank", false);
  sample.pod = reader.String("pod", false);
  reader.Done();
  *ok = *ok && reader.ok();
  return sample;
}

// What a prefix rule makes of a line.
struct Stripped {
  bool fires = false;
  std::string rest;
  std::map<std::string, std::string> labels;
};

Stripped Strip(const RE2& pattern, const std::string& text) {
  Stripped out;
  std::vector<re2::StringPiece> groups(pattern.NumberOfCapturingGroups() + 1);
  out.fires =
      pattern.Match(ToRe2(text), 0, text.size(), RE2::ANCHOR_START, groups.data(), static_cast<int>(groups.size()));
  if (!out.fires) return out;
  out.rest = text.substr(groups[0].size());
  for (const auto& [name, index] : pattern.NamedCapturingGroups()) {
    if (groups[index].data() != nullptr) out.labels[name] = std::string(FromRe2(groups[index]));
  }
  if (out.labels.count("text")) out.rest = out.labels["text"];
  return out;
}

std::string Fault(const WrapperSample& sample, Stripped& got) {
  if (got.fires != sample.fires) return got.fires ? "is taken for this wrapper" : "is not recognised";
  if (!sample.fires) return "";
  const std::pair<const char*, std::pair<std::string, std::string>> expected[] = {
      {"rest", {got.rest, sample.rest}},
      {"process", {got.labels["process"], sample.process}},
      {"rank", {got.labels["rank"], sample.rank}},
      {"pod", {got.labels["pod"], sample.pod}}};
  for (const auto& [name, values] : expected) {
    if (values.first != values.second)
      return fmt::format("gives {} \"{}\", not \"{}\"", name, values.first, values.second);
  }
  return "";
}

}  // namespace

std::optional<WrapperRule> DecodeWrapperRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  WrapperRule rule;
  rule.id = reader.String("id");
  rule.title = reader.String("title");
  reader.String("why", false);
  const std::string kind = reader.OneOf("kind", {"prefix", "json", "debris"}, false);
  if (!kind.empty()) rule.kind = kind;
  const bool json = rule.kind == "json";
  rule.pattern = reader.Pattern("pattern", !json);
  rule.literals = reader.Strings("literals");
  rule.text_fields = reader.Strings("text_fields", json);
  rule.process_fields = reader.Strings("process_fields");
  rule.rank_fields = reader.Strings("rank_fields");
  rule.pod_fields = reader.Strings("pod_fields");
  rule.stream_fields = reader.Strings("stream_fields");
  rule.splits_lines = reader.Bool("splits_lines", false);
  rule.unescape = reader.OneOf("unescape", {"html", "json"}, false);
  rule.quotes = reader.Bool("quotes", false);
  bool ok = true;
  for (const RuleNode& node : reader.Array("samples", true)) {
    rule.samples.push_back(DecodeSample(file, node, diags, &ok));
  }
  reader.Done();
  if (!ok || !reader.ok()) return std::nullopt;
  return rule;
}

void CheckWrapperSamples(const WrapperRule& rule, const RuleFile& file, std::vector<Diag>* diags) {
  bool fires = false, near_miss = false;
  RE2::Options bytes;  // as parse/unwrap reads them: a log need not be UTF-8
  bytes.set_encoding(RE2::Options::EncodingLatin1);
  const RE2 pattern(ToRe2(rule.pattern), bytes);
  for (const WrapperSample& sample : rule.samples) {
    (sample.fires ? fires : near_miss) = true;
    if (rule.kind == "json") continue;
    Stripped got = Strip(pattern, sample.text);
    const std::string fault = Fault(sample, got);
    if (fault.empty()) continue;
    diags->push_back(RuleDiag(file, 0, 0, "R070", fmt::format("sample \"{}\" {}", sample.text, fault)));
  }
  if (fires && near_miss) return;
  diags->push_back(RuleDiag(file, 0, 0, "R071", "rule needs a sample that fires and a near miss that does not"));
}

}  // namespace autotune
