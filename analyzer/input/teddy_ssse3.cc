#include "analyzer/input/teddy.h"

#if defined(__x86_64__)
#include <tmmintrin.h>

#define KERNEL __attribute__((target("ssse3")))

namespace autotune {
namespace {

using Vec = __m128i;
constexpr size_t kLanes = 16;
constexpr int kBitsPerLane = 1;
constexpr uint64_t kLaneMask = 1;

KERNEL inline Vec Load(const char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
KERNEL inline Vec Table(const uint8_t* t) { return _mm_load_si128(reinterpret_cast<const __m128i*>(t)); }
KERNEL inline Vec LowNibbles(Vec v) { return _mm_and_si128(v, _mm_set1_epi8(15)); }
KERNEL inline Vec HighNibbles(Vec v) { return _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(15)); }
KERNEL inline Vec Shuffle(Vec table, Vec index) { return _mm_shuffle_epi8(table, index); }
KERNEL inline Vec And(Vec a, Vec b) { return _mm_and_si128(a, b); }
KERNEL inline Vec Or(Vec a, Vec b) { return _mm_or_si128(a, b); }
KERNEL inline uint64_t NonZeroMask(Vec v) {
  return ~static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128()))) & 0xffffu;
}
KERNEL inline bool IsZero(Vec v) { return NonZeroMask(v) == 0; }

#include "analyzer/input/teddy_by_nibble.inc"
#include "analyzer/input/teddy_kernel.inc"

}  // namespace

const char* FindSsse3(const Teddy& teddy, const char* begin, const char* end) { return Search(teddy, begin, end); }

}  // namespace autotune
#endif
