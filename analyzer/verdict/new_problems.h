// Problems that a build never tuned, each against the nearest one that it did: which size moved, and what that means.
//
//   mm(1280x256, 256x512)    for    mm(1024x256, 256x512)       rows: tokens
//   bmm(4x320x256, ...)      for    bmm(4x256x256, ...)         the sequence
//   mm(1024x256, 256x320)    for    mm(1024x256, 256x512)       columns: a weight, so the model
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/model/run.h"

namespace autotune {

bool SameProblem(const Block& a, const Block& b);

enum class NewProblems { kDtype, kSequence, kBatch, kTokens, kDynamic, kModel };

struct NewProblemsReading {
  NewProblems kind = NewProblems::kModel;
  int64_t from = 0, to = 0;               // the size that moved: sequence, batch, or rows
  std::string old_dtype, dtype;           // kDtype
  const TunedProblem* example = nullptr;  // the new problem that shows it best
  const TunedProblem* nearest = nullptr;  // the old one beside it; null: nothing like it was tuned
};

// `news` is not empty.
NewProblemsReading ReadNewProblems(const std::vector<const TunedProblem*>& news,
                                   const std::vector<const TunedProblem*>& olds);

}  // namespace autotune
