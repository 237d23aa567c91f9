// Several pods, ranks or logs in one reading, side by side: which tuned, which did not, which state another value of a
// setting than the others.
//
// What is compared is the coarsest thing that has two names: logs, else pods, else processes and ranks. Pods of one
// stream that differ inside themselves are not taken apart further.
#pragma once

#include "analyzer/model/run.h"
#include "analyzer/model/verdict.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// Fills `processes`, `disagreements` and `processes_dropped`; leaves them empty where there is nothing to compare.
void CompareProcesses(const Run& run, const RuleSet& rules, Verdict* verdict);

}  // namespace autotune
