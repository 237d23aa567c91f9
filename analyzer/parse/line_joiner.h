// Puts lines together again that a terminal broke at its right edge before somebody copied them.
//
//   AUTOTUNE mm(1024x1024, 1024x7680)                                                          <- padded to the edge
//     triton_mm_6 0.0412 ms 96.8% ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=32, BLOCK_M
//   =128, EVEN_K=True, GROUP_M=8, num_stages=3, num_warps=4
//
// The break is found by grammar where there is one (a header, a footer, a row before its percentage, a JSON object that
// does not end), else by the edge: the column where padded lines end, or where a line ended that grammar showed broken.
// One joiner a stream; lines of other programs pass through it unchanged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "analyzer/parse/part.h"

namespace autotune {

struct JoinedLine {
  std::string_view text;
  uint64_t first = 0, last = 0;
};

class LineJoiner {
 public:
  // What comes out: each line once, joined or as it was, with what it is a part of.
  using Out = std::function<void(const JoinedLine& line, const Part& part)>;

  // `open_shapes`: items of the stream's open header, 0 when no block is open. `wanted`: no line was left out before
  // this one, so that a line which anything may be can be the piece of a part.
  void Feed(const JoinedLine& line, const Part& part, size_t open_shapes, bool wanted, const Out& out);
  void Flush(const Out& out);

  bool knows_edge() const { return edge_ != 0; }
  bool holds() const { return !held_.empty(); }
  // The next line is needed to tell what is held; a word that may begin a row is not worth that.
  bool wants_next() const { return holds() && (held_kind_ != Part::Kind::kNone || BeginsWithPartWords(held_)); }

 private:
  bool MayGoOn(std::string_view text, const Part& part, size_t open_shapes) const;
  bool TryJoin(const JoinedLine& line, const Part& part, size_t open_shapes);
  void Hold(const JoinedLine& line, const Part& part);
  void LearnEdge(std::string_view text);

  std::string held_;
  uint64_t first_ = 0, last_ = 0;
  Part::Kind held_kind_ = Part::Kind::kNone;  // kNone: a piece that is nothing yet
  int pieces_ = 0;
  size_t piece_columns_ = 0;  // of the last piece
  size_t edge_ = 0;           // columns; 0 not known
  bool json_expected_ = false;
};

}  // namespace autotune
