// A page of terminal text: wraps at a width, indents, paints. Everything that goes through it is made printable first,
// so no report can forget to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace autotune {

enum class Paint { kPlain, kBold, kDim, kBad, kGood, kWarn, kGreen, kYellow, kCommand, kTitle };

class Page {
 public:
  Page(int width, bool color) : width_(width), color_(color) {}

  // `head` at `indent`, then `text` wrapped, its first line beside the head and the others below its own start, which
  // is column `hang`. Text between backticks is never broken and stays in one piece where a line can hold it.
  void Entry(int indent, std::string_view head, Paint head_paint, int hang, std::string_view text,
             Paint paint = Paint::kPlain);
  void Text(int indent, std::string_view text, Paint paint = Paint::kPlain) {
    Entry(indent, "", Paint::kPlain, indent, text, paint);
  }
  // A command or an edit, ready to paste: its own line breaks stay, and none is added.
  void Verbatim(int indent, std::string_view head, Paint head_paint, int hang, std::string_view text, Paint paint);
  // A blank line and a title.
  void Section(std::string_view title, std::string_view beside = "");
  void Blank() { out_ += '\n'; }

  // One line of cells side by side, each shortened to its width; the last takes what is left of the line.
  struct Cell {
    std::string text;
    int width = 0;       // 0: the rest of the line
    bool right = false;  // aligned right
    Paint paint = Paint::kPlain;
  };
  void Row(int indent, const std::vector<Cell>& cells);

  int width() const { return width_; }
  std::string Take() { return std::move(out_); }

 private:
  void Put(std::string_view printable, Paint paint);
  void PutProse(std::string_view line, Paint paint);
  void Pad(int columns);
  std::vector<std::string> VerbatimLines(const std::string& line, int width) const;

  int width_;
  bool color_;
  std::string out_;
};

}  // namespace autotune
