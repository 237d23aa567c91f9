#include "analyzer/rule/secret_rule.h"

#include <fmt/format.h>

#include "analyzer/rule/matcher.h"
#include "analyzer/rule/rule_node.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

std::optional<SecretRule> DecodeSecretRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  SecretRule rule;
  rule.id = reader.String("id");
  rule.title = reader.String("title");
  reader.String("why", false);
  rule.names = reader.Patterns("names");
  rule.values = reader.Patterns("values");
  bool ok = true;
  for (const RuleNode& node : reader.Array("samples", true)) {
    RuleReader inner(file, node, diags);
    rule.samples.push_back(
        {inner.String("name", false), inner.String("text"), inner.String("masked", false), inner.Bool("fires", false)});
    inner.Done();
    ok = ok && inner.ok();
  }
  if (rule.names.empty() && rule.values.empty()) {
    reader.Error(root, "R010", "a secret needs \"names\" or \"values\"", "add one of the two");
  }
  reader.Done();
  if (!ok || !reader.ok()) return std::nullopt;
  return rule;
}

void CheckSecretSamples(const SecretRule& rule, const RuleFile& file, std::vector<Diag>* diags) {
  RuleSet alone;
  alone.secrets.push_back(rule);
  const SecretMask mask(alone);
  bool fires = false, near_miss = false;
  for (size_t i = 0; i < rule.samples.size(); ++i) {
    const SecretRule::Sample& sample = rule.samples[i];
    (sample.fires ? fires : near_miss) = true;
    const std::string masked = mask.Mask(sample.name, sample.text);
    const std::string expected = !sample.masked.empty() ? sample.masked : sample.fires ? "****" : sample.text;
    if (masked == expected && (masked != sample.text) == sample.fires) continue;
    RuleNode root;
    std::vector<Diag> ignored;
    ParseRuleFile(file, &root, &ignored);
    const RuleNode& place = root.Find("samples")->items[i];
    diags->push_back(RuleDiag(file, place.line, place.column, "R031",
                              fmt::format("this sample comes out as \"{}\", not \"{}\"", masked, expected),
                              "correct the pattern or the sample"));
  }
  CheckBothKinds(file, fires, near_miss, diags);
}

}  // namespace autotune
