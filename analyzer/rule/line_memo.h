// What the evidence rules said of whole lines, kept for when the same line comes again: ranks print what the others
// print, and each graph repeats most of what the one before it said. A line that is known costs a hash and a
// comparison, one that is not may cost several regular expressions.
//
// Exact: lines are compared whole. Bounded: when it is full it forgets all and begins anew. Only for lines whose answer
// depends on nothing but themselves; the caller keeps two-line rules away.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzer/base/text_hash.h"

namespace autotune {

template <class Answer>
class LineMemo {
 public:
  // Null: not known.
  const Answer* Find(std::string_view line) const {
    const auto found = answers_.find(line);
    return found == answers_.end() ? nullptr : &found->second;
  }

  void Keep(std::string_view line, Answer answer) {
    const size_t cost = line.size() + kOverhead;
    if (cost > kMaxLine) return;
    if (bytes_ + cost > kMaxBytes) {
      answers_.clear();
      bytes_ = 0;
    }
    bytes_ += cost;
    answers_.emplace(line, std::move(answer));
  }

 private:
  static constexpr size_t kMaxBytes = 3 << 20, kMaxLine = 64 << 10;
  static constexpr size_t kOverhead = 256;  // of an entry, with the answer of usual length

  std::unordered_map<std::string, Answer, TextHash, std::equal_to<>> answers_;
  size_t bytes_ = 0;
};

}  // namespace autotune
