// A generated Triton kernel's source text: what it says of itself, and what it would be under another setting.
//
//   @triton_heuristics.template(
//   num_stages=3,
//   num_warps=4,
//   triton_meta={'signature': {'arg_A': '*bf16', …}, 'device': DeviceProperties(type='cuda', index=0, …), …},
//   inductor_meta={'kernel_name': 'Placeholder.DESCRIPTIVE_NAME', 'backend_hash': '91D1…', …, 'config_args': {…}},
//   )
//   @triton.jit
//   def triton_bmm(arg_A, arg_B, out_ptr0):
//       EVEN_K : tl.constexpr = True
//       …
// The text is hashed into the kernel's key, so editing it as a setting would, and hashing again, shows whether that
// setting made another key. Facts: torch/_inductor/select_algorithm.py (TritonTemplateKernel), torch 2.4 to 2.15;
// entries of inductor_meta as listed for 2.6, 2.11 and 2.14.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/rule/cause_rule.h"

namespace autotune {

// One top-level entry of a Python dictionary in the text.
struct MetaEntry {
  std::string key;
  std::string_view value;     // as written
  size_t begin = 0, end = 0;  // of "'key': value" in the source
};

// Entries of the source's `inductor_meta={…}`, in order; empty when there is none or it does not end.
std::vector<MetaEntry> InductorMeta(std::string_view source);
// The same for any dictionary text "{…}" at the start of `text`; `offset` is added to the places.
std::vector<MetaEntry> DictEntries(std::string_view text, size_t offset = 0);

bool IsTemplateKernel(std::string_view source);

// "triton_mm": the function that the file defines, "" when there is none.
std::string_view KernelFunction(std::string_view source);

// The description with which the source hashes to `stem`, found from what the source says of its own configuration
// (config_args where it has them, else its constexpr lines); empty when no reading gives the stem.
std::optional<std::string> DescriptionOf(std::string_view source, std::string_view stem);
// The entry of inductor_meta (torch 2.11 on) that DescriptionOf can rely on: where it stands and no reading gives the
// stem, the file is not what was written.
inline constexpr std::string_view kConfigArgs = "config_args";

// What all kernels of one problem share: a hash of the function's body behind its configuration lines. It means
// something in this process alone.
uint64_t ProblemSignature(std::string_view source);

// A rule's edit with its placeholders filled in and its pattern compiled.
class CompiledEdit;
// `values` fills "{M}", "{run}" …: an edit that names a value which is not there, or an invalid pattern, gives null.
std::vector<std::shared_ptr<const CompiledEdit>> CompileEdits(const std::vector<SourceEdit>& edits,
                                                              const std::map<std::string, std::string>& values);
// Applies them in order; empty when one of them changes nothing (the setting cannot have made this difference).
std::optional<std::string> ApplyEdits(std::string_view source,
                                      const std::vector<std::shared_ptr<const CompiledEdit>>& edits);

// The first things that differ between two sources of one candidate.
struct SourceDifference {
  enum class Place { kMeta, kTritonMeta, kConstant, kText };
  Place place = Place::kText;
  std::string name;           // meta entry ("force_disable_caches"), constant ("M"), "" for other text
  std::string before, after;  // "" where one side has none
};
// Differing entries of inductor_meta and triton_meta, then constants ("M = 1024"); other text only when nothing of
// these differs. In the order of the text.
std::vector<SourceDifference> CompareSources(std::string_view before, std::string_view after);

}  // namespace autotune
