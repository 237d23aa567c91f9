#include "analyzer/input/newlines.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace autotune {
namespace {

uint64_t CountPortable(const char* begin, const char* end) {
  uint64_t count = 0;
  for (const char* p = begin; p < end; ++p) count += *p == '\n';
  return count;
}

// In the vector forms each lane counts in a byte, so lanes are summed up before one can overflow.
constexpr int kMostRounds = 255;

#if defined(__x86_64__)

uint64_t CountSse2(const char* begin, const char* end) {  // every x86-64 has SSE2
  const __m128i newline = _mm_set1_epi8('\n'), zero = _mm_setzero_si128();
  uint64_t count = 0;
  while (end - begin >= 16) {
    __m128i lanes = zero;
    for (int round = 0; round < kMostRounds && end - begin >= 16; ++round, begin += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(begin));
      lanes = _mm_sub_epi8(lanes, _mm_cmpeq_epi8(bytes, newline));
    }
    const __m128i sums = _mm_sad_epu8(lanes, zero);
    count += static_cast<uint64_t>(_mm_cvtsi128_si64(sums)) +
             static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums)));
  }
  return count + CountPortable(begin, end);
}

__attribute__((target("avx2"))) uint64_t CountAvx2(const char* begin, const char* end) {
  const __m256i newline = _mm256_set1_epi8('\n'), zero = _mm256_setzero_si256();
  __m256i sums = zero;
  while (end - begin >= 64) {
    __m256i lanes0 = zero, lanes1 = zero;
    for (int round = 0; round < kMostRounds && end - begin >= 64; ++round, begin += 64) {
      const __m256i bytes0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(begin));
      const __m256i bytes1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(begin + 32));
      lanes0 = _mm256_sub_epi8(lanes0, _mm256_cmpeq_epi8(bytes0, newline));
      lanes1 = _mm256_sub_epi8(lanes1, _mm256_cmpeq_epi8(bytes1, newline));
    }
    sums = _mm256_add_epi64(sums, _mm256_add_epi64(_mm256_sad_epu8(lanes0, zero), _mm256_sad_epu8(lanes1, zero)));
  }
  const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  return static_cast<uint64_t>(_mm_cvtsi128_si64(half)) +
         static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(half, half))) + CountSse2(begin, end);
}

#elif defined(__aarch64__)

uint64_t CountNeon(const char* begin, const char* end) {
  const uint8x16_t newline = vdupq_n_u8('\n');
  uint64_t count = 0;
  while (end - begin >= 16) {
    uint8x16_t lanes = vdupq_n_u8(0);
    for (int round = 0; round < kMostRounds && end - begin >= 16; ++round, begin += 16) {
      lanes = vsubq_u8(lanes, vceqq_u8(vld1q_u8(reinterpret_cast<const uint8_t*>(begin)), newline));
    }
    count += vaddlvq_u8(lanes);
  }
  return count + CountPortable(begin, end);
}

#endif

}  // namespace

std::vector<CountNewlinesFunction> CountNewlinesWays() {
  std::vector<CountNewlinesFunction> ways = {CountPortable};
#if defined(__x86_64__)
  ways.push_back(CountSse2);
  if (__builtin_cpu_supports("avx2")) ways.push_back(CountAvx2);
#elif defined(__aarch64__)
  ways.push_back(CountNeon);
#endif
  return ways;
}

uint64_t CountNewlines(const char* begin, const char* end) {
  static const CountNewlinesFunction best = CountNewlinesWays().back();
  return best(begin, end);
}

}  // namespace autotune
