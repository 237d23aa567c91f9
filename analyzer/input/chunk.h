// A piece of the input and what can be said of it without knowing what came before: where its lines are that hold a
// literal, and how many line breaks it has. Workers find that out side by side (chunk_ring.h); line_feed.cc puts the
// pieces together in order.
//
//   ...end of a line\n    <- head: belongs to a line that began before
//   line\n                <- body: whole lines
//   line\n
//   begin of a li         <- tail: goes on in the next chunk
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/input/prefilter.h"

namespace autotune {

// A whole line of the body that holds a literal, or stands among so many others that it was taken unasked.
struct HitLine {
  uint32_t begin, end;  // offsets in the chunk; `end` is that of its '\n'
  uint32_t breaks;      // '\n' in the chunk before it
};

// Offsets of the first and of the last '\n'; without any, `any` is false and the chunk is all head.
struct ChunkEnds {
  bool any = false;
  size_t first = 0, last = 0;
};
ChunkEnds FindEnds(std::string_view chunk);

// The first line at or behind `from` (the start of a line of the body) that holds a literal, in `hit`. False: none.
// `breaks`: '\n' in the chunk before `from`.
bool FindHitLine(std::string_view chunk, size_t body_end, size_t from, uint64_t breaks, const Prefilter& prefilter,
                 HitLine* hit);

struct ChunkHits {
  std::vector<HitLine> lines;
  uint64_t breaks = 0;  // '\n' in the chunk
};
void FindAllHits(std::string_view chunk, const Prefilter& prefilter, ChunkHits* hits);

}  // namespace autotune
