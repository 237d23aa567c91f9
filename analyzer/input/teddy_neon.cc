#include "analyzer/input/teddy.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define KERNEL  // every AArch64 processor has these

namespace autotune {
namespace {

using Vec = uint8x16_t;
constexpr size_t kLanes = 16;
constexpr int kBitsPerLane = 4;
constexpr uint64_t kLaneMask = 15;

KERNEL inline Vec Load(const char* p) { return vld1q_u8(reinterpret_cast<const uint8_t*>(p)); }
KERNEL inline Vec Table(const uint8_t* t) { return vld1q_u8(t); }
KERNEL inline Vec LowNibbles(Vec v) { return vandq_u8(v, vdupq_n_u8(15)); }
KERNEL inline Vec HighNibbles(Vec v) { return vshrq_n_u8(v, 4); }
KERNEL inline Vec Shuffle(Vec table, Vec index) { return vqtbl1q_u8(table, index); }
KERNEL inline Vec And(Vec a, Vec b) { return vandq_u8(a, b); }
KERNEL inline Vec Or(Vec a, Vec b) { return vorrq_u8(a, b); }
KERNEL inline bool IsZero(Vec v) { return vmaxvq_u8(v) == 0; }
// NEON has no movemask: narrowing a 16-bit lane by four bits leaves a nibble for each byte.
KERNEL inline uint64_t NonZeroMask(Vec v) {
  const uint8x16_t set = vtstq_u8(v, v);
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(set), 4)), 0);
}

#include "analyzer/input/teddy_by_nibble.inc"
#include "analyzer/input/teddy_kernel.inc"

}  // namespace

const char* FindNeon(const Teddy& teddy, const char* begin, const char* end) { return Search(teddy, begin, end); }

}  // namespace autotune
#endif
