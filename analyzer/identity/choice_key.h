// Keys of the caller classes (`hash_key()` of a choice), the key of a whole candidate set, and the names behind them.
// Facts: torch/_inductor/select_algorithm.py, codegen/cuda/, codegen/rocm/, codegen/cpp_template.py, ir.py; the range
// that each formula was read or checked in stands beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/identity/problem_key.h"

namespace autotune {

// "triton_mm_12" -> "triton_mm": the number counts callers of the process and is in no key. A name without one stays.
std::string_view WithoutCounter(std::string_view name);

// What stands for a choice in any process: its name without counters, and its description. CUTLASS names are hashes of
// the code already, and keep theirs.
std::string ChoiceIdentity(std::string_view name, std::string_view description);

// ExternKernelCaller, 2.2 to 2.15: name, keyword arguments in sorted order, the callable's hash.
//   {{"alpha", "1"}, {"beta", "1"}} -> "addmm-alpha=1-beta=1-c4xxd3…"
std::string ExternKey(std::string_view name, std::vector<std::pair<std::string, std::string>> keywords,
                      std::string_view hash);

// TritonTemplateCaller, 2.2 to 2.15 (description in the key from 2.5 on; checked on files of 2.11). Also CuteDSL,
// FlyDSL.
std::string TritonKey(std::string_view name, std::string_view source, std::string_view description);

// CppTemplate, 2.6 to 2.15: the source is hashed raw. Category: `packed_gemm` or `bmm` in 2.6, the micro kernel's class
// from 2.11 on.
std::string CppKey(std::string_view category, std::string_view source);
// "cpp_packed_gemm_0" -> "packed_gemm", "cpp_CppMicroGemmRef_2" -> "CppMicroGemmRef".
std::string_view CppCategory(std::string_view name);

// CUTLASS: category, hash of source and extra, and from 2.8 on the swizzle. Extra: 2.2 to 2.7 repr() of the nvcc
// command; 2.8 "[]"; from 2.11 on repr() of [nvcc, options, host options, key of the CUTLASS package]. No swizzle: 0.
std::string CutlassKey(std::string_view category, std::string_view source, std::string_view extra, int swizzle);
// The K of "…_epi_nosmem swizzle=K", 0 when there is none.
int Swizzle(std::string_view description);

// ROCm (CK, CKTILE), 2.5 to 2.15: extra is repr() of the compile command, so the key moves with ck_dir and rocm_home.
std::string RocmKey(std::string_view category, std::string_view source, std::string_view command);

// NVGEMM, 2.11: "op_name kernel" as described -> "op_name_kernel".
std::string NvGemmKey(std::string_view description);

// Subgraph, 2.8 to 2.15: name without its last part, sizes and strides of the inputs, text of the graph. Not hashed.
std::string SubgraphKey(std::string_view name, const std::vector<InputKey>& inputs, std::string_view graph);
// Text of decompose_k's graph for A (m x k) times B (k x n), as torch 2.11 traces it for row-major half-precision
// inputs; empty for other inputs, whose graph has other nodes.
std::optional<std::string> DecomposeKGraph(const std::vector<InputKey>& inputs, int64_t splits);

// "op:inputs:precision:key:key…", which inductor uses as it is to remember precompiled sets (2.5 to 2.15).
std::string PrecompileKey(std::string_view op, std::string_view inputs, std::string_view precision,
                          const std::vector<std::string>& keys);
// code_hash of it: one value for op, inputs, precision and every choice in the order of the cache file.
std::string CandidateSetKey(std::string_view op, std::string_view inputs, std::string_view precision,
                            const std::vector<std::string>& keys);
// For a block whose keys are not known: "p" and 51 characters over the header and the identities of the rows shown,
// sorted. Two blocks with equal fingerprints show the same candidates for the same shapes; it is no key of inductor.
std::string PrintedFingerprint(std::string_view op, std::string_view shapes, std::vector<std::string> identities);

}  // namespace autotune
