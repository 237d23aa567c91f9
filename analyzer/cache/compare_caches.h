// The recorded cache against the one that the run left: machines field by field, problems, choice sets, kernel sources.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/cache/proof.h"
#include "analyzer/identity/kernel_source.h"
#include "analyzer/model/recorded_cache.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// What differs, one sentence each: system dictionaries, problems that only one of them has, choices of the same
// problem.
std::vector<std::string> CompareCaches(const RecordedCache& recorded, const RecordedCache& run, const RuleSet& rules);

// Sources of `kernels` (indexes into `all`) beside their recorded origins. Fills the distinct differences by name, and
// in how many kernels each was seen; returns how many pairs were compared (a few are enough, and bound the memory).
size_t CompareKernelSources(const std::string& recorded_path, const std::string& run_path,
                            const std::vector<RunKernel>& all, const std::set<size_t>& kernels,
                            std::map<std::string, SourceDifference>* differences,
                            std::map<std::string, size_t>* counts);

}  // namespace autotune
