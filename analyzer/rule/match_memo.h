// What a pattern said of a text, kept for when the same text comes again: listings of key components repeat most of
// their lines for each graph, behind another time stamp and process id. Finding where a pattern matches is cheap (RE2's
// automaton); finding its groups is several times dearer, and this saves that.
//
// Exact, not a guess: the groups of a match follow from the matched bytes and, for \b ^ $, from the byte before and
// behind, so these are the key, compared whole. Bounded: a text's newer neighbours push it out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
    if (match.size() > kMaxText || slots_.empty()) return nullptr;
    const Slot* const set = SetOf(hash_);
    for (size_t i = 0; i < kWays; ++i) {
      if (set[i].hash == hash_ && set[i].key == key_) return &set[i].statements;
    }
    return nullptr;
  }

  // For what Find() was last asked and had no answer to; gives the statements back.
  const std::vector<Statement>* Keep(std::vector<Statement> statements) {
    if (key_.size() > kMaxText) {
      overlong_ = std::move(statements);
      return &overlong_;
    }
    if (slots_.empty()) slots_.resize(kSlots);
    // Four places for a text: with one, a third of a listing's lines would push each other out.
    Slot* const set = SetOf(hash_);
    size_t way = 0;
    while (way < kWays && !set[way].key.empty()) ++way;
    Slot& slot = set[way < kWays ? way : turn_++ % kWays];
    slot.hash = hash_;
    slot.key = key_;
    slot.statements = std::move(statements);
    return &slot.statements;
  }

 private:
  // Less than a megabyte in a dense log, three when every match is as long as may be.
  static constexpr size_t kSlots = 2048, kWays = 4, kMaxText = 1024;

  struct Slot {
    size_t hash = 0;
    std::string key;  // never empty in use
    std::vector<Statement> statements;
  };

  Slot* SetOf(size_t hash) { return &slots_[hash % (kSlots / kWays) * kWays]; }

  // pattern, what stands before (or that nothing does), the match, what stands behind.
  void MakeKey(uint32_t pattern, std::string_view text, std::string_view match) {
    const char* const end = text.data() + text.size();
    const char* const match_end = match.data() + match.size();
    key_.assign(reinterpret_cast<const char*>(&pattern), sizeof(pattern));
    key_ += match.data() == text.data() ? '^' : 'b';
    key_ += match.data() == text.data() ? '\0' : match.data()[-1];
    key_ += match_end == end ? '$' : 'b';
    key_ += match_end == end ? '\0' : *match_end;
    if (match.size() <= kMaxText) {
      key_ += match;
    } else {
      key_.append(kMaxText + 1, '\0');  // too long to be kept
    }
    hash_ = TextHash()(key_);
  }

  std::vector<Slot> slots_;
  std::string key_;
  size_t hash_ = 0, turn_ = 0;
  std::vector<Statement> overlong_;
};

}  // namespace autotune
