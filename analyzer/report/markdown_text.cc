#include "analyzer/report/markdown_text.h"

#include <algorithm>

#include "analyzer/base/text.h"
#include "analyzer/report/printable.h"

namespace autotune {
namespace {

constexpr std::string_view kActive = "\\`*_{}[]()<>#!|~&$";

bool IsAlphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

size_t LongestRun(std::string_view text, char c) {
  size_t longest = 0, run = 0;
  for (char have : text) {
    run = have == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// Where a list marker would stand at the start of `text` ("-", "12."), the position of its last character, else npos.
size_t ListMarker(std::string_view text) {
  if (text.empty()) return std::string_view::npos;
  if (text[0] == '-' || text[0] == '+' || text[0] == '=') return 0;
  const size_t digits = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsDigit) - text.begin());
  return digits > 0 && digits < text.size() && text[digits] == '.' ? digits : std::string_view::npos;
}

}  // namespace

std::string MarkdownText(std::string_view text) {
  const std::string safe = Printable(text);
  const size_t marker = ListMarker(safe);
  std::string out;
  out.reserve(safe.size() + 8);
  for (size_t i = 0; i < safe.size(); ++i) {
    if (i == marker || kActive.find(safe[i]) != std::string_view::npos) out += '\\';
    out += safe[i];
    if (safe[i] == '@' && i + 1 < safe.size() && IsAlphanumeric(safe[i + 1])) out += "&#8203;";
  }
  return out;
}

std::string MarkdownCode(std::string_view text, bool in_table) {
  std::string safe = Printable(text);
  if (safe.find_first_not_of(' ') == std::string::npos) return safe.empty() ? "" : "` `";
  const std::string ticks(LongestRun(safe, '`') + 1, '`');
  // One blank on both sides is taken off by the reader, and keeps a backtick of the text from joining ours.
  const bool pad = safe.front() == '`' || safe.back() == '`' || (safe.front() == ' ' && safe.back() == ' ');
  std::string out = ticks + (pad ? " " : "");
  for (char c : safe) {
    if (in_table && c == '|') out += '\\';
    out += c;
  }
  return out + (pad ? " " : "") + ticks;
}

std::string MarkdownFence(std::string_view text) {
  const std::string fence(std::max<size_t>(LongestRun(text, '`') + 1, 3), '`');
  std::string out = fence + "\n";
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += Printable(TrimRight(text.substr(0, end)));
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + fence + "\n";
}

}  // namespace autotune
