#include "analyzer/base/diag.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

// Columns of an excerpt that are shown; rule files and manifests have longer lines than a terminal.
constexpr size_t kExcerptWidth = 96;
constexpr std::string_view kIndent = "    ";
constexpr std::string_view kCut = "...";

const char* LevelName(Diag::Level level) {
  switch (level) {
    case Diag::Level::kNote:
      return "note";
    case Diag::Level::kWarning:
      return "warning";
    case Diag::Level::kError:
      break;
  }
  return "error";
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Code points, which is what a caret has to be moved by; wide characters are rare enough in rules to be a column off.
size_t Width(std::string_view s) {
  return static_cast<size_t>(s.size() - std::count_if(s.begin(), s.end(), IsContinuation));
}

// The excerpt comes from a file: it may move no cursor, and tabs would put the caret elsewhere.
std::string Printable(std::string_view s) {
  std::string out(s);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return out;
}

void AppendExcerpt(const Diag& diag, std::string* out) {
  std::string line = Printable(TrimRight(diag.excerpt));
  const size_t lead = line.find_first_not_of(' ');
  if (lead == std::string::npos) return;
  size_t caret = diag.column > 0 ? std::min(static_cast<size_t>(diag.column - 1), line.size()) : std::string::npos;
  size_t begin = caret == std::string::npos ? lead : std::min(lead, caret);
  std::string_view head;
  if (caret != std::string::npos && caret - begin > kExcerptWidth * 2 / 3) {
    begin = caret - kExcerptWidth / 3;
    while (begin < line.size() && IsContinuation(line[begin])) ++begin;
    head = kCut;
  }
  size_t end = std::min(line.size(), begin + kExcerptWidth);
  while (end < line.size() && IsContinuation(line[end])) ++end;
  const std::string_view shown = std::string_view(line).substr(begin, end - begin);
  fmt::format_to(std::back_inserter(*out), "{}{}{}{}\n", kIndent, head, shown, end < line.size() ? kCut : "");
  if (caret == std::string::npos) return;
  const size_t move = head.size() + Width(std::string_view(line).substr(begin, caret - begin));
  fmt::format_to(std::back_inserter(*out), "{}{:{}}^\n", kIndent, "", move);
}

// Optimal string alignment: edits, and swaps of neighbours that are not edited again.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string Render(const Diag& diag) {
  std::string out = diag.file;
  if (diag.line > 0) out += fmt::format(":{}", diag.line);
  if (diag.line > 0 && diag.column > 0) out += fmt::format(":{}", diag.column);
  if (!out.empty()) out += ": ";
  out += LevelName(diag.level);
  if (!diag.code.empty()) out += " " + diag.code;
  out += ": " + diag.message + "\n";
  AppendExcerpt(diag, &out);
  if (!diag.fix.empty()) out += "fix: " + diag.fix + "\n";
  return out;
}

std::string Nearest(const std::string& word, const std::vector<std::string>& known) {
  // Two typing errors in a word of four letters make another word.
  const size_t limit = word.size() < 5 ? 1 : 2;
  size_t best = limit + 1;
  const std::string* nearest = nullptr;
  for (const std::string& candidate : known) {
    const size_t gap = candidate.size() > word.size() ? candidate.size() - word.size() : word.size() - candidate.size();
    if (gap > limit) continue;
    const size_t distance = Distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest ? *nearest : "";
}

}  // namespace autotune
