// How common two neighbouring bytes are in log text; decides which bytes of a literal the prefilter looks for. Affects
// speed only, so the table need not be right about any one log.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace autotune {

class PairFrequency {
 public:
  // Bytes are told apart by class: each printable ASCII character is one, so are control characters, and the bytes of
  // UTF-8 sequences.
  static constexpr int kClasses = 97;
  static constexpr int ClassOf(uint8_t byte) {
    if (byte >= 0x80) return 96;
    return byte < 0x20 || byte == 0x7f ? 95 : byte - 0x20;
  }

  PairFrequency();

  // Bits of information: -log2 of the share of positions at which `text` begins; more is rarer. Each byte is taken to
  // depend on the one before it alone.
  float Rarity(std::string_view text) const;
  // Share of positions that hold this byte.
  float Byte(uint8_t byte) const { return byte_[byte]; }

 private:
  std::array<float, kClasses> single_bits_;
  std::array<float, 256> byte_;
};

}  // namespace autotune
