// One log, summed up: what the verdict needs, in memory bounded by the number of *distinct* facts and problems, so that
// an endless stream or a log of 100,000 blocks stays small. Built block by block by RunBuilder
// (analyzer/run_builder.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/block.h"
#include "analyzer/model/evidence.h"

namespace autotune {

// A setting's value with every place collapsed: the first line that states it and how often it was stated.
struct StatedValue {
  std::string setting;
  std::string value;
  std::string rule;
  uint64_t first_line = 0;
  uint64_t count = 0;
  std::string source;
  std::set<std::string> processes;  // labels that state it, at most a few kept
};

// One tuned problem (op + shapes + strides + dtypes), summed over its blocks.
struct TunedProblem {
  Block first;  // the first block of this problem, whole (its rows are what the proofs work on)
  uint64_t blocks = 0;
  double benchmark_seconds = 0, precompile_seconds = 0, prescreen_seconds = 0;
  std::set<std::string> backends;  // of all rows shown
  std::set<std::string> processes;
  // winner's identity (name without its counter + description) -> best ms; ranks may disagree
  std::map<std::string, double> winners;
};

// Who wrote a part of the log, and what these lines show. One for each log and set of labels.
struct LogWriter {
  std::string source;
  Labels labels;
  uint64_t blocks = 0, orphans = 0;
  uint64_t first_line = 0;        // of the first block or orphan
  uint64_t timed = 0, stats = 0;  // of the blocks: those whose footer tells seconds, those with a stats line
  double benchmark_seconds = 0, precompile_seconds = 0, prescreen_seconds = 0;
  struct Statement {
    size_t stated = 0;  // index into Run::stated
    uint64_t line = 0;  // this writer's first
  };
  std::vector<Statement> statements;
};

struct Run {
  std::vector<std::string> sources;
  std::vector<StatedValue> stated;     // in order of first statement
  std::vector<TunedProblem> problems;  // in order of first block
  uint64_t blocks = 0, truncated_blocks = 0, orphans = 0;
  uint64_t orphan_stats = 0;  // stats lines without a table: they still prove tuning
  std::optional<uint64_t> first_orphan_stats_line;
  uint64_t problems_dropped = 0;  // distinct problems beyond the cap: counted, not kept
  double benchmark_seconds = 0, precompile_seconds = 0, prescreen_seconds = 0;
  std::set<std::string> processes;
  std::vector<LogWriter> writers;  // in order of their first finding
  uint64_t writers_dropped = 0;    // findings of writers beyond the cap
  uint64_t bytes = 0, lines = 0;
  bool ended_early = false;                  // unreadable or cut input: what was read is here
  std::map<std::string, uint64_t> counters;  // "cut_block", "long_line", "unknown_choice", ...

  bool tuned() const { return blocks + orphan_stats + orphans > 0; }
};

// The first value that the log states of a setting; null: none.
inline const StatedValue* FindStated(const Run& run, std::string_view setting) {
  for (const StatedValue& stated : run.stated) {
    if (stated.setting == setting) return &stated;
  }
  return nullptr;
}

}  // namespace autotune
