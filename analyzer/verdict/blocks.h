// Asks the tuned problems themselves: which back ends took part, sizes, dtypes, precision, and which torch can have
// printed them. What the rows show is what was in force, whatever a log says that was asked for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/verdict/draft.h"

namespace autotune {

// A table that only prints results found in the cache: with the logger at DEBUG or LOG_AUTOTUNE_RESULTS torch prints
// those too, with about 0 s of benchmarking and without the statistics line.
bool IsCachedPrintout(const TunedProblem& problem);

// The same, of any sum of blocks; `unsure` where a statistics line, or a footer without seconds, says nothing of it.
bool OnlyLooksUp(uint64_t blocks, bool unsure, double benchmark_seconds, double precompile_seconds);

// The problems that were really timed, in log order.
std::vector<const TunedProblem*> TimedProblems(const Run& run);

// Whether a setting (a list of back ends) decides which candidates an op has.
bool GovernsRowsOf(const CauseRule& cause, std::string_view op);

void AskBlocks(Draft* draft);

}  // namespace autotune
