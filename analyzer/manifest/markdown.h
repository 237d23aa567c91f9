// Markdown as the manifest reader wants it: a flat list of headings, table rows, list items, paragraphs' lines and code
// lines, each with its plain text and physical line. md4c does the parsing (CommonMark with GitHub's tables and task
// lists).
//
//   ## Hardware                 -> kHeading "Hardware"
//   - GPU: `NVIDIA H200`        -> kItem    "GPU: NVIDIA H200", code span over "NVIDIA H200", sections {"Hardware"}
//   | Torch | 2.7.1+cu126 |     -> kRow     "Torch", "2.7.1+cu126"
//
// md4c gives no line numbers, but nearly all texts it hands out are pointers into the input; a piece's line is that of
// its first such text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autotune {

// Bytes of a heading, or of a text before its value, that are looked at: longer ones name nothing.
inline constexpr size_t kLongestName = 300;

// Text without escapes, entities, emphasis marks, inline HTML and what is struck through.
struct MarkdownText {
  std::string text;
  std::vector<std::pair<size_t, size_t>> code;  // code spans as [begin, end) of `text`, in order
  uint64_t line = 0;                            // from 1; 0 when the text is empty

  bool IsCode(size_t at) const;
};

struct MarkdownPiece {
  enum class Kind { kHeading, kRow, kItem, kParagraph, kCodeLine };
  Kind kind = Kind::kParagraph;
  int level = 0;                       // kHeading: 1 to 6
  bool header = false;                 // kRow: the table's first row
  bool continues = false;              // kParagraph: a further line of the paragraph before it
  bool ordered = false, task = false;  // kItem: "1. ..." or "- [ ] ..."
  std::vector<MarkdownText> cells;     // kRow: its cells; else one text
  std::vector<std::string> sections;   // headings and parent items that it stands below, outermost first; the first
                                       // level-1 heading is the title and no section
};

// Whether one of the headings opens a checklist ("Recompilation Trigger Checklist", "Verify before a run").
bool InChecklist(const std::vector<std::string>& sections);

std::vector<MarkdownPiece> ReadMarkdown(std::string_view text);

}  // namespace autotune
