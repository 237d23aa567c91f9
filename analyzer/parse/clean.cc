#include "analyzer/parse/clean.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

constexpr char kEscape = '\x1b';

// Whether some byte is below 0x20. Almost no line has one, so this is what a line costs: eight bytes at a time, without
// a branch. The last eight reach back into those before.
bool HasControl(std::string_view s) {
  if (s.size() < 8) {
    return std::any_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  }
  constexpr uint64_t kOnes = ~uint64_t{0} / 255;
  // The highest bit of each byte that is below 0x20, and at times of the one above such a byte.
  const auto controls = [&s](size_t i) {
    uint64_t word;
    std::memcpy(&word, s.data() + i, 8);
    return (word - kOnes * 0x20) & ~word;
  };
  uint64_t any = controls(s.size() - 8);
  for (size_t i = 0; i + 8 <= s.size(); i += 8) any |= controls(i);
  return (any & (kOnes * 0x80)) != 0;
}

// The end of a string that BEL or ESC \ closes (OSC, APC, DCS); npos when the line does not close it.
size_t StringEnd(std::string_view s, size_t from) {
  for (size_t i = from; i < s.size(); ++i) {
    if (s[i] == '\a') return i + 1;
    if (s[i] == kEscape && i + 1 < s.size() && s[i + 1] == '\\') return i + 2;
  }
  return std::string_view::npos;
}

// Reads ESC [ ... at s[i], writes what it leaves on the screen, returns the place behind it.
size_t ControlSequence(std::string_view s, size_t i, std::string* out) {
  size_t end = i + 2;
  while (end < s.size() && s[end] >= 0x20 && s[end] < 0x40) ++end;
  if (end == s.size()) return end;  // cut in the middle
  const std::string_view parameters = s.substr(i + 2, end - i - 2);
  switch (s[end]) {
    case 'C': {  // cursor forward: a blank a column
      size_t columns = 0;
      for (char c : parameters)
        columns = c >= '0' && c <= '9' ? std::min<size_t>(columns * 10 + (c - '0'), 512) : columns;
      out->append(std::max<size_t>(columns, 1), ' ');
      break;
    }
    case 'K':  // erases the line: whole, or before the cursor; plain K what follows, and there is nothing yet
      if (parameters == "2" || parameters == "1") out->push_back('\r');
      break;
    case 'A':
    case 'B':
    case 'D':
    case 'E':
    case 'F':
    case 'G':
    case 'H':
    case 'J':
    case 'd':
    case 'f':
      out->push_back('\r');
      break;
    default:  // colours and modes
      break;
  }
  return end + 1;
}

size_t Escape(std::string_view s, size_t i, std::string* out) {
  if (i + 1 == s.size()) return i + 1;
  switch (s[i + 1]) {
    case '[':
      return ControlSequence(s, i, out);
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_': {
      const size_t end = StringEnd(s, i + 2);
      return end == std::string_view::npos ? i + 2 : end;
    }
    case '(':
    case ')':
    case '#':
    case '%':
      return std::min(i + 3, s.size());
    default:
      return i + 2;
  }
}

void Backspace(std::string* out) {
  while (!out->empty() && (static_cast<unsigned char>(out->back()) & 0xc0) == 0x80) out->pop_back();
  if (!out->empty() && out->back() != '\r') out->pop_back();
}

}  // namespace

std::string_view CleanLine(std::string_view raw, std::string* buffer) {
  if (raw.substr(0, 3) == "\xef\xbb\xbf") raw.remove_prefix(3);
  while (!raw.empty() && raw.back() == '\r') raw.remove_suffix(1);
  if (!HasControl(raw)) return raw;
  buffer->clear();
  for (size_t i = 0; i < raw.size();) {
    const char c = raw[i];
    if (c == kEscape) {
      i = Escape(raw, i, buffer);
      continue;
    }
    if (c == '\b') {
      Backspace(buffer);
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\r') {
      buffer->push_back(c);
    }
    ++i;
  }
  while (!buffer->empty() && buffer->back() == '\r') buffer->pop_back();
  return *buffer;
}

std::string_view LastSegment(std::string_view text) {
  std::string_view rest = text;
  for (size_t cr = rest.rfind('\r'); cr != std::string_view::npos; cr = rest.rfind('\r')) {
    const std::string_view segment = rest.substr(cr + 1);
    if (!Trim(segment).empty()) return segment;
    rest = rest.substr(0, cr);
  }
  return rest;
}

size_t Columns(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace autotune
