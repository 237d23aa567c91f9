#include "analyzer/manifest/markdown.h"

#include <md4c.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "analyzer/base/text.h"
#include "analyzer/rule/setting_rule.h"

namespace autotune {
namespace {

void AppendUtf8(uint32_t c, std::string* out) {
  if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += static_cast<char>(0xC0 | (c >> 6));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out += static_cast<char>(0xE0 | (c >> 12));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out += static_cast<char>(0xF0 | (c >> 18));
    *out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// "&amp;" -> "&". Those of HTML's names that a manifest may hold; another name stays as it is written.
void AppendEntity(std::string_view entity, std::string* out) {
  static constexpr std::pair<std::string_view, uint32_t> kNames[] = {
      {"amp", '&'},      {"lt", '<'},       {"gt", '>'},        {"quot", '"'},   {"apos", '\''},  {"nbsp", ' '},
      {"ndash", 0x2013}, {"mdash", 0x2014}, {"hellip", 0x2026}, {"times", 0xD7}, {"lowbar", '_'}, {"UnderBar", '_'},
      {"vert", '|'},     {"verbar", '|'},   {"plus", '+'},      {"equals", '='}, {"colon", ':'},  {"comma", ','},
      {"period", '.'},   {"sol", '/'},      {"bsol", '\\'},     {"ast", '*'},    {"num", '#'},    {"grave", '`'},
      {"tilde", 0x2DC},  {"larr", 0x2190},  {"rarr", 0x2192},   {"le", 0x2264},  {"ge", 0x2265},  {"middot", 0xB7}};
  std::string_view name = entity.substr(1, entity.size() - 2);
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    const bool hex = name.starts_with('x') || name.starts_with('X');
    if (hex) name.remove_prefix(1);
    uint32_t code = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
    AppendUtf8(error == std::errc() && end == name.data() + name.size() ? code : 0xFFFD, out);
    return;
  }
  for (const auto& [known, code] : kNames)
    if (known == name) return AppendUtf8(code, out);
  *out += entity;
}

// GitHub takes "|-|-|" below a table's header, md4c wants three dashes: widened, on a copy that keeps the lines.
std::string WidenTableRules(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool rule = line.find('|') != std::string_view::npos && line.find('-') != std::string_view::npos &&
                      line.find_first_not_of("|-: \t\r>") == std::string_view::npos;
    for (size_t i = 0; i < line.size(); ++i) {
      out += line[i];
      if (rule && line[i] == '-' && (i + 1 == line.size() || line[i + 1] != '-')) out += "--";
    }
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : owned_(WidenTableRules(text)), text_(owned_) {
    for (size_t at = text_.find('\n'); at != std::string_view::npos; at = text_.find('\n', at + 1))
      breaks_.push_back(at);
  }

  std::vector<MarkdownPiece> Read() {
    MD_PARSER parser = {};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_TASKLISTS | MD_FLAG_NOINDENTEDCODEBLOCKS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      static_cast<Reader*>(self)->Enter(type, detail);
      return 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      static_cast<Reader*>(self)->Leave(type);
      return 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void*, void* self) {
      static_cast<Reader*>(self)->Span(type, +1);
      return 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      static_cast<Reader*>(self)->Span(type, -1);
      return 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      static_cast<Reader*>(self)->Text(type, std::string_view(text, size));
      return 0;
    };
    if (text_.size() <= std::numeric_limits<MD_SIZE>::max())
      md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, this);
    return std::move(pieces_);
  }

 private:
  struct List {
    bool ordered = false;
    size_t depth = 0;  // of parents_ outside it
  };

