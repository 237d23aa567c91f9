// Counts line breaks at memory speed: lines that are skipped are counted, not split. Vector instructions are chosen at
// run time; all answers are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace autotune {

using CountNewlinesFunction = uint64_t (*)(const char* begin, const char* end);

// '\n' in [begin, end), the fastest way this processor has.
uint64_t CountNewlines(const char* begin, const char* end);

// Each way it has, for tests and benchmarks.
std::vector<CountNewlinesFunction> CountNewlinesWays();

}  // namespace autotune
