// The judgement of one run, as the contract states it. Plain data, made by verdict/, printed by report/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace autotune {

// How a suspect was found, strongest first; the order is the rank among suspects.
enum class Basis { kHashProof, kCacheLookup, kObserved, kCandidateSet, kShape, kBaseline, kElimination };

// "hash_proof", "cache_lookup", ... as in the JSON output.
constexpr const char* BasisName(Basis b) {
  switch (b) {
    case Basis::kHashProof:
      return "hash_proof";
    case Basis::kCacheLookup:
      return "cache_lookup";
    case Basis::kObserved:
      return "observed";
    case Basis::kCandidateSet:
      return "candidate_set";
    case Basis::kShape:
      return "shape";
    case Basis::kBaseline:
      return "baseline";
    case Basis::kElimination:
      return "elimination";
  }
  return "elimination";
}

struct Suspect {
  std::string setting;
  std::optional<std::string> manifest;  // the manifest's value
  std::optional<uint64_t> manifest_line;
  std::optional<std::string> built;     // what the build's own log states, where the manifest records nothing
  std::optional<std::string> observed;  // the log's value
  std::optional<uint64_t> log_line;
  std::string log_source;  // which log `log_line` is in
  double confidence = 0;   // 0..1, meant as a frequency; elimination never exceeds 0.6
  Basis basis = Basis::kElimination;
  std::string why;  // one sentence
  std::string fix;  // a command or an edit, ready to paste
};

struct EqualSetting {
  std::string setting, value;
  std::optional<uint64_t> manifest_line, log_line;
};

// A difference that cannot make this torch tune again (measured or read in its sources; the cause rule says why).
struct HarmlessDifference {
  std::string setting;
  std::optional<std::string> manifest, built, observed;  // as in Suspect
  std::optional<uint64_t> manifest_line, log_line;
  std::string why;
  std::string fix;  // what makes the two equal, as for a suspect; logs' reports leave it out, since nothing needs it
};

// Several pods, ranks or logs side by side, in order of first appearance; empty where the input names one writer only.
struct ProcessState {
  std::string name;  // "pod/trainer-0/main", "rank 3", a log's path; "" for lines without a label
  std::string source;
  enum class State { kTuned, kDidNotTune, kNothingSeen };
  State state = State::kNothingSeen;
  uint64_t blocks = 0;
  double seconds = 0;
  std::optional<uint64_t> line;  // where that shows: the first block, the first sign of compiling
};

// A setting of which processes state values that are not equal.
struct Disagreement {
  struct Side {
    std::string value;  // as its first process states it
    std::vector<std::string> processes;
    uint64_t line = 0;  // of the first process
    std::string source;
    bool all_that_tuned = false;  // these processes are those that tuned, and no other is
  };
  std::string setting;
  std::vector<Side> sides;  // most processes first
};

struct Verdict {
  enum class State { kClean, kMismatch, kUnknown };
  State state = State::kUnknown;
  std::vector<Suspect> suspects;    // most likely first
  std::vector<EqualSetting> equal;  // none of them may be a suspect
  std::vector<HarmlessDifference> harmless;
  std::vector<std::string> not_observed;  // settings of the manifest that this log does not state
  std::vector<std::string> next_checks;   // what to look at next, in the order of the manifest's checklist
  std::vector<std::string> notes;         // "cache hit at line 12, yet tuning at line 80", "ranks disagree", ...
  std::vector<ProcessState> processes;
  std::vector<Disagreement> disagreements;
  uint64_t processes_dropped = 0;  // more than are compared: findings of others
};

// "clean", "mismatch", "unknown", as in the JSON output.
constexpr const char* StateName(Verdict::State state) {
  switch (state) {
    case Verdict::State::kClean:
      return "clean";
    case Verdict::State::kMismatch:
      return "mismatch";
    case Verdict::State::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace autotune
