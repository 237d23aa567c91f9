// What the recorded cache says about a run that tuned: for each problem the first level that is missing there
// (machine, op, inputs, precision, candidates), and for kernels that the run is known to have used which setting made
// their keys. Suspects come with basis hash_proof (proof.h) or cache_lookup; a difference that only the log shows is
// left to verdict/.
#pragma once

#include <absl/status/status.h>

#include <string>
#include <vector>

#include "analyzer/cache/key_book.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/run.h"
#include "analyzer/model/verdict.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

struct LookUpInput {
  const Run* run = nullptr;
  const Manifest* manifest = nullptr;  // null: none given
  const KeyBook* book = nullptr;       // the recorded cache; null or without a cache: nothing is looked up
  std::string run_cache;               // the cache that the run left; "" none
};

struct CacheFindings {
  std::vector<Suspect> suspects;     // most likely first; empty texts are for the rules to fill
  std::vector<std::string> notes;    // for JudgeInput::cache_notes
  std::vector<absl::Status> errors;  // the run's cache could not be read whole, or a second reading failed
};

CacheFindings LookUp(const LookUpInput& input, const RuleSet& rules);

}  // namespace autotune
