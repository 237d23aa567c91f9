// Whether a literal stands in a text: memchr for its rarest byte, then the rest. std::string_view::find looks for the
// first byte, which for most literals is a letter of every other word.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/base/log_text.h"

namespace autotune {

class LiteralFinder {
 public:
  // Not empty.
  explicit LiteralFinder(std::string literal) : literal_(std::move(literal)) {
    for (size_t i = 1; i < literal_.size(); ++i) {
      if (ByteRarity(literal_[i]) > ByteRarity(literal_[pivot_])) pivot_ = i;
    }
  }

  bool IsIn(std::string_view text) const {
    if (text.size() < literal_.size()) return false;
    const char* at = text.data() + pivot_;
    const char* const last = text.data() + (text.size() - literal_.size()) + pivot_;
    while (at <= last) {
      at = static_cast<const char*>(std::memchr(at, literal_[pivot_], static_cast<size_t>(last - at) + 1));
      if (at == nullptr) return false;
      if (std::memcmp(at - pivot_, literal_.data(), literal_.size()) == 0) return true;
      ++at;
    }
    return false;
  }

 private:
  std::string literal_;
  size_t pivot_ = 0;
};

}  // namespace autotune
