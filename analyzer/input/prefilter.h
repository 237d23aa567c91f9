// Throws away almost every line of a training log without looking at it twice.
//
// Built from literals (byte strings), one of which stands in every line that can matter while nobody waits for the next
// line (parse/log_parser.h, Literals()). Training logs are gigabytes of
//
//   2026-11-30 20:43:01,383 INFO trainer.py:412 step=68383 loss=2.96678 lr=1.756e-04 grad_norm=0.0307 tok/s=9535
//
// in which none of them occurs.
//
// Why it is right: *a line it skips could not have mattered.*
//
//  1. Each literal of at least four bytes is known by one window of four bytes out of it, its fingerprint; a shorter
//  one
//     by all of its bytes. A line that holds the literal holds the fingerprint.
//  2. Find() tests every position of the text, without exception, against eight buckets of fingerprints: for each of
//  the
//     four bytes, a table over its low nibble and one over its high nibble give the set of buckets that this nibble
//     does not rule out (a byte of a bucket's fingerprint sets its bit in both). The four bytes' sets are intersected.
//     A fingerprint of bucket b leaves bit b standing, so an empty intersection proves that no fingerprint begins here.
//     The test may be wrong in the other direction only: it keeps positions where none begins.
//  3. A position that is kept is looked up by the hash of its four bytes (equal bytes have equal hashes), and then each
//     literal with that fingerprint is compared whole. Only now is a position accepted, so Find() stops in the first
//     line that a naive search stops in.
//  4. Literals hold no '\n' (one that does cannot stand in a line and is left out), so a literal found between two line
//     breaks lies in one line, and a caller who goes on behind that line's end misses none.
//
// Which lines are kept is therefore a property of text and literals alone; instruction sets, buckets, fingerprints and
// the frequency table behind their choice change the time only. tests/unit/input/prefilter_test.cc compares each
// instruction set with a naive search.
//
// Why it is fast: the vector kernels look at 16 to 64 positions at a time with a handful of byte shuffles (the method
// is Hyperscan's Teddy), and the fingerprint is each literal's *rarest* four bytes in log text (pair_frequency.h), so
// that almost nothing is kept for step 3. First bytes would do far worse: "torch" begins half of all paths.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

struct Teddy;

class Prefilter {
 public:
  enum class Isa { kPortable, kSsse3, kAvx2, kAvx512, kNeon };

  // An empty literal stands everywhere: passes_all() is true then. No literals: Find() finds nothing.
  explicit Prefilter(const std::vector<std::string>& literals);
  // With this instruction set from the first byte on.
  Prefilter(const std::vector<std::string>& literals, Isa isa);
  ~Prefilter();
  Prefilter(const Prefilter&) = delete;
  Prefilter& operator=(const Prefilter&) = delete;

  // What this processor can run; the last is the fastest and the default.
  static std::vector<Isa> Supported();

  bool passes_all() const { return passes_all_; }

  // A byte inside the first line of [begin, end) in which a literal stands whole; nullptr: none. Which byte of the line
  // is not promised. Reads nothing outside [begin, end).
  const char* Find(const char* begin, const char* end) const {
    const Teddy& teddy = *teddy_.load(std::memory_order_acquire);
    return Run(teddy, begin, end);
  }
  bool Contains(std::string_view text) const {
    return passes_all_ || Find(text.data(), text.data() + text.size()) != nullptr;
  }

  // So many bytes are about to be searched. Buckets that sort hundreds of literals well cost more than a search of a
  // short log, so they are made when enough was announced; until then each position is looked up by its hash alone.
  // Any thread may call it while others search.
  void Announce(uint64_t bytes) const;

 private:
  static const char* Run(const Teddy& teddy, const char* begin, const char* end);
  void Sharpen() const;

  const std::vector<std::string> literals_;
  const Isa isa_;
  const bool passes_all_;
  mutable std::atomic<uint64_t> announced_{0};
  mutable std::once_flag sharpened_;
  mutable std::unique_ptr<const Teddy> plain_, sharp_;
  mutable std::atomic<const Teddy*> teddy_;
};

}  // namespace autotune
