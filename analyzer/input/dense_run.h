// When to stop asking the prefilter: in a stretch where nearly every line holds a literal (AUTOTUNE output, a debug
// log) asking costs as much as a third of reading the lines. A line too many does no harm (parse/log_parser.h), so
// behind many lines of which nearly all held one, as many are taken unasked, then a few are asked about again.
#pragma once

#include <algorithm>
#include <cstdint>

namespace autotune {

class DenseRun {
 public:
  // The next line is taken without asking.
  bool TakeUnasked() {
    if (unasked_ == 0) return false;
    --unasked_;
    return true;
  }

  // The prefilter was asked, and left out so many lines before the one that it stopped in.
  void Asked(uint64_t left_out) {
    left_out_ += left_out;
    if (left_out_ > window_ / 4) {
      *this = DenseRun();
    } else if (++stops_ == window_) {
      unasked_ = grant_;
      grant_ = std::min(2 * grant_, kMostUnasked);
      window_ = kAgain;
      stops_ = left_out_ = 0;
    }
  }

 private:
  // A table has tens of lines: one in a log of steps must not make the steps behind it be read. A line without literal
  // costs about twice what asking does.
  static constexpr uint64_t kFirst = 64, kAgain = 16, kMostUnasked = 512;

  uint64_t window_ = kFirst, grant_ = kFirst;
  uint64_t stops_ = 0, left_out_ = 0;  // in this window
  uint64_t unasked_ = 0;
};

}  // namespace autotune
