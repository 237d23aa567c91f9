#include "analyzer/report/page.h"

#include <algorithm>

#include "analyzer/base/text.h"
#include "analyzer/report/printable.h"

namespace autotune {
namespace {

// The sixteen colours that every terminal maps to its own light or dark scheme; never a colour for plain text.
std::string_view Code(Paint paint) {
  switch (paint) {
    case Paint::kPlain:
      return "";
    case Paint::kBold:
      return "\x1b[1m";
    case Paint::kDim:
      return "\x1b[2m";
    case Paint::kBad:
      return "\x1b[1;31m";
    case Paint::kGood:
      return "\x1b[1;32m";
    case Paint::kWarn:
      return "\x1b[1;33m";
    case Paint::kGreen:
      return "\x1b[32m";
    case Paint::kYellow:
      return "\x1b[33m";
    case Paint::kCommand:
      return "\x1b[1;36m";
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
    const int used = TerminalColumns(line);
    if (used > 0 && used + 1 + TerminalColumns(word) > width) {
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
  if (printable.empty()) return;
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
    if (!text.empty()) Pad(std::max(hang - indent - TerminalColumns(safe_head), 1));
  } else {
    Pad(hang - indent);
  }
  bool first = true;
  for (const std::string& line : Wrap(Printable(text), std::max(width_ - hang, 20))) {
    if (!first) Pad(hang);
    PutProse(line, paint);
    out_ += '\n';
    first = false;
  }
}

// In colour, what stands between backticks is painted instead.
void Page::PutProse(std::string_view line, Paint paint) {
  while (color_ && paint == Paint::kPlain) {
    const size_t open = line.find('`');
    const size_t close = open == std::string_view::npos ? open : line.find('`', open + 1);
    if (close == std::string_view::npos) break;
    Put(line.substr(0, open), paint);
    Put(line.substr(open + 1, close - open - 1), Paint::kCommand);
    line.remove_prefix(close + 1);
  }
  Put(line, paint);
}

// A line that a terminal cannot hold: a comment behind a command moves above it, prose is wrapped, a command stays
// whole (the terminal breaks it, and copying it still gives one line).
std::vector<std::string> Page::VerbatimLines(const std::string& line, int width) const {
  if (TerminalColumns(line) <= width) return {line};
  const size_t comment = line.find("  # ");
  if (comment != std::string::npos) {
    std::vector<std::string> lines = Wrap(std::string_view(line).substr(comment + 4), width - 2);
    for (std::string& part : lines) part.insert(0, "# ");
    lines.push_back(line.substr(0, comment));
    return lines;
  }
  const bool prose = line[0] >= 'A' && line[0] <= 'Z' && line.find('=') > line.find(' ');
  return prose ? Wrap(line, width) : std::vector<std::string>{line};
}

void Page::Verbatim(int indent, std::string_view head, Paint head_paint, int hang, std::string_view text, Paint paint) {
  Pad(indent);
  Put(Printable(head), head_paint);
  Pad(std::max(hang - indent - TerminalColumns(head), 1));
  bool first = true;
  while (first || !text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string line = Printable(TrimRight(text.substr(0, end)));
    for (const std::string& part : VerbatimLines(line, std::max(width_ - hang, 20))) {
      if (!first) Pad(hang);
      Put(part, paint);
      out_ += '\n';
      first = false;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void Page::Section(std::string_view title, std::string_view beside) {
  out_ += '\n';
  Entry(0, title, Paint::kTitle, TerminalColumns(title) + 2, beside, Paint::kDim);
}

void Page::Row(int indent, const std::vector<Cell>& cells) {
  Pad(indent);
  int used = indent;
  int owed = 0;  // blanks that the next text needs before it; a line never ends in blanks
  for (const Cell& cell : cells) {
    const int width = cell.width > 0 ? cell.width : std::max(width_ - used, 8);
    const std::string text = Shorten(Printable(cell.text), width);
    const int padding = width - TerminalColumns(text);
    if (!text.empty()) {
      Pad(owed + (cell.right ? padding : 0));
      Put(text, cell.paint);
      owed = cell.right ? 0 : padding;
    } else {
      owed += width;
    }
    owed += 2;
    used += width + 2;
  }
  out_ += '\n';
}

}  // namespace autotune
