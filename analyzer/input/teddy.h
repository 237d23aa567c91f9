// The tables behind Prefilter and the kernels that run over them, one an instruction set. prefilter.h says why they are
// right; this header is private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace autotune {

struct Teddy {
  static constexpr size_t kWindow = 4;  // bytes of a fingerprint
  static constexpr int kBuckets = 8;    // bits of a table entry
  static constexpr int kHashBits = 13;  // 1 KiB of bitmap: stays in the first-level cache
  static constexpr uint32_t kNone = ~0u;

  using FindFunction = const char* (*)(const Teddy& teddy, const char* begin, const char* end);
  FindFunction find = nullptr;

  // Buckets not ruled out by a low (high) nibble at byte i of the window.
  alignas(16) uint8_t low[kWindow][16] = {};
  alignas(16) uint8_t high[kWindow][16] = {};
  // The same by the low seven bits of byte i, where one instruction can look them up.
  alignas(64) uint8_t ascii[kWindow][128] = {};
  // A bit for each hash of a fingerprint; all of them when there are literals too short for one.
  uint64_t bitmap[(size_t{1} << kHashBits) / 64] = {};

  // Literals with their fingerprint, those of one hash side by side behind `heads[hash % kHeads]`.
  struct Entry {
    uint32_t window;  // the fingerprint as it loads
    uint32_t before;  // bytes of the literal before the fingerprint
    uint32_t next;    // next entry of the chain, kNone: the last
    std::string literal;

    // Its fingerprint being looked for at `p`, the literal stands whole in [begin, end).
    bool StandsAt(const char* begin, const char* end, const char* p) const {
      return Load(p) == window && static_cast<size_t>(p - begin) >= before &&
             static_cast<size_t>(end - p) >= literal.size() - before &&
             std::memcmp(p - before, literal.data(), literal.size()) == 0;
    }
  };
  static constexpr uint32_t kHeads = 1024;
  std::vector<Entry> entries;
  uint32_t heads[kHeads];
  std::vector<std::string> brief;  // literals shorter than a window

  static uint32_t Load(const char* p) {
    uint32_t window;
    std::memcpy(&window, p, sizeof window);
    return window;
  }
  static uint32_t Hash(uint32_t window) { return (window * 0x9E3779B1u) >> (32 - kHashBits); }
  bool MayBegin(const char* p) const {  // four bytes are readable at p
    const uint32_t hash = Hash(Load(p));
    return (bitmap[hash / 64] >> (hash % 64)) & 1;
  }
  // The first entry that a fingerprint may have.
  uint32_t First(uint32_t window) const { return heads[Hash(window) % kHeads]; }
  // A literal whose fingerprint is at `p` stands whole in [begin, end).
  bool Confirm(const char* begin, const char* end, const char* p) const;
};

const char* FindPortable(const Teddy& teddy, const char* begin, const char* end);
const char* FindSsse3(const Teddy& teddy, const char* begin, const char* end);
const char* FindAvx2(const Teddy& teddy, const char* begin, const char* end);
const char* FindAvx512(const Teddy& teddy, const char* begin, const char* end);
const char* FindNeon(const Teddy& teddy, const char* begin, const char* end);
// From `p` on, with `begin` as the limit that a literal may reach back to: what a vector kernel leaves at the end.
const char* FindFrom(const Teddy& teddy, const char* begin, const char* end, const char* p);

}  // namespace autotune
