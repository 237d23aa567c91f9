// Problems of a run that the recorded cache has not: what is nearest to them there, and what one change would make all
// of them out of the recorded ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/identity/problem_key.h"
#include "analyzer/model/block.h"
#include "analyzer/model/recorded_cache.h"

namespace autotune {

struct NearestProblem {
  const RecordedProblem* recorded = nullptr;
  std::vector<InputKey> inputs;                                        // the recorded one's
  bool same_sizes = false, same_strides = false, same_dtypes = false;  // as far as the block prints them
  std::vector<std::pair<int64_t, int64_t>> changed;  // recorded size, the run's size; in the order of the header
  bool rows_changed = false;                         // a size other than the last one of the last input differs
};

// The recorded problem of the same op that differs least; empty when no problem of that op has as many inputs of the
// same ranks.
std::optional<NearestProblem> FindNearest(const RecordedCache& cache, const Block& block);

// "sizes 1024 -> 1280", "dtypes torch.bfloat16 -> torch.float16", "strides [1, 256] -> [512, 1]".
std::string DescribeDifference(const NearestProblem& nearest, const Block& block);

struct NewProblemsCause {
  enum class Kind { kDtype, kScaled, kModel };
  Kind kind = Kind::kModel;
  std::string before, after;                         // dtype, or the numbers that the scale stands on
  int64_t scale_before = 1, scale_after = 1;         // kScaled: every changed size has this ratio, in lowest terms
  std::vector<std::pair<int64_t, int64_t>> changed;  // kScaled: the distinct changes
};

// What explains all of the blocks at once. `nearest` has one item a block, empty where FindNearest was.
NewProblemsCause ExplainNewProblems(const std::vector<const Block*>& blocks,
                                    const std::vector<std::optional<NearestProblem>>& nearest);

}  // namespace autotune
