// A run as the lookups see it: its tuned problems with what the recorded cache has for each, the kernels it is known to
// have used, and its own cache where that was given.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/cache/lookup.h"
#include "analyzer/cache/new_problems.h"
#include "analyzer/cache/proof.h"
#include "analyzer/identity/fill_keys.h"

namespace autotune {

struct LookedUpProblem {
  const TunedProblem* tuned = nullptr;
  std::vector<ProblemMatch> matches;  // recorded problems with this op and these inputs; empty: not recorded
  bool is_recorded_run = false;       // its times are the recorded ones: this log wrote the entry, or only printed it
  const RecordedProblem* run_entry = nullptr;  // in the run's own cache
  std::optional<NearestProblem> nearest;       // only where there is no match
};

struct RunView {
  std::vector<LookedUpProblem> problems;
  std::vector<RunKernel> foreign;  // kernels of the run that the recorded cache has not
  size_t equal_kernels = 0;        // kernels of the run that it has
  std::optional<uint64_t> first_kernel_line;
  std::string kernel_source;    // which log that line is in
  size_t kernels_left_out = 0;  // beyond the cap
  std::string torch;            // the run's, "" unknown
  std::vector<Sizes> sizes;     // of the problems that are not recorded
};

// `run_cache` may be null.
RunView ViewRun(const LookUpInput& input, const RecordedCache& recorded, const RecordedCache* run_cache,
                const RuleSet& rules);

// The first value that the log states for a setting, null when it states none.
const StatedValue* Stated(const Run& run, std::string_view setting);
// The manifest's fact (a table's before a checklist's), null without one.
const Fact* Recorded(const Manifest* manifest, std::string_view setting);

// "mm(1024x256, 256x512)"
std::string ProblemName(const Block& block);

}  // namespace autotune
