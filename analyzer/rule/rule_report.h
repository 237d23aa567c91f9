// What `rules list`, `rules explain ID` and `rules check [DIR]` print. A rule file is its own manual page: these show
// the files, and know no family by name.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/rule/rule_set.h"

namespace autotune {

// One line a rule, by family and id: family, id, title; rules of a person's folder are marked with "+".
std::string ListRules(const RuleSet& rules);

// Title, reason, everything the rule says (patterns as RE2 reads them, without JSON's escapes) and its samples; of all
// families that have the id. "evidence/gpu" names one. NotFound with the nearest ids otherwise.
absl::StatusOr<std::string> ExplainRule(const RuleSet& rules, const std::string& id);

struct RuleCheck {
  std::string text;  // every diagnostic, then one line that sums up
  size_t errors = 0, warnings = 0;
};

// Loads `dir` (empty: the rules of the program alone) over the embedded rules with all samples run, those that need a
// whole manifest by `further` (CheckLintSamples), which another room has.
RuleCheck CheckRules(const std::string& dir,
                     const std::function<void(const RuleSet&, std::vector<Diag>*)>& further = nullptr);

}  // namespace autotune
