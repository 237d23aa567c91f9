// Hash of inductor's system dictionary, and the keys of pointwise and reduction tuning (`.best_config`).
// Facts: torch/_inductor/codecache.py (CacheBase.get_system), torch 2.4 to 2.15;
// torch/_inductor/runtime/autotune_cache.py, torch 2.6 to 2.15.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autotune {

// Python's json.dumps(value, sort_keys=True) of a JSON text: keys sorted at every level, separators ", " and ": ",
// everything outside ASCII as \uXXXX, floats as repr() spells them.
absl::StatusOr<std::string> PythonJsonDumps(std::string_view json);

// sha256 of that spelling of the dictionary without its top-level "hash": the name of the file `cache/<hash>`.
// torch 2.0 has none; a machine without CUDA or HIP hashes "{}".
absl::StatusOr<std::string> SystemHash(std::string_view json);

// A double as Python's repr() prints it: 0.0395519994199276, 1e-05, 60.0, inf.
std::string PythonFloat(double value);

// One tuned configuration of a pointwise or reduction kernel: `[('XBLOCK', 1024)] 4 1`.
struct BestConfig {
  std::vector<std::pair<std::string, int64_t>> kwargs;  // in any order
  int64_t num_warps = 0, num_stages = 0;
};
std::string ConfigsHash(const std::vector<BestConfig>& configs);

// Name of the kernel's .best_config file. `kernel_file` is its base name with ".py", `tag` the cache_key_tag (mostly
// empty), `torch_key` 32 raw bytes.
std::string BestConfigName20(std::string_view kernel_file);                        // 2.0 - 2.5: the kernel's stem
std::string BestConfigName26(std::string_view kernel_file, std::string_view tag);  // 2.6, 2.7
std::string BestConfigName28(std::string_view kernel_file, std::string_view tag, std::string_view torch_key);  // 2.8 on

// 32 bytes of 64 hexadecimal digits; empty when `hex` is none.
std::string BytesFromHex(std::string_view hex);

// inductor_meta's backend_hash on CUDA (torch 2.4 to 2.15): upper-case hex of sha256(triton_key "-" backend hash), the
// backend hash being the text of `ptxas --version` with its last line break, "-", and the capability ("90").
std::string BackendHash(std::string_view triton_key, std::string_view ptxas_version, std::string_view capability);

}  // namespace autotune
