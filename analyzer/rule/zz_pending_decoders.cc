// Families whose decoder is still to be written: their rules are left out. Weak, and last in the archive by its name,
// so that a real decoder wins as soon as it is there. This file goes when all are.
#include "analyzer/rule/rule_set.h"

#define AUTOTUNE_PENDING __attribute__((weak))

namespace autotune {

AUTOTUNE_PENDING std::optional<WrapperRule> DecodeWrapperRule(const RuleFile&, const RuleNode&, std::vector<Diag>*) {
  return std::nullopt;
}
AUTOTUNE_PENDING void CheckWrapperSamples(const WrapperRule&, const RuleFile&, std::vector<Diag>*) {}
AUTOTUNE_PENDING std::optional<BackendRule> DecodeBackendRule(const RuleFile&, const RuleNode&, std::vector<Diag>*) {
  return std::nullopt;
}
AUTOTUNE_PENDING void CheckBackendSamples(const BackendRule&, const RuleFile&, std::vector<Diag>*) {}
AUTOTUNE_PENDING std::optional<LayoutRule> DecodeLayoutRule(const RuleFile&, const RuleNode&, std::vector<Diag>*) {
  return std::nullopt;
}
AUTOTUNE_PENDING void CheckLayoutSamples(const LayoutRule&, const RuleFile&, std::vector<Diag>*) {}

}  // namespace autotune
