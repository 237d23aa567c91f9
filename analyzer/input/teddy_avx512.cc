#include "analyzer/input/teddy.h"

#if defined(__x86_64__)
#include <immintrin.h>

// VBMI's permutation looks all 128 ASCII bytes up at once: no nibbles, and a bucket lets in exactly its bytes (and
// those that differ from one in the highest bit alone).
#define KERNEL __attribute__((target("avx512f,avx512bw,avx512vbmi")))

namespace autotune {
namespace {

using Vec = __m512i;
constexpr size_t kLanes = 64;
constexpr int kBitsPerLane = 1;
constexpr uint64_t kLaneMask = 1;

KERNEL inline Vec Or(Vec a, Vec b) { return _mm512_or_si512(a, b); }
KERNEL inline uint64_t NonZeroMask(Vec v) { return _mm512_test_epi8_mask(v, v); }
KERNEL inline bool IsZero(Vec v) { return NonZeroMask(v) == 0; }

struct Tables {
  KERNEL explicit Tables(const Teddy& teddy) {
    for (size_t i = 0; i < Teddy::kWindow; ++i) {
      low[i] = _mm512_loadu_si512(teddy.ascii[i]);
      high[i] = _mm512_loadu_si512(teddy.ascii[i] + 64);
    }
  }
  Vec low[Teddy::kWindow], high[Teddy::kWindow];
};

KERNEL inline Vec Buckets(const Tables& tables, const char* p) {
  Vec left = {};
  for (size_t i = 0; i < Teddy::kWindow; ++i) {
    const Vec byte = _mm512_permutex2var_epi8(tables.low[i], _mm512_loadu_si512(p + i), tables.high[i]);
    left = i == 0 ? byte : _mm512_and_si512(left, byte);
  }
  return left;
}

#include "analyzer/input/teddy_kernel.inc"

}  // namespace

const char* FindAvx512(const Teddy& teddy, const char* begin, const char* end) { return Search(teddy, begin, end); }

}  // namespace autotune
#endif
