// What one AUTOTUNE block says, and what the orphans of a lost block still say. Plain data; nobody here reads bytes.
//
//   AUTOTUNE mm(1024x256, 256x512)                      header: op, shapes
//   strides: [256, 1], [1, 256]                         torch >= 2.8
//   dtypes: torch.bfloat16, torch.bfloat16              torch >= 2.8
//     triton_mm_12 0.0061 ms 100.0% ACC_TYPE=...        a choice (row); description from torch 2.5 on
//   SingleProcess AUTOTUNE benchmarking takes 0.7602 seconds and 0.4962 seconds precompiling for 20 choices    footer
//
// The text is written by torch/_inductor/select_algorithm.py (log_results), torch 2.0 to 2.15. Field names are those of
// the JSON output (see README, "JSON"). A fact that the log does not state is an empty optional, never a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace autotune {

// Who wrote a line, as far as the wrapper around it says. Labels are read from the header's own line.
struct Labels {
  std::optional<std::string> process;  // innermost label naming a process: "EngineCore pid=514"
  std::optional<int64_t> rank;         // [rank3]:, [default3]:, mpirank:3, srun's "3:", _TP3, rank=3
  std::optional<std::string> pod;      // kubectl --prefix: NAME of [pod/NAME/CONTAINER]

  bool operator==(const Labels&) const = default;
};

// One row: a candidate kernel that was timed.
struct Choice {
  std::string name;           // "triton_mm_12"; the number is a counter of the process and identifies nothing
  double ms = 0;              // as printed, whatever the unit says; +infinity for `inf`
  std::optional<double> pct;  // empty for <DIVIDED BY ZERO ERROR>
  std::string description;    // as printed, without blanks around it; may be empty
  std::string backend;        // "TRITON", ... "UNKNOWN": decided by rules/backends
  uint64_t line = 0;
  std::optional<std::string>
      hash_key;  // inductor's key of the choice; filled by identity/, empty when it cannot be known
};

// The choices of one problem as one value. `basis` is "inductor" when `key` is code_hash(op:inputs:precision:keys...)
// as inductor joins them, "printed" when it is a fingerprint of the printed names and descriptions, "" when not
// computed.
struct CandidateSet {
  std::string key;
  std::string basis;
  int64_t shown = 0;
  std::optional<int64_t> total;
};

struct Block {
  std::string source;  // path as given, "-" for standard input
  Labels labels;
  std::string op;
  uint64_t line = 0;                // header, first physical line, from 1
  uint64_t end_line = 0;            // footer, else the last line that belongs to the block
  std::vector<std::string> shapes;  // as printed; "" for a 0-d input
  // One list an input, each entry as printed: a number, or a symbol ("s0") of a dynamic shape. Empty optional: no such
  // line.
  std::optional<std::vector<std::vector<std::string>>> strides;
  std::optional<std::vector<std::string>> dtypes;
  std::vector<Choice> choices;
  std::optional<int64_t> num_choices;                            // footer
  std::optional<int64_t> num_choices_stats, num_triton_choices;  // `Autotune Choices Stats:` JSON before the header
  std::optional<uint64_t> stats_line;                            // its JSON line
  std::optional<std::string> mode;                               // "SingleProcess" | "SubProcess"
  std::optional<double> benchmark_seconds, precompile_seconds, prescreen_seconds;
  std::optional<uint64_t> footer_line;
  bool complete = false;    // status: complete | truncated
  std::string torch_range;  // what the layout alone says: ">=2.8", "2.6 - 2.7", "" when nothing
  std::optional<std::string> inputs_key;
  bool inputs_key_exact = false;
  // With row-major strides where none are printed; only where `inputs_key` is empty. A guess, reported as one.
  std::optional<std::string> inputs_key_guess;
  CandidateSet candidate_set;
};

// A row, footer or stats line whose header is not in this log.
struct Orphan {
  enum class Kind { kRow, kFooter, kStats };
  Kind kind = Kind::kRow;
  std::string source;
  uint64_t line = 0;
  Labels labels;
  std::optional<Choice> row;                                                       // kRow
  std::optional<std::string> mode;                                                 // kFooter
  std::optional<int64_t> num_choices;                                              // kFooter, kStats
  std::optional<int64_t> num_triton_choices;                                       // kStats
  std::optional<double> benchmark_seconds, precompile_seconds, prescreen_seconds;  // kFooter
};

}  // namespace autotune
