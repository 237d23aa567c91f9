// The one bridge between std::string_view, which all of our code speaks, and the string views of the libraries around
// us.
//
// Debian 12 builds Abseil with its own absl::string_view and ships an RE2 whose StringPiece is a third type; in Debian
// 13 all three are one type. Code that calls StrCat, StrSplit, a status constructor or RE2 goes through here and
// compiles against both.
#pragma once

#include <absl/strings/string_view.h>
#include <re2/stringpiece.h>

#include <string>
#include <string_view>

namespace autotune {

inline absl::string_view ToAbsl(std::string_view s) { return absl::string_view(s.data(), s.size()); }
inline std::string_view FromAbsl(absl::string_view s) { return std::string_view(s.data(), s.size()); }
inline re2::StringPiece ToRe2(std::string_view s) { return re2::StringPiece(s.data(), s.size()); }
inline std::string_view FromRe2(re2::StringPiece s) { return std::string_view(s.data(), s.size()); }

// ASCII white space as torch's own `str.strip()` callers meet it in logs: blank, tab, CR, VT, FF.
inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

inline std::string_view TrimRight(std::string_view s) {
  while (!s.empty() && IsBlank(s.back())) s.remove_suffix(1);
  return s;
}
inline std::string_view TrimLeft(std::string_view s) {
  while (!s.empty() && IsBlank(s.front())) s.remove_prefix(1);
  return s;
}
inline std::string_view Trim(std::string_view s) { return TrimLeft(TrimRight(s)); }

}  // namespace autotune
