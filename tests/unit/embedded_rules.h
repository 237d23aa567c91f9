// The rules compiled into the binary, loaded once for the tests of a room.
#pragma once

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "analyzer/rule/rule_set.h"

namespace autotune {

inline const RuleSet& EmbeddedRules() {
  static const RuleSet& rules = *[] {
    std::vector<Diag> diags;
    auto loaded = LoadRules("", /*check_samples=*/false, &diags);
    for (const Diag& diag : diags) ADD_FAILURE() << Render(diag);
    return new RuleSet(loaded.ok() ? *std::move(loaded) : RuleSet());
  }();
  return rules;
}

}  // namespace autotune
