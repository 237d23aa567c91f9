// Asks a manifest's section "Exact Identities": keys of the build, without its log or its cache.
//
//   a problem whose inputs key is not in the list is new: a shape, a dtype, another layer
//   the same inputs key with another candidate-set key: back ends, or what is written into every kernel, changed
//   both equal: the recorded entries were not where this run looked
//   another system hash: another card, Triton, CUDA or HIP
#pragma once

#include "analyzer/verdict/draft.h"

namespace autotune {

void AskIdentities(Draft* draft);

}  // namespace autotune
