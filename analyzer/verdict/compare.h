// Steps that read values: the manifest's facts against what the log states, and the stated values of two logs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/model/run.h"
#include "analyzer/rule/rule_set.h"
#include "analyzer/verdict/draft.h"

namespace autotune {

// What a log states, by the setting's name in the contract: components of `[hash] name: value` listings stand under the
// setting that they are.
std::map<std::string, std::vector<const StatedValue*>> StatedBySetting(const Run& run, const RuleSet& rules);

// Equal, different or not stated: every fact of the manifest that the log says something about.
void CompareManifest(Draft* draft);

// Settings that the log states and the manifest does not record, where the value is known to make torch tune.
void LookAtUnrecorded(Draft* draft);

// Settings of the manifest that this log does not state, in the manifest's order.
std::vector<std::string> NotObserved(const Draft& draft);

// What to look at next, in the order of the manifest's own checklist, else of the rules.
std::vector<std::string> NextChecks(const Draft& draft);

}  // namespace autotune
