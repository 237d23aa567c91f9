#include "analyzer/base/heap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace autotune {

void UseLargePages() {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  constexpr uintptr_t kPage = 2 << 20;
  constexpr int kAhead = 6 << 20;         // two whole large pages, wherever the heap happens to begin
  mallopt(M_TRIM_THRESHOLD, 4 * kAhead);  // else it is given back at once
  mallopt(M_TOP_PAD, kAhead);
  const auto before = reinterpret_cast<uintptr_t>(sbrk(0));
  void* volatile piece = std::malloc(120 << 10);  // more than is left of the heap's first piece: it grows
  std::free(piece);
  const auto after = reinterpret_cast<uintptr_t>(sbrk(0));
  mallopt(M_TOP_PAD, 256 << 10);
  const uintptr_t begin = (before + kPage - 1) / kPage * kPage, end = after / kPage * kPage;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace autotune
