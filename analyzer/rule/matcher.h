// Runs the evidence rules over one unwrapped line. RE2::Set (or FilteredRE2) picks the rules that can match; secrets are
// masked before anything leaves. Not thread-safe: one matcher a log parser.
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

  // `stream` tells apart streams whose two-line rules must not mix (the unwrapper's stream key). `emit` gets setting, value,
  // rule and line filled; the caller adds source and labels. Returns true when a rule waits for the stream's next line.
  bool Match(std::string_view text, uint64_t line, uint64_t stream, const std::function<void(Evidence)>& emit);

  // For each rule pattern the literals one of which every matching line holds (FilteredRE2's atoms, case kept where the
  // pattern is case-sensitive).
  static std::vector<std::string> Literals(const RuleSet& rules);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Masks what a secret rule finds; used for evidence, and by reports for any text of a log.
class SecretMask {
 public:
  explicit SecretMask(const RuleSet& rules);
  ~SecretMask();
  std::string Mask(std::string_view setting, std::string_view value) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace autotune
