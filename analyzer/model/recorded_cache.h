// What a recorded compile cache holds, as far as keys and proofs need it. Plain data, made by cache/, asked by
// identity/.
//
// One `cache/<system hash>` file of inductor is
//   {"system": {"device": {"name": "NVIDIA H200"}, "version": {"triton": "3.6.0…", "cuda": "13.0"}, "hash": "c33f…"},
//    "cache": {"mm": {"[('cuda', 'torch.bfloat16', 1024, 256, 256, 1, 0), …]": {"highest": {"mm-cqrj…": 0.0395, …}}}}}
// (torch/_inductor/codecache.py, PersistentCache, torch 2.4 to 2.15). Kernel sources are not kept: what is derived from
// them is. Sizes are in bytes, times in ms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace autotune {

struct RecordedChoice {
  std::string key;  // "triton_mm-cxdg…", "addmm-alpha=1-beta=1-c4xx…", a sub-graph's whole text
  double ms = 0;    // +infinity for a choice that failed
};

// One tuned problem: all choices of [op][inputs][precision], in the file's order, which is the order of their
// generation.
struct RecordedProblem {
  std::string op, inputs, precision;
  std::vector<RecordedChoice> choices;
  uint32_t system = 0;  // index into RecordedCache::systems
};

// The machine that a `cache/` file is for. Empty fields: the file does not say.
struct RecordedSystem {
  std::string file;                       // member name, as the archive has it
  std::string name;                       // the file's base name, which should be the system's hash
  std::string hash;                       // the "hash" inside
  std::string computed;                   // the hash of what the dictionary says, "" when there is none
  std::string device, triton, cuda, hip;  // `triton` is the whole triton_key
};

// A generated Triton kernel (`ab/cab….py`).
struct RecordedKernel {
  std::string key;           // the file's stem
  std::string function;      // "triton_mm", from its `def`
  std::string description;   // as a block prints it; "" unless source and description give exactly `key`
  std::string backend_hash;  // inductor_meta's entry, "" where there is none
  uint64_t size = 0;
  bool is_template = false;  // a GEMM (or flex, conv) template; else pointwise, reduction or a whole graph's wrapper
};

struct RecordedCache {
  std::string path;
  std::vector<RecordedSystem> systems;
  std::vector<RecordedProblem> problems;
  std::vector<RecordedKernel> kernels;
  std::vector<std::string>
      cpp_hashes;  // code_hash of each C++ source's bytes, sorted: the last part of a CPP choice's key
  std::vector<std::string> fxgraph_keys, aotautograd_keys;

  std::unordered_map<std::string, uint32_t> kernel_index;              // key -> kernels
  std::unordered_map<std::string, std::vector<uint32_t>> shape_index;  // "mm(1024x256, 256x512)" -> problems

  const RecordedKernel* Kernel(const std::string& key) const {
    auto found = kernel_index.find(key);
    return found == kernel_index.end() ? nullptr : &kernels[found->second];
  }
};

}  // namespace autotune
