#include "analyzer/input/teddy.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define KERNEL __attribute__((target("avx2")))

namespace autotune {
namespace {

using Vec = __m256i;
constexpr size_t kLanes = 32;
constexpr int kBitsPerLane = 1;
constexpr uint64_t kLaneMask = 1;

KERNEL inline Vec Load(const char* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
KERNEL inline Vec Table(const uint8_t* t) {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(t)));
}
KERNEL inline Vec LowNibbles(Vec v) { return _mm256_and_si256(v, _mm256_set1_epi8(15)); }
KERNEL inline Vec HighNibbles(Vec v) { return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15)); }
KERNEL inline Vec Shuffle(Vec table, Vec index) { return _mm256_shuffle_epi8(table, index); }
KERNEL inline Vec And(Vec a, Vec b) { return _mm256_and_si256(a, b); }
KERNEL inline Vec Or(Vec a, Vec b) { return _mm256_or_si256(a, b); }
KERNEL inline bool IsZero(Vec v) { return _mm256_testz_si256(v, v) != 0; }
KERNEL inline uint64_t NonZeroMask(Vec v) {
  return ~static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256()))) & 0xffffffffu;
}

#include "analyzer/input/teddy_by_nibble.inc"
#include "analyzer/input/teddy_kernel.inc"

}  // namespace

const char* FindAvx2(const Teddy& teddy, const char* begin, const char* end) { return Search(teddy, begin, end); }

}  // namespace autotune
#endif
