#include "analyzer/report/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace autotune {
namespace {

constexpr uint32_t kInvalid = 0xFFFFFFFF;

// The code point at the front of `text` and its length; kInvalid and 1 for a byte that starts no valid sequence
// (overlong forms, surrogates and values above U+10FFFF are not valid).
uint32_t Decode(std::string_view text, size_t* length) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  *length = 1;
  if (first < 0x80) return first;
  const size_t n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (n == 0 || first > 0xF4 || text.size() < n) return kInvalid;
  uint32_t code = first & (0xFF >> (n + 1));
  for (size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return kInvalid;
    code = code << 6 | (byte(i) & 0x3F);
  }
  static constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[n] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return kInvalid;
  *length = n;
  return code;
}

struct Range {
  uint32_t first, last;
};

template <size_t n>
bool In(const Range (&ranges)[n], uint32_t code) {
  return std::any_of(ranges, ranges + n, [code](const Range& r) { return r.first <= code && code <= r.last; });
}

// C0 and C1 controls, DEL; zero-width and bidirectional format characters; line and paragraph separators; the byte
// order mark; tag characters. (Unicode 15, general categories Cc and Cf as far as terminals act on them or hide them.)
constexpr Range kHidden[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},      {0x61C, 0x61C},
                             {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F},
                             {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

// East Asian wide and full-width blocks and emoji (Unicode 15, EastAsianWidth.txt W and F, in coarse ranges).
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},  {0x3400, 0x4DBF},
                           {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                           {0xFE30, 0xFE4F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                           {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

constexpr Range kCombining[] = {{0x300, 0x36F},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                                {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};

int ColumnsOf(uint32_t code) {
  if (code < 0x300) return 1;
  return In(kCombining, code) ? 0 : In(kWide, code) ? 2 : 1;
}

bool IsPlainAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

std::string Printable(std::string_view text) {
  if (IsPlainAscii(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t length = 1;
    const uint32_t code = Decode(text, &length);
    if (code == kInvalid) {
      out += "\xEF\xBF\xBD";  // U+FFFD
    } else if (code == '\n' || code == '\t' || code == '\r') {
      if (out.empty() || out.back() != ' ') out.push_back(' ');
    } else if (In(kHidden, code)) {
      out += code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{{{:x}}}", code);
    } else {
      out.append(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string PrintableLines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += Printable(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

int TerminalColumns(std::string_view printable) {
  if (IsPlainAscii(printable)) return static_cast<int>(printable.size());
  int columns = 0;
  while (!printable.empty()) {
    size_t length = 1;
    columns += ColumnsOf(Decode(printable, &length));
    printable.remove_prefix(length);
  }
  return columns;
}

std::string Shorten(std::string_view printable, int columns) {
  if (TerminalColumns(printable) <= columns) return std::string(printable);
  constexpr std::string_view kCut = "...";
  const int room = std::max(columns - static_cast<int>(kCut.size()), 0);
  const int head = (room + 1) / 2, tail = room / 2;
  // Where each character ends, in bytes and in columns.
  std::vector<size_t> ends;
  std::vector<int> widths;
  size_t at = 0;
  int width = 0;
  while (at < printable.size()) {
    size_t length = 1;
    width += ColumnsOf(Decode(printable.substr(at), &length));
    at += length;
    ends.push_back(at);
    widths.push_back(width);
  }
  size_t head_bytes = 0, tail_begin = printable.size();
  for (size_t i = 0; i < ends.size(); ++i) {
    if (widths[i] <= head) head_bytes = ends[i];
    if (width - widths[i] <= tail) {
      tail_begin = ends[i];
      break;
    }
  }
  std::string out(printable.substr(0, head_bytes));
  out += kCut;
  out += printable.substr(std::max(tail_begin, head_bytes));
  return out;
}

}  // namespace autotune
