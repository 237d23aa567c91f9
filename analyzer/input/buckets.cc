#include "analyzer/input/buckets.h"

#include <limits>

namespace autotune {

Buckets::Buckets(const PairFrequency& frequency, bool ascii) : ascii_(ascii) {
  for (size_t c = 0; c < 128; ++c) {
    ascii_share_[c] = frequency.Byte(static_cast<uint8_t>(c)) + frequency.Byte(static_cast<uint8_t>(c + 128));
  }
  if (ascii_) return;
  for (size_t high = 0; high < 16; ++high) {
    for (size_t half = 0; half < 2; ++half) {
      auto& share = nibble_share_[high][half];
      for (size_t set = 1; set < 256; ++set) {
        const auto lowest = static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(set)));
        share[set] = share[set & (set - 1)] + frequency.Byte(static_cast<uint8_t>(high * 16 + half * 8 + lowest));
      }
    }
  }
}

// Of the bucket's byte i when `byte` is let in, too.
float Buckets::ShareWith(const Bucket& bucket, size_t i, uint8_t byte) const {
  if (ascii_) return bucket.share[i] + (bucket.ascii[i][byte & 127] ? 0 : ascii_share_[byte & 127]);
  const unsigned low = bucket.low[i] | 1u << (byte & 15), high = bucket.high[i] | 1u << (byte >> 4);
  if (low == bucket.low[i] && high == bucket.high[i]) return bucket.share[i];
  float sum = 0;
  for (unsigned left = high; left != 0; left &= left - 1) {
    const auto& share = nibble_share_[__builtin_ctz(left)];
    sum += share[0][low & 255] + share[1][low >> 8];
  }
  return sum;
}

void Buckets::Add(std::string_view bytes, Bucket* bucket) const {
  bucket->all = 1;
  for (size_t i = 0; i < Teddy::kWindow; ++i) {
    if (i < bytes.size()) {
      const auto byte = static_cast<uint8_t>(bytes[i]);
      bucket->share[i] = ShareWith(*bucket, i, byte);
      bucket->low[i] |= static_cast<uint16_t>(1u << (byte & 15));
      bucket->high[i] |= static_cast<uint16_t>(1u << (byte >> 4));
      bucket->ascii[i].set(byte & 127);
    } else {  // a literal that is too short says nothing about what follows it
      bucket->share[i] = 1;
      bucket->low[i] = bucket->high[i] = 0xffff;
      bucket->ascii[i].set();
    }
    bucket->all *= bucket->share[i];
  }
}

uint32_t Buckets::Place(std::string_view literal, std::span<const Window> windows) {
  Bucket* best = nullptr;
  std::string_view best_bytes;
  uint32_t best_at = 0;
  float least = std::numeric_limits<float>::max();
  for (const Window& window : windows) {
    const std::string_view bytes = literal.substr(window.at, Teddy::kWindow);
    for (Bucket& bucket : buckets_) {
      float all = 1;
      for (size_t i = 0; i < bytes.size(); ++i) all *= ShareWith(bucket, i, static_cast<uint8_t>(bytes[i]));
      const float cost = all - bucket.all + window.share;
      if (cost < least) least = cost, best = &bucket, best_bytes = bytes, best_at = window.at;
    }
  }
  if (best != nullptr) Add(best_bytes, best);
  return best_at;
}

void Buckets::Fill(Teddy* teddy) const {
  for (size_t b = 0; b < buckets_.size(); ++b) {
    const Bucket& bucket = buckets_[b];
    const auto bit = static_cast<uint8_t>(1u << b);
    for (size_t i = 0; i < Teddy::kWindow; ++i) {
      for (size_t nibble = 0; nibble < 16; ++nibble) {
        if (bucket.low[i] >> nibble & 1) teddy->low[i][nibble] |= bit;
        if (bucket.high[i] >> nibble & 1) teddy->high[i][nibble] |= bit;
      }
      for (size_t c = 0; c < 128; ++c) {
        if (bucket.ascii[i][c]) teddy->ascii[i][c] |= bit;
      }
    }
  }
}

}  // namespace autotune
