// What an audit keeps of one run: the row of its table and the evidence behind it, a few kilobytes whatever the log's
// size. Plain data; facts that a log does not state are empty.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/model/verdict.h"

namespace autotune {

// One tuned problem of a run, as totals over runs need it.
struct ProblemRecord {
  std::string key;    // what makes it the same problem elsewhere: op, shapes, strides, dtypes (ProblemKey)
  std::string title;  // "mm(2048x512, 512x512) bfloat16"
  uint64_t blocks = 0;
  double seconds = 0;
  std::map<std::string, double> winners;  // kernel without its counter -> best ms
  std::string candidates;                 // who competed: "20 of ATEN, TRITON"; other fields have other winners
};

struct RunRecord {
  std::string source;    // path of the log; "ARCHIVE!MEMBER" of a log inside an archive
  std::string manifest;  // what it was judged by, "" nothing
  std::string day;       // "2026-11-30", "11-30" where the log names no year, "" where it names no day
  Verdict::State state = Verdict::State::kUnknown;
  bool tuned = false;
  std::string answer;                   // the verdict as a sentence
  std::vector<Suspect> suspects;        // most likely first, a few
  std::vector<std::string> notes;       // of the verdict and of the reading
  std::vector<ProblemRecord> problems;  // most expensive first
  uint64_t blocks = 0, truncated_blocks = 0, orphans = 0, problem_count = 0, processes = 0;
  double benchmark_seconds = 0, precompile_seconds = 0, prescreen_seconds = 0;
  std::string torch, torch_range, gpu;
  uint64_t bytes = 0, lines = 0;
  bool ended_early = false;

  double seconds() const { return benchmark_seconds + precompile_seconds + prescreen_seconds; }
};

// The cause that a table may name: the first suspect where it is likely (kLikely) and something shows it, else null.
// What is left by elimination alone, and an unlikely suspect, stays in the run's evidence and is blamed nowhere: the
// log of the build itself often lies beside its manifest, and tunes by right.
const Suspect* NamedCause(const RunRecord& run);

}  // namespace autotune
