#include "analyzer/input/open_line.h"

#include <utility>

namespace autotune {

void OpenLine::Append(std::string_view piece) {
  if (piece.empty()) return;
  any_ = true;
  if (!long_ && text_.size() + piece.size() <= max_) {
    text_.append(piece);
    return;
  }
  if (!long_) {
    long_ = true;
    AppendToLong(std::exchange(text_, {}));
  }
  AppendToLong(piece);
}

void OpenLine::AppendToLong(std::string_view piece) {
  if (piece.empty()) return;
  const size_t last_shown = piece.find_last_not_of('\r');
  if (last_shown != std::string_view::npos) {
    const size_t back = piece.rfind('\r', last_shown);
    if (back != std::string_view::npos) {
      text_.clear();
      piece.remove_prefix(back + 1);
    } else if (returned_) {
      text_.clear();
    }
  }
  text_.append(piece.substr(0, max_ - text_.size()));
  returned_ = piece.back() == '\r';
}

void OpenLine::Clear() {
  // One long line must not keep its memory for the rest of the log.
  constexpr size_t kKeep = 64 << 10;
  if (text_.capacity() > kKeep) {
    text_ = std::string();
  } else {
    text_.clear();
  }
  any_ = long_ = returned_ = false;
}

}  // namespace autotune
