// Asks the log of the run that built the cache: the same problems there mean that their keys existed, new ones say
// which size, dtype or layer changed, and equal kernel keys say that nothing that is written into kernels differs.
#pragma once

#include "analyzer/verdict/draft.h"

namespace autotune {

void AskBaseline(Draft* draft);

}  // namespace autotune
