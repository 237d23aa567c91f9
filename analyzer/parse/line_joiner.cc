#include "analyzer/parse/line_joiner.h"

#include <algorithm>

#include "analyzer/base/text.h"
#include "analyzer/parse/clean.h"

namespace autotune {
namespace {

using Kind = Part::Kind;

constexpr int kMaxPieces = 64;  // a stats object on a narrow terminal
constexpr size_t kMaxJoined = 64 << 10;
constexpr size_t kMinEdge = 20, kMaxEdge = 1000;  // columns of a terminal

size_t TrailingBlanks(std::string_view text) { return text.size() - TrimRight(text).size(); }

size_t CountItems(const Part& part) {
  if (part.kind == Kind::kStrides) return CountStrides(part.list);
  return static_cast<size_t>(std::count(part.list.begin(), part.list.end(), ',')) + 1;
}

// A keyword list that stops inside its last item: "..., BLOCK_M=128, BLOC".
bool LooksCut(std::string_view description) {
  if (description.find('=') == std::string_view::npos || description.find(", ") == std::string_view::npos) return false;
  const size_t comma = description.rfind(", ");
  const std::string_view item = description.substr(comma + 2);
  return description.back() == ',' || description.back() == '=' || item.find('=') == std::string_view::npos;
}

}  // namespace

void LineJoiner::LearnEdge(std::string_view text) {
  if (edge_ == 0 && TrailingBlanks(text) < 2) return;  // nearly all
  const size_t columns = Columns(text);
  if (edge_ != 0 && columns > edge_) edge_ = 0;  // no edge after all
  if (edge_ == 0 && TrailingBlanks(text) >= 2 && columns >= kMinEdge && columns <= kMaxEdge) edge_ = columns;
}

// Whether a line that is a part by itself may go on in the next one.
bool LineJoiner::MayGoOn(std::string_view text, const Part& part, size_t open_shapes) const {
  if (edge_ != 0 && TrailingBlanks(text) <= 1 && Columns(text) == edge_) return true;
  switch (part.kind) {
    case Kind::kRow:
      return LooksCut(part.row.description);
    case Kind::kStrides:
    case Kind::kDtypes:
      return open_shapes > 1 && CountItems(part) < open_shapes;
    default:
      return false;
  }
}

void LineJoiner::Hold(const JoinedLine& line, const Part& part) {
  held_.assign(line.text);
  first_ = line.first;
  last_ = line.last;
  held_kind_ = part.kind;
  pieces_ = 1;
  piece_columns_ = Columns(line.text);
}

// Whether the line goes on where the held one stops; then it is in `held_`.
bool LineJoiner::TryJoin(const JoinedLine& line, const Part& part, size_t open_shapes) {
  if (line.first != last_ + 1 || part.kind != Kind::kNone || Trim(line.text).empty()) return false;
  if (BeginsWithPartWords(line.text)) return false;
  if (pieces_ >= kMaxPieces || held_.size() + line.text.size() > kMaxJoined) return false;
  const bool json = TrimLeft(held_).substr(0, 1) == "{";
  // The rest of a word begins in the first column; a blank before it was the edge's.
  const bool at_edge = (edge_ != 0 && piece_columns_ == edge_) || held_.back() == ',';
  const size_t indent = line.text.size() - TrimLeft(line.text).size();
  if (!json && indent > (at_edge ? 1 : 0)) return false;
  // Where the edge fell on a blank, the copy may have lost it.
  std::string joined(json ? TrimRight(held_) : std::string_view(held_));
  const size_t at = joined.size();
  joined += json ? TrimLeft(line.text) : line.text;
  Part whole;
  Kind kind = ScanPart(joined, &whole);
  if (kind == Kind::kNone && !MayBeginPart(joined)) {
    joined.insert(at, 1, ' ');
    kind = ScanPart(joined, &whole);
  }
  bool fits = kind != Kind::kNone || MayBeginPart(joined);
  if (json) fits = fits || joined.find('}') == std::string::npos;
  if (held_kind_ != Kind::kNone) {
    fits = kind == held_kind_;
    if (fits && kind == Kind::kRow && (edge_ == 0 || piece_columns_ != edge_))
      fits = IsKeywordList(whole.row.description);
    if (fits && (kind == Kind::kStrides || kind == Kind::kDtypes)) fits = CountItems(whole) <= open_shapes;
  }
  if (!fits) return false;
  if (edge_ == 0 && !json && piece_columns_ >= kMinEdge && piece_columns_ <= kMaxEdge) edge_ = piece_columns_;
  held_ = std::move(joined);
  last_ = line.last;
  held_kind_ = kind;
  ++pieces_;
  piece_columns_ = Columns(line.text);
  return true;
}

void LineJoiner::Flush(const Out& out) {
  if (held_.empty()) return;
  const std::string text = std::move(held_);
  held_.clear();
  Part part;
  ScanPart(text, &part);
  json_expected_ = part.kind == Kind::kStatsTitle;
  out({text, first_, last_}, part);
}

void LineJoiner::Feed(const JoinedLine& line, const Part& part, size_t open_shapes, bool wanted, const Out& out) {
  if (holds()) {
    if (wanted && TryJoin(line, part, open_shapes)) {
      const bool at_edge = edge_ != 0 && piece_columns_ == edge_ && TrailingBlanks(held_) <= 1;
      Part whole;
      ScanPart(held_, &whole);
      if (held_kind_ != Kind::kNone && !at_edge && !MayGoOn(line.text, whole, open_shapes)) Flush(out);
      return;
    }
    Flush(out);
  }
  if (part.kind != Kind::kNone) {
    LearnEdge(line.text);
    if (MayGoOn(line.text, part, open_shapes)) {
      Hold(line, part);
      return;
    }
    json_expected_ = part.kind == Kind::kStatsTitle;
    out(line, part);
    return;
  }
  const std::string_view text = TrimLeft(line.text);
  const bool json = text.substr(0, 1) == "{";
  bool begins = !text.empty() && (wanted || BeginsWithPartWords(text));
  if (begins && json) begins = json_expected_ || MayBeginPart(text);
  if (begins && !json) begins = (open_shapes > 0 || text.substr(0, 9) == "AUTOTUNE ") && MayBeginPart(text);
  if (begins) {
    Hold(line, part);
    return;
  }
  out(line, part);
}

}  // namespace autotune
