// One setting's value, read off one line of a log or of a manifest. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/block.h"

namespace autotune {

// A value that a log line states, spelled as the line has it. Values that look like secrets are masked before they get
// here (rules/secrets). `setting` is the contract's name: the environment variable where there is one, else "torch",
// "gpu", ...; "hash:NAME" style names never leave rules: listings are mapped to settings or keep their component name.
struct Evidence {
  std::string setting;
  std::string value;
  uint64_t line = 0;
  std::string rule;  // id of the evidence rule that read it
  std::string source;
  Labels labels;
};

// One row, list item or checklist line of a Markdown manifest. `value` is unescaped and without backticks; "" when the
// manifest says N/A, "-" or nothing (then `not_set` is true and `raw` keeps the spelling).
struct Fact {
  std::string setting;
  std::string value;
  std::string raw;
  bool not_set = false;
  bool from_checklist = false;  // the checklist repeats table rows: such a fact never overrides a table's
  uint64_t line = 0;
};

// The manifest's section "Exact Identities": what inductor computed in the build (`manifest write` records it).
struct Identities {
  struct System {
    std::string hash;  // of the card, Triton, CUDA or HIP: the name of the tuning file
    uint64_t line = 0;
  };
  struct Problem {
    std::string op, precision;      // "mm", "highest"; precision "" where it is not recorded
    std::string inputs_key;         // "[('cuda', 'torch.bfloat16', 1024, 256, 256, 1, 0), ...]"
    std::string candidate_set_key;  // "" not recorded
    std::optional<int64_t> choices;
    std::vector<std::string> backends;
    uint64_t line = 0;
  };
  std::vector<System> systems;
  std::vector<Problem> problems;

  bool empty() const { return systems.empty() && problems.empty(); }
};

struct Manifest {
  std::string path;
  std::string title;
  uint64_t title_line = 0;
  std::vector<Fact> facts;  // in file order
  // Rows and items of the form "name: value" that are no setting: kept apart, for lint to ask "did you mean".
  struct UnknownRow {
    std::string name;
    uint64_t line = 0;
  };
  std::vector<UnknownRow> unknown_rows;
  Identities identities;
};

// What the manifest records of a setting: a row of its tables before a line of its checklist; null: nothing.
inline const Fact* FindFact(const Manifest& manifest, std::string_view setting) {
  const Fact* checklist = nullptr;
  for (const Fact& fact : manifest.facts) {
    if (fact.setting != setting) continue;
    if (!fact.from_checklist) return &fact;
    if (checklist == nullptr) checklist = &fact;
  }
  return checklist;
}

// A fault found by `manifest lint`, `cache` or `check`.
struct Problem {
  enum class Severity { kError, kWarning };
  Severity severity = Severity::kError;
  uint64_t line = 0;  // 0: no line
  std::string setting;
  std::string message;
  std::string fix;
  std::string id;  // the rule or check that found it
};

}  // namespace autotune
