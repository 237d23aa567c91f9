// Sorts fingerprints into the eight buckets that a vector kernel can tell apart, so that as few positions of ordinary
// log text as possible are kept for a closer look. Affects speed only: prefilter.h is right for any sorting.
//
// A bucket keeps a position when each of its bytes is let in there, and lets in whatever its fingerprints together do;
// so fingerprints that look alike belong together, and of a literal's windows the one that fits best is taken.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/input/pair_frequency.h"
#include "analyzer/input/teddy.h"

namespace autotune {

class Buckets {
 public:
  // A window of a literal that could be its fingerprint.
  struct Window {
    float share;  // of positions in log text where it begins
    uint32_t at;
  };

  // `ascii`: the kernel looks seven bits of a byte up at once, instead of its two nibbles.
  Buckets(const PairFrequency& frequency, bool ascii);

  // Takes the window and the bucket that let the least through in addition; where the window begins. The most common
  // literals should come first: they give the buckets their shape.
  uint32_t Place(std::string_view literal, std::span<const Window> windows);

  void Fill(Teddy* teddy) const;

 private:
  struct Bucket {
    // For each byte of a window: what is let in (by nibble, by seven bits), and the share of positions that this is.
    std::array<uint16_t, Teddy::kWindow> low = {}, high = {};
    std::array<std::bitset<128>, Teddy::kWindow> ascii = {};
    std::array<float, Teddy::kWindow> share = {};
    float all = 0;  // the product of `share`
  };
  float ShareWith(const Bucket& bucket, size_t i, uint8_t byte) const;
  void Add(std::string_view bytes, Bucket* bucket) const;

  const bool ascii_;
  std::array<float, 128> ascii_share_;  // of positions, by the low seven bits
  // Of positions with this high nibble and a low one in the set, of the lower or upper eight.
  float nibble_share_[16][2][256] = {};
  std::array<Bucket, Teddy::kBuckets> buckets_ = {};
};

}  // namespace autotune
