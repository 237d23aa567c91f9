#include "analyzer/audit/record.h"

#include "analyzer/report/wording.h"

namespace autotune {

const Suspect* NamedCause(const RunRecord& run) {
  if (run.state == Verdict::State::kClean || run.suspects.empty()) return nullptr;
  const Suspect& first = run.suspects.front();
  return first.confidence >= kLikely && first.basis != Basis::kElimination ? &first : nullptr;
}

}  // namespace autotune
