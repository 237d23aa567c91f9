#include "analyzer/rule/backend_rule.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "analyzer/base/text.h"
#include "analyzer/rule/rule_node.h"

namespace autotune {

std::optional<BackendRule> DecodeBackendRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  BackendRule rule;
  rule.id = reader.String("id");
  rule.title = reader.String("title");
  reader.String("why", false);
  rule.backend = reader.OneOf("backend", {"ATEN", "TRITON", "CPP", "CUTLASS", "CK", "CKTILE", "DECOMPOSE_K", "SUBGRAPH",
                                          "NVGEMM", "CUTEDSL", "TLX", "FLYDSL"});
  rule.patterns = reader.Patterns("patterns", true);
  rule.op_name = reader.Bool("op_name", false);
  bool ok = true;
  for (const RuleNode& node : reader.Array("samples", true)) {
    RuleReader inner(file, node, diags);
    BackendRule::Sample sample;
    sample.name = inner.String("name");
    sample.op = inner.String("op", false);
    sample.fires = inner.Bool("fires", false);
    rule.samples.push_back(std::move(sample));
    inner.Done();
    ok = ok && inner.ok();
  }
  reader.Done();
  if (!ok || !reader.ok()) return std::nullopt;
  return rule;
}

void CheckBackendSamples(const BackendRule& rule, const RuleFile& file, std::vector<Diag>* diags) {
  bool fires = false, near_miss = false;
  for (const BackendRule::Sample& sample : rule.samples) {
    bool matched = rule.op_name && sample.name == sample.op;
    for (const std::string& pattern : rule.patterns) {
      matched = matched || RE2::FullMatch(ToRe2(sample.name), RE2(ToRe2(pattern)));
    }
    (sample.fires ? fires : near_miss) = true;
    if (matched == sample.fires) continue;
    diags->push_back(
        RuleDiag(file, 0, 0, "R072",
                 fmt::format("sample \"{}\" {} {}", sample.name, matched ? "is taken for" : "is not", rule.backend)));
  }
  if (fires && near_miss) return;
  diags->push_back(RuleDiag(file, 0, 0, "R073", "rule needs a sample that fires and a near miss that does not"));
}

}  // namespace autotune
