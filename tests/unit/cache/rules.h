// The rules compiled into the binary, loaded once for the tests of this room.
#pragma once

#include <cstdio>

#include "analyzer/base/diag.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

inline const RuleSet& CacheTestRules() {
  static const RuleSet* const rules = [] {
    std::vector<Diag> diags;
    auto loaded = LoadRules("", false, &diags);
    for (const Diag& diag : diags) std::fputs(Render(diag).c_str(), stderr);
    return new RuleSet(*std::move(loaded));
  }();
  return *rules;
}

}  // namespace autotune
