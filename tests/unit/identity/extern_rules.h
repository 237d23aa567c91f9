// The family extern_keys alone, out of the rules compiled in: what identity/ needs of them.
#pragma once

#include <utility>
#include <vector>

#include "analyzer/rule/rule_set.h"

namespace autotune {

inline std::vector<ExternRule> ExternRules() {
  std::vector<ExternRule> out;
  for (RuleFile file : EmbeddedRuleFiles()) {
    if (file.family != "extern_keys") continue;
    file.trusted = false;  // with its samples
    RuleNode root;
    std::vector<Diag> diags;
    if (!ParseRuleFile(file, &root, &diags)) continue;
    if (auto rule = DecodeExternRule(file, root, &diags)) out.push_back(*std::move(rule));
  }
  return out;
}

}  // namespace autotune
