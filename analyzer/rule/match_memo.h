// What a pattern said of a text, kept for when the same text comes again: listings of key components repeat most of
// their lines for each graph, behind another time stamp and process id. Finding where a pattern matches is cheap (RE2's
// automaton); finding its groups is several times dearer, and this saves that.
//
// Exact, not a guess: the groups of a match follow from the matched bytes and, for \b ^ $, from the byte before and
// behind, so these are the key, compared whole. Bounded: when it is full it forgets all and begins anew.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/base/text_hash.h"

namespace autotune {

// One emit of a pattern, filled in and masked.
struct Statement {
  std::string setting, value;
  bool on_next = false;  // stands on the second line of a two-line rule
};

class MatchMemo {
 public:
  // A text behind which the last answer stands, or null. `match` lies in `text`.
  const std::vector<Statement>* Find(uint32_t pattern, std::string_view text, std::string_view match) {
    MakeKey(pattern, text, match);
    const auto found = known_.find(key_);
    return found == known_.end() ? nullptr : &found->second;
  }

  // For what Find() was last asked and had no answer to; gives the statements back.
  const std::vector<Statement>* Keep(std::vector<Statement> statements) {
    if (key_.size() > kMaxKey) {
      overlong_ = std::move(statements);
      return &overlong_;
    }
    if (known_.size() >= kMaxKnown) known_.clear();
    return &known_.insert_or_assign(key_, std::move(statements)).first->second;
  }

 private:
  // Less than a megabyte in a dense log, three when every match is as long as may be.
  static constexpr size_t kMaxKnown = 2048, kMaxKey = 1024;

  // pattern, what stands before (or that nothing does), the match, what stands behind.
  void MakeKey(uint32_t pattern, std::string_view text, std::string_view match) {
    const char* const end = text.data() + text.size();
    const char* const match_end = match.data() + match.size();
    key_.assign(reinterpret_cast<const char*>(&pattern), sizeof(pattern));
    key_ += match.data() == text.data() ? '^' : 'b';
    key_ += match.data() == text.data() ? '\0' : match.data()[-1];
    key_ += match_end == end ? '$' : 'b';
    key_ += match_end == end ? '\0' : *match_end;
    key_.append(match.substr(0, kMaxKey));  // a longer one is not kept, and so not found
  }

  std::unordered_map<std::string, std::vector<Statement>, TextHash, std::equal_to<>> known_;
  std::string key_;
  std::vector<Statement> overlong_;
};

}  // namespace autotune
