// Runs the evidence rules over one unwrapped line; secrets are masked before anything leaves.
//
//   line -> LiteralScan (one pass, all rules) -> the few patterns whose literal stands there -> RE2 with named groups
//
// What torch's logger puts before a message (level, time, process id) is no part of any match, though ^ does not hold
// behind it. A pattern is compiled when its literal is first met: a small log meets few, and the program has to start
// in milliseconds. (RE2::Set would be compiled whole at the start, and its automaton over so many unanchored patterns
// outgrows its memory on a dense debug log.) Not thread-safe: one matcher a log parser.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/evidence.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

class EvidenceMatcher {
 public:
  explicit EvidenceMatcher(const RuleSet& rules);
  ~EvidenceMatcher();

  // Called with setting, value, rule and line filled in; source and labels are the caller's to add. The same object
  // each time, for its memory.
  using Emit = std::function<void(Evidence&)>;

  // `stream` tells apart streams whose two-line rules must not mix (the unwrapper's stream key). `emit` gets each
  // setting and value once a line, in order of rule and place. Returns true when a rule waits for the stream's next
  // line.
  bool Match(std::string_view text, uint64_t line, uint64_t stream, const Emit& emit);

  // Some stream's next line is waited for, and `line` is not yet too far (kMaxWait) behind the first: until then no
  // line may be left out.
  bool waiting(uint64_t line) const;
  // A stream that says nothing for so many lines of the log has ended.
  static constexpr uint64_t kMaxWait = 256;

  // For each rule pattern the literals one of which every matching line holds (rule/literals.h), sorted.
  static std::vector<std::string> Literals(const RuleSet& rules);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Masks what a secret rule finds; used for evidence, and by reports for any text of a log. May be used by many threads.
class SecretMask {
 public:
  explicit SecretMask(const RuleSet& rules);
  explicit SecretMask(const std::vector<SecretRule>& secrets);
  ~SecretMask();
  std::string Mask(std::string_view setting, std::string_view value) const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;  // what is compiled is shared by all masks of a rule set
};

}  // namespace autotune
