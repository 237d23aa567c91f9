// Sums the findings of one or several logs up into a Run, in bounded memory (see model/run.h for what is kept).
#pragma once

#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/model/run.h"
#include "analyzer/model/sink.h"

namespace autotune {

class RunBuilder {
 public:
  explicit RunBuilder(Run* run) : run_(run) {}
  // Whether a block of the same problem was added before: of a problem the Run keeps the first block.
  bool Knows(const Block& block) const;
  void Add(const Block& block);
  void Add(const Orphan& orphan);
  void Add(const Evidence& evidence);
  void Count(std::string_view kind) { ++run_->counters[std::string(kind)]; }

  // Distinct problems and values kept. Real runs have tens; 51 sizes in one run is the most seen in public.
  static constexpr size_t kMaxProblems = 2000;
  static constexpr size_t kMaxStated = 20000;
  // Writers kept, and statements kept of each.
  static constexpr size_t kMaxWriters = 256, kMaxStatements = 512;

 private:
  // Null beyond kMaxWriters.
  LogWriter* WriterOf(const std::string& source, const Labels& labels);

  Run* run_;
  std::unordered_map<std::string, size_t> problem_index_, stated_index_, writer_index_;
  size_t last_writer_ = 0;
  std::unordered_set<uint64_t> told_;  // writer and index into Run::stated
  std::string stated_key_;             // kept for its memory: most evidence was stated before
};

// What makes two blocks one problem: op, shapes, strides, dtypes.
std::string ProblemKey(const Block& block);

}  // namespace autotune
