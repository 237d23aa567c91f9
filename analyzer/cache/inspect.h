// `autotune-scan cache PATH`: what a recorded cache is for, and whether it is whole.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <vector>

#include "analyzer/model/evidence.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

struct CacheReading;  // cache/cache_reader.h

struct CacheReport {
  std::vector<Fact> facts;        // "gpu", "torch", "triton", "cuda", "back ends", counts, ...
  std::vector<Problem> problems;  // errors first, then warnings, each in the cache's order
  absl::Status status;            // the cache could not be read to its end; what was read is above
};

// `manifest` may be null; with one, counts and machine are held against what it records. An error when the path cannot
// be read at all, or is no cache: no folder, no archive.
absl::StatusOr<CacheReport> InspectCache(const std::string& path, const Manifest* manifest, const RuleSet& rules);

// For who needs the reading as well; graph entries are judged where it was made with ReadOptions::verify.
CacheReport InspectReading(const CacheReading& reading, const Manifest* manifest, const RuleSet& rules);

}  // namespace autotune
