// The wrapper rules of a rule set, ready to run: which listed prefixes a line may begin with, and each one's pattern.
// Shared by all parsers and threads like the rest of LineProgram; everything is compiled when it is first needed.
#pragma once

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "analyzer/rule/literal_finder.h"
#include "analyzer/rule/wrapper_rule.h"

namespace autotune {

class WrapperProgram {
 public:
  // A rule of kind prefix or debris.
  class Prefix {
   public:
    // Numbers of the pattern's named groups, 0: it has none of that name.
    struct Groups {
      int process = 0, rank = 0, pod = 0, stream = 0, partial = 0, text = 0, count = 1;
    };

    explicit Prefix(const WrapperRule& rule) : rule_(&rule), literals_(rule.literals.begin(), rule.literals.end()) {}
    const WrapperRule& rule() const { return *rule_; }
    // One of the rule's literals stands in the text.
    bool may_match(std::string_view text) const {
      return std::any_of(literals_.begin(), literals_.end(),
                         [&](const LiteralFinder& literal) { return literal.IsIn(text); });
    }
    const RE2& pattern() const;
    // Of a pattern that was asked for.
    const Groups& groups() const { return groups_; }

   private:
    const WrapperRule* rule_;
    std::vector<LiteralFinder> literals_;
    mutable std::once_flag compiled_;
    mutable std::unique_ptr<RE2> pattern_;
    mutable Groups groups_;
  };

  explicit WrapperProgram(std::vector<WrapperRule> rules);

  // Indices of the `prefixes` that may stand at the beginning of the text, in order. What `matches` held before is
  // taken as a guess of whether there will be some.
  void Match(std::string_view text, std::vector<int>* matches) const;

  const std::deque<Prefix>& prefixes() const { return prefixes_; }
  // Those that are tried only where one of their literals stands.
  const std::deque<Prefix>& searched() const { return searched_; }
  const std::vector<const WrapperRule*>& json() const { return json_; }

 private:
  const std::vector<WrapperRule> rules_;
  std::deque<Prefix> prefixes_, searched_;
  std::vector<const WrapperRule*> json_;
  mutable std::once_flag compiled_;
  mutable std::unique_ptr<RE2::Set> set_;  // over `prefixes_`
};

}  // namespace autotune
