#include "analyzer/rule/lint_rule.h"

#include "analyzer/rule/rule_node.h"

namespace autotune {
namespace {

std::optional<LintRule::Condition> ReadCondition(const RuleFile& file, const RuleNode& node, std::vector<Diag>* diags) {
  RuleReader reader(file, node, diags);
  LintRule::Condition condition;
  condition.setting = reader.String("setting");
  condition.pattern = reader.Pattern("pattern", false);
  condition.unless = reader.Pattern("unless", false);
  condition.from = reader.String("from", false);
  condition.until = reader.String("until", false);
  condition.not_set = reader.Bool("not_set", false);
  reader.Done();
  if (!reader.ok()) return std::nullopt;
  return condition;
}

}  // namespace

std::optional<LintRule> DecodeLintRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  LintRule rule;
  rule.id = reader.String("id");
  rule.title = reader.String("title");
  rule.why = reader.String("why", false);
  rule.check = reader.String("check");
  rule.settings = reader.Strings("settings");
  rule.pattern = reader.Pattern("pattern", false);
  rule.unless = reader.Pattern("unless", false);
  rule.blames = reader.String("blames", false);
  for (const RuleNode& node : reader.Array("when")) {
    std::optional<LintRule::Condition> condition = ReadCondition(file, node, diags);
    if (!condition) return std::nullopt;
    rule.when.push_back(*std::move(condition));
  }
  for (const RuleNode& node : reader.Array("pairs")) {
    RuleReader pair(file, node, diags);
    rule.pairs.emplace_back(pair.String("value"), pair.String("other"));
    pair.Done();
    if (!pair.ok()) return std::nullopt;
  }
  rule.severity = reader.OneOf("severity", {"error", "warning"});
  rule.message = reader.String("message");
  rule.fix = reader.String("fix");
  bool fires = false, near = false;
  for (const RuleNode& node : reader.Array("samples", true)) {
    RuleReader one(file, node, diags);
    LintRule::Sample sample;
    for (const std::string& line : one.Strings("manifest", true)) sample.manifest += line + "\n";
    sample.fires = one.Bool("fires", false);
    one.Done();
    (sample.fires ? fires : near) = true;
    if (!one.ok()) return std::nullopt;
    rule.samples.push_back(std::move(sample));
  }
  if (!file.trusted && (!fires || !near))
    reader.Error(root, "R041", std::string("the samples lack ") + (fires ? "a near miss" : "one that fires"),
                 std::string("add { \"manifest\": [...], \"fires\": ") + (fires ? "false }" : "true }"));
  reader.Done();
  if (!reader.ok()) return std::nullopt;
  return rule;
}

}  // namespace autotune
