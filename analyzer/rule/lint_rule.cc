#include "analyzer/rule/lint_rule.h"

#include "analyzer/rule/rule_node.h"

namespace autotune {

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
  if (!fires || !near)
    reader.Error(root, "R041", std::string("the samples lack ") + (fires ? "a near miss" : "one that fires"),
                 std::string("add { \"manifest\": [...], \"fires\": ") + (fires ? "false }" : "true }"));
  reader.Done();
  if (!reader.ok()) return std::nullopt;
  return rule;
}

}  // namespace autotune
