#include "analyzer/report/page.h"

#include <algorithm>

#include "analyzer/base/text.h"
#include "analyzer/report/printable.h"

namespace autotune {
namespace {

std::string_view Code(Paint paint) {
  switch (paint) {
    case Paint::kPlain:
      return "";
    case Paint::kBold:
      return "\x1b[1m";
    case Paint::kDim:
      return "\x1b[2m";
    case Paint::kRed:
      return "\x1b[1;31m";
    case Paint::kGreen:
      return "\x1b[1;32m";
    case Paint::kYellow:
      return "\x1b[1;33m";
    case Paint::kCyan:
      return "\x1b[36m";
    case Paint::kTitle:
      return "\x1b[1;34m";
  }
  return "";
}

// Words as wrapping sees them: what stands between two backticks is one word.
std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  size_t begin = 0;
  bool code = false;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '`') code = !code && text.find('`', i + 1) != std::string_view::npos;
    if (i < text.size() && (text[i] != ' ' || code)) continue;
    if (i > begin) words.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return words;
}

std::vector<std::string> Wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::string_view word : Words(text)) {
    const int used = Columns(line);
    if (used > 0 && used + 1 + Columns(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

void Page::Put(std::string_view printable, Paint paint) {
  const std::string_view code = color_ ? Code(paint) : "";
  out_ += code;
  out_ += printable;
  if (!code.empty()) out_ += "\x1b[0m";
}

void Page::Pad(int columns) { out_.append(static_cast<size_t>(std::max(columns, 0)), ' '); }

void Page::Entry(int indent, std::string_view head, Paint head_paint, int hang, std::string_view text, Paint paint) {
  const std::string safe_head = Printable(head);
  Pad(indent);
  if (!safe_head.empty()) {
    Put(safe_head, head_paint);
    Pad(std::max(hang - indent - Columns(safe_head), 1));
  } else {
    Pad(hang - indent);
  }
  bool first = true;
  for (const std::string& line : Wrap(Printable(text), std::max(width_ - hang, 20))) {
    if (!first) Pad(hang);
    Put(line, paint);
    out_ += '\n';
    first = false;
  }
}

void Page::Verbatim(int indent, std::string_view head, Paint head_paint, int hang, std::string_view text, Paint paint) {
  Pad(indent);
  Put(Printable(head), head_paint);
  Pad(std::max(hang - indent - Columns(head), 1));
  bool first = true;
  while (first || !text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (!first) Pad(hang);
    Put(Printable(TrimRight(text.substr(0, end))), paint);
    out_ += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    first = false;
  }
}

void Page::Section(std::string_view title, std::string_view beside) {
  out_ += '\n';
  Put(title, Paint::kTitle);
  if (!beside.empty()) {
    out_ += "  ";
    Put(Printable(beside), Paint::kDim);
  }
  out_ += '\n';
}

void Page::Row(int indent, const std::vector<Cell>& cells) {
  Pad(indent);
  int used = indent;
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    const bool last = i + 1 == cells.size();
    const int width = cell.width > 0 ? cell.width : std::max(width_ - used, 8);
    const std::string text = Shorten(Printable(cell.text), width);
    const int padding = width - Columns(text);
    if (cell.right) Pad(padding);
    Put(text, cell.paint);
    if (!cell.right && !last) Pad(padding);
    if (!last) Pad(2);
    used += width + 2;
  }
  out_ += '\n';
}

}  // namespace autotune
