#include "analyzer/base/cores.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace autotune {

int UsableCores() {
#ifdef CPU_COUNT
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return CPU_COUNT(&cores);
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace autotune
