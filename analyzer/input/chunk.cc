#include "analyzer/input/chunk.h"

#include <cstring>

#include "analyzer/input/dense_run.h"
#include "analyzer/input/newlines.h"

namespace autotune {

ChunkEnds FindEnds(std::string_view chunk) {
  if (chunk.empty()) return {};
  const void* first = std::memchr(chunk.data(), '\n', chunk.size());
  if (first == nullptr) return {};
  const void* last = memrchr(chunk.data(), '\n', chunk.size());
  return {true, static_cast<size_t>(static_cast<const char*>(first) - chunk.data()),
          static_cast<size_t>(static_cast<const char*>(last) - chunk.data())};
}

bool FindHitLine(std::string_view chunk, size_t body_end, size_t from, uint64_t breaks, const Prefilter& prefilter,
                 HitLine* hit) {
  const char* const start = chunk.data() + from;
  const char* const end = chunk.data() + body_end;
  const char* const at = prefilter.Find(start, end);
  if (at == nullptr) return false;
  const void* before = memrchr(start, '\n', static_cast<size_t>(at - start));
  const char* const begin = before == nullptr ? start : static_cast<const char*>(before) + 1;
  const char* const line_end = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
  hit->begin = static_cast<uint32_t>(begin - chunk.data());
  hit->end = static_cast<uint32_t>(line_end - chunk.data());
  hit->breaks = static_cast<uint32_t>(breaks + CountNewlines(start, begin));
  return true;
}

namespace {

// The line of the body that begins at `from`.
HitLine LineAt(std::string_view chunk, size_t from, uint64_t breaks) {
  const void* end = std::memchr(chunk.data() + from, '\n', chunk.size() - from);
  return {static_cast<uint32_t>(from), static_cast<uint32_t>(static_cast<const char*>(end) - chunk.data()),
          static_cast<uint32_t>(breaks)};
}

}  // namespace

void FindAllHits(std::string_view chunk, const Prefilter& prefilter, ChunkHits* hits) {
  hits->lines.clear();
  hits->breaks = 0;
  const ChunkEnds ends = FindEnds(chunk);
  if (!ends.any) return;
  const size_t body_end = ends.last + 1;
  size_t from = ends.first + 1;
  uint64_t breaks = 1;
  HitLine hit;
  DenseRun dense;
  while (from < body_end) {
    if (dense.TakeUnasked()) {
      hit = LineAt(chunk, from, breaks);
    } else {
      if (!FindHitLine(chunk, body_end, from, breaks, prefilter, &hit)) break;
      dense.Asked(hit.breaks - breaks);
    }
    hits->lines.push_back(hit);
    from = hit.end + size_t{1};
    breaks = hit.breaks + uint64_t{1};
  }
  hits->breaks = breaks + CountNewlines(chunk.data() + from, chunk.data() + body_end);
}

}  // namespace autotune
