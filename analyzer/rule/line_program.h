// The line rules (evidence, secrets, wrappers) of a rule set, ready to run: literals, and each pattern compiled when it
// is first needed. Made once at load and shared by all parsers and threads, since a parser lives as long as one log,
// and an audit reads thousands. Nothing in it changes but what is compiled on demand.
#pragma once

#include <re2/re2.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/rule/evidence_rule.h"
#include "analyzer/rule/lazy_pattern.h"
#include "analyzer/rule/literal_scan.h"
#include "analyzer/rule/matcher.h"
#include "analyzer/rule/wrapper_program.h"

namespace autotune {

// One evidence pattern with its expressions.
class LinePattern {
 public:
  // A named group of `re` (or of `next`), by number.
  struct Slot {
    bool of_next = false;
    int group = 0;
  };
  struct Piece {
    std::string text;
    std::optional<Slot> slot;
  };
  struct Emit {
    std::vector<Piece> setting, value;
    bool on_next = false;  // the value stands on the second line
  };

  LinePattern(std::string rule, EvidencePattern pattern) : rule_(std::move(rule)), pattern_(std::move(pattern)) {}

  // Compiles at the first call. The rest needs it done.
  const LinePattern& Ready() const;

  const std::string& rule() const { return rule_; }
  const EvidencePattern& pattern() const { return pattern_; }
  const RE2& re() const { return *re_; }
  const RE2* next() const { return next_.get(); }
  const std::vector<Emit>& emits() const { return emits_; }
  // An "unless" matches from `start` on.
  bool Excludes(std::string_view text, size_t start) const;

 private:
  void Compile() const;
  std::vector<Piece> Resolve(const std::string& text) const;

  std::string rule_;
  EvidencePattern pattern_;
  mutable std::once_flag compiled_;
  mutable std::unique_ptr<RE2> re_, next_;
  mutable std::deque<LazyPattern> unless_;
  mutable std::vector<Emit> emits_;
};

struct LineProgram {
  explicit LineProgram(const RuleSet& rules);

  LiteralScan scan;                   // its ids are indices of `patterns`
  std::deque<LinePattern> patterns;   // in order of rules
  std::vector<std::string> literals;  // of the patterns, sorted
  SecretMask mask;
  WrapperProgram wrappers;
  PatternShelf row_patterns;  // of the rules on back ends and layouts
};

// The rules' own, or one made for rules that were not loaded whole (tests).
std::shared_ptr<const LineProgram> ProgramOf(const RuleSet& rules);

}  // namespace autotune
