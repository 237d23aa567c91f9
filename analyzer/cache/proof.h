// Proves a cause by hashing: takes recorded kernels, edits their sources as a setting would have changed them, hashes
// them again, and compares with the keys that the run is known to have used.
//
//   recorded  cqx65mcz… force_disable_caches: False, description D
//   run       cqx5pjbo…                              description D     (an error line, or the run's own cache)
//   edit {"set_meta", "force_disable_caches", "True"} on the recorded source -> cqx5pjbo…: that setting, and only that.
//
// A hash that comes out equal cannot be chance, so a cause that explains every key is proved; with two causes at once
// no single edit explains a key, and pairs are tried.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/identity/kernel_source.h"
#include "analyzer/model/recorded_cache.h"
#include "analyzer/rule/cause_rule.h"

namespace autotune {

// A kernel of the run that the recorded cache has not.
struct RunKernel {
  std::string key, description;
  std::vector<std::string> recorded;  // keys of recorded kernels of the same candidate: one of them may be its origin
  std::map<std::string, std::string> values;  // for edits: "run" (backend_hash as the run's kernel has it), ...
};

// Sizes that edits may put in ("M", "N", "K"), one set a problem of the run.
using Sizes = std::map<std::string, std::string>;

struct ProvedCause {
  const CauseRule* cause = nullptr;
  const CauseRule* second = nullptr;  // both together, where no single cause explains the keys
  std::set<size_t> explained;         // indexes of RunKernels
  bool by_sizes = false;              // the edit put other sizes in: the problem is new, the kernel is not
};

struct ProofResult {
  std::vector<ProvedCause> causes;  // those that explain anything; most keys first
  size_t tried = 0;                 // kernels that had a recorded origin to try
  absl::Status status;
};

// `torch` limits causes to those that the release knows ("" all). Reads the sources in one walk over the cache at
// `path`.
ProofResult Prove(const std::string& path, const std::vector<RunKernel>& kernels, const std::vector<CauseRule>& causes,
                  const std::vector<Sizes>& sizes, const std::string& torch);

}  // namespace autotune
