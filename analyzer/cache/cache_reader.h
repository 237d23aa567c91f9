// Reads a recorded cache once, front to back, and keeps what keys, lookups and an inspection need
// (model/recorded_cache.h). Kernel sources are hashed as they pass and let go.
//
//   inductor_cache/cache/c33ff642…                        tuning results of one machine
//   inductor_cache/qx/cqx65mcz….py                        a kernel's source, named by its hash
//   inductor_cache/4n/dc9aa408….best_config               result of tuning a pointwise or reduction kernel
//   inductor_cache/fxgraph/wc/fwchmqla…/cr7h6rit…         a compiled graph
//   inductor_cache/aotautograd/ajwxph7k…/acgev7km…        its autograd part
//   triton_cache/44DTY23A…/triton_mm.json                 what Triton compiled; also below inductor_cache/triton/0/
//
// Layout: torch/_inductor/codecache.py, torch 2.0 to 2.15; triton/runtime/cache.py, triton 2.0 to 3.6.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/identity/code_key.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/recorded_cache.h"

namespace autotune {

struct CacheReading {
  RecordedCache cache;
  absl::Status status;  // why the reading ended early, if it did; what stood before is here

  uint64_t files = 0, bytes = 0;
  std::map<std::string, uint64_t> top_folders;  // first part of the names -> files
  uint64_t tuning_files = 0, best_configs = 0, fxgraph_entries = 0, aotautograd_entries = 0, other_sources = 0;
  uint64_t triton_files = 0;
  std::map<TritonGeneration, std::set<std::string>> triton_folders;  // a few names of each, and see triton_folder_count
  std::map<TritonGeneration, uint64_t> triton_folder_count;
  std::map<std::string, uint64_t> architectures, triton_versions;  // as Triton's JSON files state them
  std::set<std::string> meta_entries;  // names in the inductor_meta of templates: they date the torch that wrote them
  std::map<uint64_t, std::vector<uint32_t>> signatures;  // problem signature -> kernels (templates only)

  std::vector<Problem> faults;  // what was seen while reading, at most kMaxFaults
  uint64_t faults_left_out = 0;

  static constexpr size_t kMaxFaults = 100;
};

struct ReadOptions {
  bool verify = false;  // also compare graph entries with the hash that names them
};

// Never fails on what a file holds: what is not understood is counted or becomes a fault.
CacheReading ReadCache(const std::string& path, const ReadOptions& options);

// A name of an archive as it can be shown: control characters and broken UTF-8 escaped, long names cut in the middle.
std::string ShownName(std::string_view name);

// Calls `use` with the source of each kernel in `stems` that the cache has, in the cache's order, until all were seen.
absl::Status ReadKernels(const std::string& path, std::set<std::string> stems,
                         const std::function<void(const std::string& stem, const std::string& source)>& use);

}  // namespace autotune