  void Enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        EndText();
        lists_.push_back({type == MD_BLOCK_OL, parents_.size()});
        break;
      case MD_BLOCK_LI:
        EndText();
        parents_.resize(lists_.empty() ? 0 : lists_.back().depth);
        parents_.emplace_back();  // its own text, once it is known
        task_ = static_cast<const MD_BLOCK_LI_DETAIL*>(detail)->is_task != 0;
        break;
      case MD_BLOCK_H:
        EndText();
        level_ = static_cast<int>(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
      case MD_BLOCK_TABLE:
        EndText();
        header_ = true;
        break;
      case MD_BLOCK_TR:
        row_.clear();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        current_ = {};
        in_cell_ = true;
        break;
      case MD_BLOCK_CODE:
        EndText();
        in_code_block_ = true;
        break;
      case MD_BLOCK_HTML:
        EndText();
        in_html_ = true;
        break;
      default:
        EndText();
        continues_ = false;
    }
  }

  void Leave(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        EndText();
        parents_.resize(lists_.back().depth);
        lists_.pop_back();
        break;
      case MD_BLOCK_H:
        EndHeading();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        Finish(&current_, /*cell=*/true);
        row_.push_back(std::move(current_));
        current_ = {};
        in_cell_ = false;
        break;
      case MD_BLOCK_TR:
        EndRow();
        break;
      case MD_BLOCK_CODE:
        in_code_block_ = false;
        Emit(MarkdownPiece::Kind::kCodeLine);
        break;
      case MD_BLOCK_HTML:
        in_html_ = false;
        break;
      default:
        EndText();
    }
  }

  void Span(MD_SPANTYPE type, int step) {
    if (type == MD_SPAN_IMG) in_image_ += step;
    if (type != MD_SPAN_CODE) return;
    if (step > 0) {
      current_.code.emplace_back(current_.text.size(), current_.text.size());
    } else if (!current_.code.empty()) {
      current_.code.back().second = current_.text.size();
    }
  }

  void Text(MD_TEXTTYPE type, std::string_view s) {
    if (in_html_ || in_image_ > 0) return;
    if (current_.line == 0) current_.line = LineOf(s);
    switch (type) {
      case MD_TEXT_NULLCHAR:
        AppendUtf8(0, &current_.text);
        break;
      case MD_TEXT_BR:
      case MD_TEXT_SOFTBR:
        // A paragraph's lines are read one by one; an item's continue each other.
        if (lists_.empty() && level_ == 0 && !in_cell_) {
          EndText();
          continues_ = true;
        } else {
          current_.text += ' ';
        }
        break;
      case MD_TEXT_ENTITY:
        AppendEntity(s, &current_.text);
        break;
      case MD_TEXT_HTML:
        if (s.starts_with("<br") || s.starts_with("<BR")) current_.text += ' ';
        break;
      default:
        if (!in_code_block_) {
          current_.text += s;
          break;
        }
        for (char c : s) {
          if (c == '\n') {
            Emit(MarkdownPiece::Kind::kCodeLine);
          } else {
            current_.text += c;
          }
        }
    }
  }

  uint64_t LineOf(std::string_view s) const {
    const std::less<const char*> before;  // also for pointers of other arrays: md4c's own constants
    if (before(s.data(), text_.data()) || !before(s.data(), text_.data() + text_.size())) return 0;
    const size_t offset = static_cast<size_t>(s.data() - text_.data());
    return static_cast<uint64_t>(std::lower_bound(breaks_.begin(), breaks_.end(), offset) - breaks_.begin()) + 1;
  }

  using Range = std::pair<size_t, size_t>;  // [first, second)

  // Drops what is struck through (not in code), blanks around, and in a table the backslash of `a\|b`, which there is
  // the code a|b.
  static void Finish(MarkdownText* text, bool cell = false) {
    const std::string_view s = text->text;
    std::vector<Range> drop;
    size_t open = std::string_view::npos;
    for (size_t i = 0; i + 1 < s.size(); ++i) {
      if (cell && s[i] == '\\' && s[i + 1] == '|' && text->IsCode(i)) drop.emplace_back(i, i + 1);
      if (s[i] != '~' || s[i + 1] != '~' || text->IsCode(i)) continue;
      if (open == std::string_view::npos) {
        open = i;
      } else {
        while (!drop.empty() && drop.back().first >= open) drop.pop_back();
        drop.emplace_back(open, i + 2);
        open = std::string_view::npos;
      }
      ++i;
    }
    Drop(drop, text);
    const std::string_view left = text->text;
    const size_t begin = left.size() - TrimLeft(left).size(), end = std::max(begin, TrimRight(left).size());
    Drop({{0, begin}, {end, left.size()}}, text);
  }

  // `ranges` in order, apart from each other.
  static void Drop(const std::vector<Range>& ranges, MarkdownText* text) {
    if (std::all_of(ranges.begin(), ranges.end(), [](const Range& r) { return r.first == r.second; })) return;
    std::string kept;
    size_t at = 0;
    for (const auto& [from, to] : ranges) {
      kept.append(text->text, at, from - at);
      at = to;
    }
    kept.append(text->text, at);
    size_t gone = 0, next = 0;
    const auto move = [&](size_t offset) {  // offsets come in order
      for (; next < ranges.size() && ranges[next].second <= offset; ++next)
        gone += ranges[next].second - ranges[next].first;
      return (next < ranges.size() && ranges[next].first < offset ? ranges[next].first : offset) - gone;
    };
    for (auto& [begin, end] : text->code) {
      begin = move(begin);
      end = move(end);
    }
    std::erase_if(text->code, [](const Range& span) { return span.first >= span.second; });
    text->text = std::move(kept);
  }

  // The text gathered so far is an item's or a paragraph's line.
  void EndText() {
    if (in_cell_ || in_code_block_) return;
    Emit(lists_.empty() ? MarkdownPiece::Kind::kParagraph : MarkdownPiece::Kind::kItem);
  }

  void Emit(MarkdownPiece::Kind kind) {
    Finish(&current_);
    if (!current_.text.empty()) {
      MarkdownPiece piece;
      piece.kind = kind;
      piece.sections = Sections();
      piece.continues = continues_ && kind == MarkdownPiece::Kind::kParagraph;
      if (kind == MarkdownPiece::Kind::kItem) {
        piece.ordered = lists_.back().ordered;
        piece.task = task_;
        if (!parents_.empty() && parents_.back().empty()) parents_.back() = current_.text.substr(0, kLongestName);
      }
      piece.cells.push_back(std::move(current_));
      pieces_.push_back(std::move(piece));
    }
    current_ = {};
  }

  void EndHeading() {
    Finish(&current_);
    MarkdownPiece piece;
    piece.kind = MarkdownPiece::Kind::kHeading;
    piece.level = level_;
    const bool title = level_ == 1 && !title_seen_;
    if (level_ == 1) title_seen_ = true;
    std::erase_if(headings_, [&](const auto& heading) { return heading.first >= level_; });
    piece.sections = Sections();
    if (!title) headings_.emplace_back(level_, current_.text.substr(0, kLongestName));
    piece.cells.push_back(std::move(current_));
    pieces_.push_back(std::move(piece));
    current_ = {};
    level_ = 0;
  }

  void EndRow() {
    MarkdownPiece piece;
    piece.kind = MarkdownPiece::Kind::kRow;
    piece.header = header_;
    piece.sections = Sections();
    piece.cells = std::move(row_);
    row_.clear();
    header_ = false;
    pieces_.push_back(std::move(piece));
  }

  std::vector<std::string> Sections() const {
    std::vector<std::string> sections;
    for (const auto& [level, heading] : headings_) sections.push_back(heading);
    // The last parent is the item itself. Beyond some depth it is no manifest, and copies would cost.
    for (size_t i = 0; i + 1 < parents_.size() && i < 8; ++i) sections.push_back(parents_[i]);
    return sections;
  }

  std::string owned_;
  std::string_view text_;
  std::vector<size_t> breaks_;  // offsets of '\n'
  std::vector<MarkdownPiece> pieces_;
  MarkdownText current_;
  std::vector<MarkdownText> row_;
  std::vector<std::pair<int, std::string>> headings_;  // level, text
  std::vector<List> lists_;
  std::vector<std::string> parents_;
  int level_ = 0, in_image_ = 0;
  bool in_cell_ = false, in_code_block_ = false, in_html_ = false, header_ = false, task_ = false, title_seen_ = false,
       continues_ = false;
};

}  // namespace

bool MarkdownText::IsCode(size_t at) const {
  const auto after =
      std::upper_bound(code.begin(), code.end(), at, [](size_t a, const auto& s) { return a < s.first; });
  return after != code.begin() && at < std::prev(after)->second;
}

bool InChecklist(const std::vector<std::string>& sections) {
  return std::any_of(sections.begin(), sections.end(), [](const std::string& section) {
    const std::string words = " " + NormalRow(section) + " ";
    return words.find(" checklist ") != std::string::npos || words.find(" verify ") != std::string::npos;
  });
}

std::vector<MarkdownPiece> ReadMarkdown(std::string_view text) {
  // A byte order mark would make the first heading a paragraph.
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return Reader(text).Read();
}

}  // namespace autotune
