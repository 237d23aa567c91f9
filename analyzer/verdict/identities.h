// Asks a manifest's section "Exact Identities": keys of the build, without its log or its cache.
//
//   a problem whose inputs key is not in the list is new: a shape, a dtype, another layer
//   the same inputs key with another candidate-set key: back ends, or what is written into every kernel, changed
//   both equal: the recorded entries were not where this run looked
//   another system hash: another card, Triton, CUDA or HIP
#pragma once

#include <string_view>

#include "analyzer/verdict/draft.h"

namespace autotune {

// The component of a graph key's listing that holds the system hash (torch 2.4 to 2.15, FxGraphHashDetails).
inline constexpr std::string_view kSystemHash = "system_info[hash]";

void AskIdentities(Draft* draft);

}  // namespace autotune
