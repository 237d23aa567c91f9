// Asks the log of the run that built the cache: the same problems there mean that their keys existed, new ones say
// which size, dtype or layer changed, and equal kernel keys say that nothing that is written into kernels differs.
#pragma once

#include <string>
#include <vector>

#include "analyzer/verdict/draft.h"

namespace autotune {

void AskBaseline(Draft* draft);

// The steps of it that need the build's problems alone, whoever recorded them (identities.h). Old problems of a
// manifest have its path as their source.
using Problems = std::vector<const TunedProblem*>;

// "line 12", or "manifest line 40": where the build's problem stands.
std::string BuildLine(const Block& old_block, const Draft& draft);

// Problems of both, that had fewer candidates in the build.
void AskCandidates(const Problems& again, const Problems& olds, Draft* draft);
// Whether candidates are suspected: problems then look new that had one candidate alone, and so no table.
bool HasNewCandidates(const Draft& draft);

// The kernels of a problem have other sources than in the build; `finding` says what shows it.
void BlameKernelSources(const Block& block, const std::string& finding, Draft* draft);

// What else is known about a run with new problems.
enum class Besides {
  kNothing,
  kOldOnesFound,       // kernels of the build were looked up and not tuned again
  kOldOnesTunedAgain,  // so the cache was not used at all
  kPerhapsTunedAgain,  // as far as shapes alone can tell
};
void AskNewProblems(const Problems& news, const Problems& olds, Besides besides, Basis basis, Draft* draft);

}  // namespace autotune
