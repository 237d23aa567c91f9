// A pattern that is compiled when a text may first match it. Compiling one costs as much as reading a small log, and of
// the rules' hundreds of patterns one log needs few: the literals that every match holds (rule/literals.h) rule out the
// others without an automaton.
//
// May be used by many threads, like the RE2 that it becomes.
#pragma once

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/text.h"
#include "analyzer/rule/literal_finder.h"
#include "analyzer/rule/literals.h"

namespace autotune {

class LazyPattern {
 public:
  explicit LazyPattern(std::string_view pattern, const RE2::Options& options = RE2::Options())
      : pattern_(pattern), options_(options) {}

  bool FullMatch(std::string_view text) const { return MayMatch(text) && RE2::FullMatch(ToRe2(text), Compiled()); }
  // Of the text from `start` on; what stands before counts for ^ and \b alone.
  bool PartialMatch(std::string_view text, size_t start = 0) const {
    return MayMatch(text.substr(start)) &&
           Compiled().Match(ToRe2(text), start, text.size(), RE2::UNANCHORED, nullptr, 0);
  }

 private:
  bool MayMatch(std::string_view text) const {
    std::call_once(drawn_, [this] {
      for (std::string& literal : RequiredLiterals(pattern_)) literals_.emplace_back(std::move(literal));
    });
    return literals_.empty() || std::any_of(literals_.begin(), literals_.end(),
                                            [&](const LiteralFinder& literal) { return literal.IsIn(text); });
  }
  const RE2& Compiled() const {
    std::call_once(compiled_, [this] { re_ = std::make_unique<RE2>(ToRe2(pattern_), options_); });
    return *re_;
  }

  std::string pattern_;
  RE2::Options options_;
  mutable std::once_flag drawn_, compiled_;
  mutable std::vector<LiteralFinder> literals_;
  mutable std::unique_ptr<RE2> re_;
};

// Patterns by their text, for readers that live as long as one log: what one of them compiled, the next one finds.
class PatternShelf {
 public:
  // Lives as long as the shelf.
  const LazyPattern& Of(std::string_view pattern) const {
    std::lock_guard<std::mutex> lock(mutex_);
    return patterns_.try_emplace(std::string(pattern), pattern).first->second;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, LazyPattern> patterns_;
};

}  // namespace autotune
