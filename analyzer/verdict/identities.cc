#include "analyzer/verdict/identities.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/identity/problem_key.h"
#include "analyzer/verdict/baseline.h"
#include "analyzer/verdict/blocks.h"
#include "analyzer/verdict/new_problems.h"
#include "analyzer/verdict/shapes.h"

namespace autotune {
namespace {

// --- the machine ----------------------------------------------------------------------------------------------------

const Identities::System* FindSystem(const Identities& identities, std::string_view hash) {
  for (const Identities::System& system : identities.systems) {
    if (system.hash == hash) return &system;
  }
  return nullptr;
}

void AskSystem(const Identities& identities, Draft* draft) {
  if (identities.systems.empty()) return;
  // What get_system() hashes.
  constexpr const char* kHashed[] = {"gpu", "triton", "cuda", "hip"};
  const StatedValue* stated = FindStated(draft->run(), kSystemHash);
  if (stated == nullptr) return;
  if (const Identities::System* system = FindSystem(identities, stated->value)) {
    draft->Note(
        fmt::format("the system hash is the recorded one (line {}, manifest line {}): the same card, Triton "
                    "and CUDA or HIP",
                    stated->first_line, system->line));
    for (const char* setting : kHashed) {
      const Fact* fact = draft->FactOf(setting);
      if (fact && !fact->not_set && !draft->WasJudged(setting))
        draft->Equal(setting, fact->value, fact->line, stated->first_line);
    }
    return;
  }
  // A listing that shows another card or version says it better.
  const auto known = std::any_of(std::begin(kHashed), std::end(kHashed), [&](const char* s) { return draft->Has(s); });
  if (known) return;
  std::vector<std::string> open;
  for (const char* setting : kHashed) {
    const Fact* fact = draft->FactOf(setting);
    if (!draft->IsEqual(setting) && (!fact || !fact->not_set)) open.push_back(setting);
  }
  for (const std::string& setting : open) {
    Difference difference;
    difference.setting = setting;
    if (const Fact* fact = draft->FactOf(setting)) {
      difference.manifest = fact->value;
      difference.manifest_line = fact->line;
    }
    difference.log_line = stated->first_line;
    difference.log_source = stated->source;
    difference.confidence = 0.95 / static_cast<double>(open.size());
    difference.why = fmt::format(
        "the system hash of this run ({:.12}, line {}) is not the recorded one ({:.12}, manifest line {}): the card, "
        "Triton, CUDA or HIP differs, so the tuning file of the cache is not looked at",
        stated->value, stated->first_line, identities.systems.front().hash, identities.systems.front().line);
    draft->Suspect(std::move(difference));
  }
}

// --- the problems ---------------------------------------------------------------------------------------------------

std::vector<std::string> Texts(const std::vector<int64_t>& numbers) {
  std::vector<std::string> texts;
  for (const int64_t number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

// A recorded problem as the block that printed it.
std::optional<TunedProblem> AsProblem(const Identities::Problem& recorded, const std::string& manifest) {
  const std::optional<std::vector<InputKey>> inputs = ParseInputsKey(recorded.inputs_key);
  if (!inputs) return std::nullopt;
  TunedProblem problem;
  Block& block = problem.first;
  block.source = manifest;
  block.line = recorded.line;
  block.op = recorded.op;
  block.inputs_key = recorded.inputs_key;
  block.num_choices = recorded.choices;
  // A key stands for every candidate, so the back ends beside it are all; a log's table may have hidden some.
  constexpr int64_t kMostChoices = 100000;
  if (!recorded.candidate_set_key.empty() && recorded.choices.value_or(0) <= kMostChoices)
    block.choices.resize(static_cast<size_t>(std::max<int64_t>(recorded.choices.value_or(0), 0)));
  block.strides.emplace();
  block.dtypes.emplace();
  for (const InputKey& input : *inputs) {
    block.shapes.push_back(fmt::format("{}", fmt::join(input.sizes, "x")));
    block.strides->push_back(Texts(input.strides));
    block.dtypes->push_back(input.dtype);
  }
  problem.backends.insert(recorded.backends.begin(), recorded.backends.end());
  return problem;
}

struct Recorded {
  const Identities::Problem* identity = nullptr;
  TunedProblem problem;
};

const Recorded* FindRecorded(const std::vector<Recorded>& recorded, const TunedProblem& problem) {
  for (const Recorded& one : recorded) {
    const Block& block = problem.first;
    const bool same = block.inputs_key && block.inputs_key_exact
                          ? block.op == one.identity->op && *block.inputs_key == one.identity->inputs_key
                          : SameProblem(one.problem.first, block);
    if (same) return &one;
  }
  return nullptr;
}

// The run's own candidate-set keys beside the recorded ones, where the run's are known.
void AskCandidateKeys(const std::vector<Recorded>& recorded, const std::vector<const TunedProblem*>& again,
                      Draft* draft) {
  size_t equal = 0;
  const TunedProblem* changed = nullptr;
  for (const TunedProblem* problem : again) {
    const CandidateSet& set = problem->first.candidate_set;
    const Recorded* one = FindRecorded(recorded, *problem);
    if (set.basis != "inductor" || one->identity->candidate_set_key.empty()) return;
    if (set.key == one->identity->candidate_set_key) {
      ++equal;
    } else if (changed == nullptr) {
      changed = problem;
    }
  }
  const Block& block = (changed ? changed : again.front())->first;
  const uint64_t line = FindRecorded(recorded, changed ? *changed : *again.front())->identity->line;
  if (changed != nullptr) {
    BlameKernelSources(
        block,
        fmt::format("{} has the recorded inputs and other candidates (manifest line {})", ProblemText(block), line),
        draft);
    return;
  }
  Difference contents;
  contents.setting = "cache_contents";
  contents.basis = Basis::kCacheLookup;
  contents.confidence = 0.85;
  contents.log_line = block.line;
  contents.log_source = block.source;
  contents.why = fmt::format(
      "all {} problems tuned here have the recorded inputs and candidates ({} at manifest line {}): the recorded "
      "entries "
      "were not in the folder that this run looks in (not copied, not mounted, emptied)",
      equal, ProblemText(block), line);
  draft->Suspect(std::move(contents));
}

void AskProblems(const Identities& identities, Draft* draft) {
  const std::vector<const TunedProblem*> problems = TimedProblems(draft->run());
  if (problems.empty() || identities.problems.empty()) return;
  std::vector<Recorded> recorded;
  for (const Identities::Problem& identity : identities.problems) {
    if (auto problem = AsProblem(identity, draft->input().manifest->path))
      recorded.push_back({&identity, *std::move(problem)});
  }
  if (recorded.empty()) return;
  std::vector<const TunedProblem*> again, news, olds;
  for (const Recorded& one : recorded) olds.push_back(&one.problem);
  for (const TunedProblem* problem : problems) (FindRecorded(recorded, *problem) ? again : news).push_back(problem);
  draft->Note(fmt::format("{} of the {} problems tuned here are among the manifest's exact identities (line {})",
                          again.size(), problems.size(), identities.problems.front().line));
  if (!again.empty()) AskCandidates(again, olds, draft);
  if (HasNewCandidates(*draft)) return;
  if (!again.empty() && news.empty()) AskCandidateKeys(recorded, again, draft);
  if (news.empty()) return;
  const bool certain = problems.front()->first.strides.has_value();
  const Besides besides = again.empty() ? Besides::kNothing
                          : certain     ? Besides::kOldOnesTunedAgain
                                        : Besides::kPerhapsTunedAgain;
  AskNewProblems(news, olds, besides, Basis::kShape, draft);
}

}  // namespace

void AskIdentities(Draft* draft) {
  const Manifest* manifest = draft->input().manifest;
  if (manifest == nullptr || manifest->identities.empty()) return;
  AskSystem(manifest->identities, draft);
  // A build's own log and cache hold all that was recorded of them here.
  if (draft->input().baseline == nullptr && !draft->input().cache_read) AskProblems(manifest->identities, draft);
}

}  // namespace autotune
