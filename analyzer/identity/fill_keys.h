// Fills what inductor would call a block's problem and choices: inputs_key, hash_key of each row, candidate_set.
//
// What a block prints is not enough for most keys: a Triton key needs the kernel's source, an ATen key may hold keyword
// arguments. A recorded cache has both. Its entry for [op][inputs][precision] belongs to a block when
//   - the times that the block prints are the entry's own, row by row (this log wrote the entry), or
//   - the log shows kernels of the run by key and the cache has those very kernels (the generator is the same);
// then keys are read off the entry. A recorded entry of the same problem is no proof of the run's keys otherwise: had
// all of them been found, no block would have been printed. What cannot be known stays empty.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/model/block.h"
#include "analyzer/model/recorded_cache.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// What the rest of the log says, as far as it has been read when the block closes. "" where it says nothing.
struct KeyHints {
  std::string device;          // "cuda", "cpu", "xpu"
  std::string torch;           // "2.11.0+cu130"
  std::string dtype;           // of the model, for logs whose blocks print none
  bool kernels_match = false;  // kernels that the log shows by key are all in the recorded cache
};

// `cache` may be null.
void FillKeys(const RuleSet& rules, const RecordedCache* cache, const KeyHints& hints, Block* block);

// How well a recorded problem fits a block: what FillKeys goes by, and what lookups ask again.
struct ProblemMatch {
  uint32_t problem = 0;       // index into RecordedCache::problems
  bool same_times = false;    // every row's printed time is that of an entry of its kind
  std::vector<int64_t> rows;  // for each row the index of its choice in the entry, -1 where it cannot be told
};

// The recorded problems with the block's op and shapes, and its strides, dtypes and device where they are known.
std::vector<ProblemMatch> MatchProblems(const RuleSet& rules, const RecordedCache& cache, const KeyHints& hints,
                                        const Block& block);

// "cpu" when rows can only stand on a CPU, else the hint, else "".
std::string BlockDevice(const RuleSet& rules, const KeyHints& hints, const Block& block);

}  // namespace autotune
