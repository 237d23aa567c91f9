#include "analyzer/verdict/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/verdict/baseline.h"
#include "analyzer/verdict/blocks.h"
#include "analyzer/verdict/compare.h"
#include "analyzer/verdict/draft.h"
#include "analyzer/verdict/identities.h"
#include "analyzer/verdict/processes.h"
#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

// A suspect below this explains too little to stop looking.
constexpr double kExplained = 0.5;

bool Tuned(const Run& run) {
  return !TimedProblems(run).empty() || run.problems_dropped > 0 || run.orphans + run.orphan_stats > 0;
}

// The first line that shows a file of the cache that could not be read; null when there is none.
const StatedValue* BrokenCache(const Run& run) {
  for (const StatedValue& stated : run.stated) {
    if (stated.setting == "cache_contents") return &stated;
  }
  return nullptr;
}

void AskBrokenCache(const StatedValue& broken, Draft* draft) {
  Difference difference;
  difference.setting = "cache_contents";
  difference.observed = broken.value;
  difference.log_line = broken.first_line;
  difference.log_source = broken.source;
  // A file that cannot be read is the cache's fault whatever else differs.
  difference.confidence = 0.95;
  draft->Suspect(std::move(difference));
}

// Whether who states this may be who tuned: a pod's hit says nothing of the pod beside it.
bool MayHaveTuned(const StatedValue& stated, const Run& run) {
  return std::any_of(run.problems.begin(), run.problems.end(), [&](const TunedProblem& problem) {
    if (problem.first.source != stated.source) return false;
    return stated.processes.count("") > 0 || problem.processes.count("") > 0 ||
           std::any_of(stated.processes.begin(), stated.processes.end(),
                       [&](const std::string& process) { return problem.processes.count(process) > 0; });
  });
}

// "Half a hit": a graph came from the cache, and yet something was tuned.
void NoteHits(Draft* draft) {
  for (const StatedValue& stated : draft->run().stated) {
    if ((stated.setting != "fx_cache" && stated.setting != "aot_cache") || stated.value != "hit") continue;
    if (!draft->run().problems.empty() && !MayHaveTuned(stated, draft->run())) continue;
    draft->Note(fmt::format("a graph came from the cache (line {}), yet the run tuned: only other graphs missed",
                            stated.first_line));
    return;
  }
}

void NotePrintouts(Draft* draft) {
  const auto cached = std::count_if(draft->run().problems.begin(), draft->run().problems.end(),
                                    [](const TunedProblem& problem) { return IsCachedPrintout(problem); });
  if (cached == 0) return;
  draft->Note(
      fmt::format("{} table{} only print{} results found in the cache (about 0 s of benchmarking), which torch "
                  "does at DEBUG: no tuning",
                  cached, cached == 1 ? "" : "s", cached == 1 ? "s" : ""));
}

void TakeCache(Draft* draft) {
  for (const std::string& note : draft->input().cache_notes) draft->Note(note);
  for (Suspect suspect : draft->input().cache_suspects) {
    // "The entry is there and was not used" is what every other cause looks like from the cache: it leads only where
    // nothing else explains it.
    if (suspect.basis == Basis::kCacheLookup && suspect.setting == "cache_contents") {
      const bool explained = std::any_of(draft->suspects().begin(), draft->suspects().end(), [](const Suspect& other) {
        return other.setting != "cache_contents" && other.confidence >= 0.7;
      });
      if (explained) suspect.confidence = std::min(suspect.confidence, 0.3);
    }
    draft->FromCache(suspect);
  }
}

// What is left when nothing that the log states explains it.
void AskWhatIsLeft(Draft* draft) {
  if (!draft->input().manifest && !draft->input().baseline) return;
  const double strongest = draft->Strongest();
  const TunedProblem* first = draft->run().problems.empty() ? nullptr : &draft->run().problems.front();
  Difference contents;
  contents.setting = "cache_contents";
  contents.basis = Basis::kElimination;
  if (first) {
    contents.log_line = first->first.line;
    contents.log_source = first->first.source;
  }
  if (strongest >= kExplained) {
    if (strongest < 0.9 && !draft->Has("cache_contents")) {
      contents.confidence = 0.5 * (1 - strongest);
      draft->Suspect(std::move(contents));
    }
    return;
  }
  const bool folder_known = draft->IsEqual("TORCHINDUCTOR_CACHE_DIR");
  contents.confidence = folder_known ? 0.6 : 0.5;
  draft->Suspect(std::move(contents));
  const Fact* folder = draft->FactOf("TORCHINDUCTOR_CACHE_DIR");
  if (!folder || folder->not_set || draft->WasJudged(folder->setting)) return;
  Difference unset;
  unset.setting = folder->setting;
  unset.basis = Basis::kElimination;
  unset.manifest = folder->value;
  unset.manifest_line = folder->line;
  unset.confidence = 0.25;
  unset.why = "this log does not show which folder the run looked in; if it is not the recorded one, nothing is found";
  draft->Suspect(std::move(unset));
}

Verdict::State StateOf(const Draft& draft, bool broken) {
  if (draft.tuned() || broken) {
    return draft.input().manifest ? Verdict::State::kMismatch : Verdict::State::kUnknown;
  }
  const bool too_short = draft.run().lines == 0 || draft.run().ended_early;
  return too_short ? Verdict::State::kUnknown : Verdict::State::kClean;
}

}  // namespace

Verdict Judge(const JudgeInput& input, const RuleSet& rules) {
  Draft draft(input, rules);
  const StatedValue* broken = BrokenCache(*input.run);
  // A broken cache has to be explained like tuning, though the run may have ended before it tuned.
  draft.set_tuned(Tuned(*input.run) || broken != nullptr);

  CompareManifest(&draft);
  if (broken) AskBrokenCache(*broken, &draft);
  LookAtUnrecorded(&draft);
  AskBlocks(&draft);
  AskBaseline(&draft);
  AskIdentities(&draft);
  TakeCache(&draft);
  NotePrintouts(&draft);
  const Verdict::State state = StateOf(draft, broken != nullptr);
  if (draft.tuned()) {
    NoteHits(&draft);
    AskWhatIsLeft(&draft);
  }

  std::vector<std::string> not_observed = NotObserved(draft), next_checks = NextChecks(draft);
  Verdict verdict = draft.Take(state);
  verdict.not_observed = std::move(not_observed);
  if (state == Verdict::State::kMismatch) verdict.next_checks = std::move(next_checks);
  CompareProcesses(*input.run, rules, &verdict);
  return verdict;
}

}  // namespace autotune
