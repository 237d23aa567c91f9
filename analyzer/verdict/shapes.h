// What the shapes of tuned problems say about the inputs: which matrix products they are, and which of their sizes is
// the sequence.
//
//   bmm(4x320x256, 4x256x320)      batch 4, M = N = 320, K = 256: scores of attention, sequence 320
//   mm(1280x256, 256x512)          M = 1280 = 4 x 320 tokens
//
// A token dimension is a product of batch and sequence, so it alone rarely says which of the two changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/block.h"
#include "analyzer/model/run.h"

namespace autotune {

// "4x256x256" -> 4, 256, 256; empty for a 0-d input and for what is no shape.
std::vector<int64_t> ParseShape(std::string_view shape);

// A problem as a (batched) matrix product.
struct Product {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool batched = false;
  // Which of the two lies transposed in memory; unknown before torch 2.8, which prints no strides.
  std::optional<bool> left_transposed, right_transposed;
};
std::optional<Product> AsProduct(const Block& block);

// Whether an op is one of attention's own, with q, k, v as inputs: flex_attention and its kin.
bool IsAttention(std::string_view op);

// What a run's problems say about the length of a sequence.
struct SequenceReading {
  std::optional<int64_t> value;  // the length, where a problem shows it
  bool shows_expected = false;   // a problem shows the expected length
  bool certain = true;           // no other reading of the problem fits the expected length
  uint64_t line = 0;             // of the problem
  std::string source, problem;   // "bmm(4x320x256, 4x256x320)"
};
// `expected`: 0 when no length is recorded.
SequenceReading ReadSequence(const std::vector<const TunedProblem*>& problems, int64_t expected);

// Rows of the plain matrix products (M), most frequent first, ties by size.
std::vector<int64_t> TokenRows(const std::vector<const TunedProblem*>& problems);

// "mm(1024x256, 256x512)"
std::string ProblemText(const Block& block);

}  // namespace autotune
