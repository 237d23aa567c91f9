// From facts to a verdict: compare, ask the blocks, ask the baseline, take in what the recorded cache proved, rank.
// Every step says why; none guesses. What the log shows equal is never a suspect.
#pragma once

#include <vector>

#include "analyzer/model/evidence.h"
#include "analyzer/model/run.h"
#include "analyzer/model/verdict.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

struct JudgeInput {
  const Run* run = nullptr;
  const Manifest* manifest = nullptr;  // null: none given
  const Run* baseline = nullptr;       // null: none given
  // From the recorded cache and the run's own cache (cache/lookup.h): suspects with basis hash_proof or cache_lookup,
  // and notes. `cache_read` says that a cache was given and read.
  bool cache_read = false;
  std::vector<Suspect> cache_suspects;
  std::vector<std::string> cache_notes;
};

Verdict Judge(const JudgeInput& input, const RuleSet& rules);

}  // namespace autotune
