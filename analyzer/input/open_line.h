// The line that is still without its '\n' at the end of what was read, in bounded memory.
//
// Up to `max` bytes are kept as they are. Of a longer line is kept what a terminal would show: what follows the last
// '\r' that something follows (a bar that redraws itself, with perhaps a header glued behind the last drawing), and of
// that the first `max` bytes. The same for the same line however it is cut into pieces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace autotune {

class OpenLine {
 public:
  explicit OpenLine(size_t max) : max_(max) {}

  void Append(std::string_view piece);
  void Clear();

  bool empty() const { return !any_; }  // nothing was appended (what was kept may be empty all the same)
  bool is_long() const { return long_; }
  std::string_view text() const { return text_; }

 private:
  void AppendToLong(std::string_view piece);

  const size_t max_;
  std::string text_;
  bool any_ = false, long_ = false;
  bool returned_ = false;  // of a long line the last byte so far was '\r'
};

}  // namespace autotune
