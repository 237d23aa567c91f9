// Which of many literals stand in a line: one pass that looks up each four bytes in a small bit map.
//
// Made for lines that already passed the prefilter of the reading loop; built in microseconds, unlike an automaton,
// since most runs of the program see few lines. A literal is found by its rarest four bytes (rule/literals.h) and then
// compared whole. Literals shorter than kMinLiteral are not allowed.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/rule/literals.h"

namespace autotune {

class LiteralScan {
 public:
  // An id may have several literals.
  void Add(std::string literal, uint32_t id) {
    size_t offset = 0;
    LiteralRarity(literal, &offset);
    const uint32_t hash = Hash(literal.data() + offset);
    marks_[hash / 64] |= uint64_t{1} << (hash % 64);
    uint32_t& head = heads_[hash % kHeads];
    entries_.push_back({std::move(literal), static_cast<uint32_t>(offset), id, head});
    head = static_cast<uint32_t>(entries_.size());
  }

  // Calls hit(id) for each place of each literal, in no promised order and perhaps repeatedly.
  template <class Hit>
  void Scan(std::string_view text, Hit&& hit) const {
    static_assert(kMinLiteral == 4);
    if (text.size() < kMinLiteral) return;
    const char* const last = text.data() + text.size() - kMinLiteral;
    for (const char* at = text.data(); at <= last; ++at) {
      const uint32_t hash = Hash(at);
      if ((marks_[hash / 64] >> (hash % 64)) & 1) Compare(text, at, hash, hit);
    }
  }

 private:
  static constexpr size_t kHeads = 1024;

  struct Entry {
    std::string literal;
    uint32_t fingerprint;  // offset of the bytes that are hashed
    uint32_t id;
    uint32_t next;  // index + 1 of the next entry with the same head, 0 none
  };

  static uint32_t Hash(const char* bytes) {
    uint32_t word;
    std::memcpy(&word, bytes, sizeof(word));
    return (word * 0x9E3779B1u) >> 17;  // Fibonacci hashing to 15 bits
  }

  template <class Hit>
  void Compare(std::string_view text, const char* at, uint32_t hash, Hit&& hit) const {
    for (uint32_t i = heads_[hash % kHeads]; i != 0; i = entries_[i - 1].next) {
      const Entry& entry = entries_[i - 1];
      const size_t place = static_cast<size_t>(at - text.data());
      if (place < entry.fingerprint) continue;
      if (text.substr(place - entry.fingerprint, entry.literal.size()) == entry.literal) hit(entry.id);
    }
  }

  std::array<uint64_t, (1u << 15) / 64> marks_{};
  std::array<uint32_t, kHeads> heads_{};
  std::vector<Entry> entries_;
};

}  // namespace autotune
