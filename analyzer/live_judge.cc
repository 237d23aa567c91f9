#include "analyzer/live_judge.h"

namespace autotune {
namespace {

// What a verdict says, apart from counts that grow with every block.
std::string Gist(const Verdict& verdict) {
  std::string gist(1, static_cast<char>('0' + static_cast<int>(verdict.state)));
  if (!verdict.suspects.empty()) {
    const Suspect& first = verdict.suspects.front();
    for (const std::string& part : {first.setting, first.manifest.value_or(""), first.observed.value_or("")}) {
      gist.append("\n").append(part);
    }
    gist.append("\n").append(BasisName(first.basis));
  }
  return gist;
}

}  // namespace

void LiveJudge::Look() {
  const Run& run = *input_.run;
  if (!run.tuned()) return;
  const bool news =
      run.problems.size() != problems_ || run.stated.size() != stated_ || run.orphan_stats != orphan_stats_;
  if (!news) return;
  problems_ = run.problems.size();
  stated_ = run.stated.size();
  orphan_stats_ = run.orphan_stats;

  const Verdict verdict = Judge(input_, rules_);
  std::string gist = Gist(verdict);
  if (gist != told_) {
    told_ = std::move(gist);
    reporter_->OnVerdict(run, input_.manifest, verdict);
  }
  const bool certain = verdict.state == Verdict::State::kMismatch && !verdict.suspects.empty() &&
                       verdict.suspects.front().confidence >= kCertain;
  if (stop_ == nullptr || !certain) return;
  stop_->store(true, std::memory_order_relaxed);
  stopped_ = true;
}

}  // namespace autotune
