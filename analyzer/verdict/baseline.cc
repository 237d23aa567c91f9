#include "analyzer/verdict/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/verdict/blocks.h"
#include "analyzer/verdict/compare.h"
#include "analyzer/verdict/new_problems.h"
#include "analyzer/verdict/shapes.h"
#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

// --- stated values --------------------------------------------------------------------------------------------------

bool IsOneValue(const std::vector<const StatedValue*>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](const StatedValue* value) { return value->value == values.front()->value; });
}

Difference Changed(const std::string& setting, const StatedValue& before, const StatedValue& now) {
  Difference difference;
  difference.setting = setting;
  difference.basis = Basis::kBaseline;
  difference.built = before.value;
  difference.observed = now.value;
  difference.log_line = now.first_line;
  difference.log_source = now.source;
  return difference;
}

// Where "NAME=" begins at or before `at`, as fields of a metadata listing do: behind a blank or a bracket.
size_t FieldStart(std::string_view text, size_t at) {
  const auto begins = [&](size_t i) {
    if (i > 0 && text[i - 1] != ' ' && text[i - 1] != '(') return false;
    const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", i);
    return end != std::string_view::npos && end > i && text[end] == '=';
  };
  while (at > 0 && !begins(at)) --at;
  return at;
}

std::string_view FieldAt(std::string_view text, size_t start) {
  size_t end = start;
  do {
    end = text.find(", ", end + 1);
  } while (end != std::string_view::npos && FieldStart(text, end + 2) != end + 2);
  return text.substr(start, end == std::string_view::npos ? end : end - start);
}

bool IsGraphInput(std::string_view setting) {
  return setting.starts_with("example_inputs[") || setting.starts_with("inputs_to_check");
}

// An input of the graph has other metadata: "TensorMetadata(dtype=torch.bfloat16, shape=torch.Size([4, 256, 256]),
// ...)". The first field that differs is told for the first such input.
struct ChangedInputs {
  int count = 0;
  std::string first;

  void Add(const std::string& setting, const StatedValue& before, const StatedValue& now) {
    if (++count > 1) return;
    const std::string_view a = before.value, b = now.value;
    const size_t same = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    const size_t start = FieldStart(a, std::min(same, a.empty() ? 0 : a.size() - 1));
    first = fmt::format("{} of the graph key had {} in the build (line {}) and has {} here (line {})", setting,
                        FieldAt(a, start), before.first_line, FieldAt(b, start), now.first_line);
  }
  void Tell(Draft* draft) const {
    if (count == 1) draft->Note(first);
    if (count > 1) draft->Note(fmt::format("{}; {} inputs of the graph differ in all", first, count));
  }
};

// Values that the manifest does not record, or that it cannot judge, in both logs.
void CompareStated(Draft* draft) {
  const auto now = StatedBySetting(draft->run(), draft->rules());
  const auto before = StatedBySetting(*draft->input().baseline, draft->rules());
  ChangedInputs inputs;
  for (const auto& [setting, values] : now) {
    const auto built = before.find(setting);
    if (built == before.end() || draft->WasJudged(setting)) continue;
    const StatedValue &first = *built->second.front(), &last = *values.back();
    const SettingRule* rule = draft->rules().Setting(setting);
    if (rule) {
      Fact fact;
      fact.value = first.value;
      const Comparison compared = CompareValues(*rule, fact, last.value, draft->rules());
      // Equal but for its order: what the graph key holds as it is written.
      if (compared.relation == Relation::kDiffers || compared.reordered) draft->Differs(Changed(setting, first, last));
      continue;
    }
    if (!IsOneValue(values) || !IsOneValue(built->second) || first.value == last.value) continue;
    // A component of the graph key that is no setting of ours: it explains a graph that missed.
    if (IsGraphInput(setting)) {
      inputs.Add(setting, first, last);
    } else if (setting.find('[') != std::string::npos) {
      draft->Note(fmt::format("component {} of the graph key was {} in the build (line {}) and is {} here (line {})",
                              setting, first.value, first.first_line, last.value, last.first_line));
    }
  }
  inputs.Tell(draft);
}

// torch_key of two listings: a hash over all of torch's files.
void CompareTorchTrees(Draft* draft) {
  const StatedValue *before = FindStated(*draft->input().baseline, "torch_key.hash"),
                    *now = FindStated(draft->run(), "torch_key.hash");
  if (!before || !now || before->value == now->value) return;
  draft->Note(fmt::format("the files of torch differ between the build and this run (torch_version {} and {}, line {})",
                          before->value, now->value, now->first_line));
}

// --- problems -------------------------------------------------------------------------------------------------------

std::set<std::string> KernelKeys(const Run& run) {
  std::set<std::string> keys;
  for (const StatedValue& stated : run.stated) {
    if (stated.setting == "kernel") keys.insert(stated.value.substr(0, stated.value.find(' ')));
  }
  return keys;
}

enum class Kernels { kUnknown, kSame, kOther, kSome };

Kernels CompareKernels(const Run& before, const Run& now) {
  const std::set<std::string> old_keys = KernelKeys(before), keys = KernelKeys(now);
  if (old_keys.empty() || keys.empty()) return Kernels::kUnknown;
  const auto shared =
      std::count_if(keys.begin(), keys.end(), [&](const std::string& key) { return old_keys.count(key) > 0; });
  if (shared == 0) return Kernels::kOther;
  return shared == static_cast<std::ptrdiff_t>(keys.size()) ? Kernels::kSame : Kernels::kSome;
}

const TunedProblem* FindSame(const Problems& olds, const TunedProblem& problem) {
  for (const TunedProblem* old_problem : olds) {
    if (SameProblem(old_problem->first, problem.first)) return old_problem;
  }
  return nullptr;
}

}  // namespace

std::string BuildLine(const Block& old_block, const Draft& draft) {
  const Manifest* manifest = draft.input().manifest;
  return fmt::format("{}line {}", manifest && old_block.source == manifest->path ? "manifest " : "", old_block.line);
}

void AskCandidates(const Problems& again, const Problems& olds, Draft* draft) {
  for (const TunedProblem* problem : again) {
    const Block &block = problem->first, &old_block = FindSame(olds, *problem)->first;
    if (!block.num_choices || !old_block.num_choices || *block.num_choices <= *old_block.num_choices) continue;
    draft->Note(fmt::format("{} had {} candidates in the build ({}) and has {} here (line {})", ProblemText(block),
                            *old_block.num_choices, BuildLine(old_block, *draft), *block.num_choices, block.line));
    std::set<std::string> added;
    for (const std::string& backend : problem->backends) {
      const bool hidden = old_block.num_choices > static_cast<int64_t>(old_block.choices.size());
      const bool triton_counted = backend == "TRITON" && old_block.num_triton_choices == 0;
      if (!FindSame(olds, *problem)->backends.count(backend) && (!hidden || triton_counted)) added.insert(backend);
    }
    for (const CauseRule& cause : draft->rules().causes) {
      if (added.empty() || !GovernsRowsOf(cause, block.op) || draft->FactOf(cause.setting)) continue;
      Difference difference;
      difference.setting = cause.setting;
      difference.basis = Basis::kCandidateSet;
      difference.observed = *added.begin() + " added";
      difference.confidence = 0.9;
      difference.log_line = block.line;
      difference.log_source = block.source;
      difference.why = fmt::format(
          "{} took part in tuning {}, and did not in the build ({}): its candidates are "
          "not in the cache",
          *added.begin(), ProblemText(block), BuildLine(old_block, *draft));
      draft->Suspect(std::move(difference));
      return;
    }
    return;
  }
}

void BlameKernelSources(const Block& block, const std::string& finding, Draft* draft) {
  if (draft->Strongest() >= 0.7) return;
  Difference contents;
  contents.setting = "cache_contents";
  contents.basis = Basis::kElimination;
  contents.log_line = block.line;
  contents.log_source = block.source;
  contents.confidence = 0.5;
  contents.why = finding +
                 ": what the cache holds is for kernels with other sources, so a setting that is written into every "
                 "kernel differs, and this log does not state which";
  draft->Suspect(std::move(contents));
  for (const CauseRule& cause : draft->rules().causes) {
    const bool everywhere = cause.effect == "retune" && !cause.edits.empty();
    if (!everywhere || draft->IsEqual(cause.setting) || draft->WasJudged(cause.setting) ||
        !InReleases(draft->torch(), cause.from, cause.until)) {
      continue;
    }
    const Fact* fact = draft->FactOf(cause.setting);
    Difference difference;
    difference.setting = cause.setting;
    difference.basis = Basis::kBaseline;
    if (fact) {
      difference.manifest = fact->value;
      difference.manifest_line = fact->line;
    }
    difference.confidence = cause.prior;
    difference.log_line = block.line;
    difference.log_source = block.source;
    difference.why = fmt::format(
        "{}: what is written into every kernel changed, and {} is one such setting; this log does not state it",
        finding, cause.setting);
    draft->Suspect(std::move(difference));
  }
}

namespace {

// Problems that were recorded and are tuned again, although shapes and candidates stayed: their kernels' keys tell
// whether the sources changed.
void AskWhyAgain(const Problems& again, Draft* draft) {
  const Block& block = again.front()->first;
  const Kernels kernels = CompareKernels(*draft->input().baseline, draft->run());
  Difference contents;
  contents.setting = "cache_contents";
  contents.basis = Basis::kElimination;
  contents.log_line = block.line;
  contents.log_source = block.source;
  if (kernels == Kernels::kSame) {
    draft->Note(
        "the kernels that this log names have the keys that they had in the build: nothing that is written into "
        "kernels differs");
    contents.confidence = 0.6;
    contents.why = fmt::format(
        "{} was tuned in the build and is tuned again, with kernels of the same keys: the recorded entries were not in "
        "the "
        "folder that this run looks in (not copied, not mounted, emptied), or the file is for another card, Triton or "
        "CUDA",
        ProblemText(block));
    draft->Suspect(std::move(contents));
    return;
  }
  if (kernels != Kernels::kOther) return;
  draft->Note(
      "no kernel that this log names has a key of the build: something that is written into every kernel's source "
      "differs");
  BlameKernelSources(
      block,
      fmt::format("{} was tuned in the build and is tuned again, with kernels of other keys", ProblemText(block)),
      draft);
}

// --- new problems ---------------------------------------------------------------------------------------------------

std::string Became(const NewProblemsReading& reading, const Draft& draft) {
  return fmt::format("{} is new; the build had {} ({}): {} became {}", ProblemText(reading.example->first),
                     ProblemText(reading.nearest->first), BuildLine(reading.nearest->first, draft), reading.from,
                     reading.to);
}

void Sized(const std::string& setting, const NewProblemsReading& reading, Draft* draft, Difference* difference) {
  difference->setting = setting;
  difference->built = fmt::format("{}", reading.from);
  difference->observed = fmt::format("{}", reading.to);
  difference->why = Became(reading, *draft) + "; shapes are part of the key";
  const Fact* fact = draft->FactOf(setting);
  if (!fact || fact->not_set) difference->confidence = 0.9;
}

// The length or batch that moved is the one that the manifest records, or nothing is recorded: else it is some size.
std::string SizeSetting(const std::string& setting, int64_t from, const Draft& draft) {
  if (draft.IsEqual(setting)) return "input_shapes";
  const Fact* fact = draft.FactOf(setting);
  if (!fact || fact->not_set) return setting;
  const std::optional<int64_t> recorded = FirstInteger(fact->value);
  return !recorded || *recorded == from ? setting : "input_shapes";
}

double Belief(Besides besides) {
  switch (besides) {
    case Besides::kOldOnesTunedAgain:
      return 0.5;
    case Besides::kPerhapsTunedAgain:
      return 0.8;
    default:
      return 1;
  }
}

}  // namespace

void AskNewProblems(const Problems& news, const Problems& olds, Besides besides, Basis basis, Draft* draft) {
  const NewProblemsReading reading = ReadNewProblems(news, olds);
  Difference difference;
  difference.basis = basis;
  difference.doubt = Belief(besides);
  difference.log_line = reading.example->first.line;
  difference.log_source = reading.example->first.source;
  switch (reading.kind) {
    case NewProblems::kSequence:
      Sized(SizeSetting("sequence_length", reading.from, *draft), reading, draft, &difference);
      break;
    case NewProblems::kBatch:
      Sized(SizeSetting("batch_size", reading.from, *draft), reading, draft, &difference);
      break;
    case NewProblems::kTokens:
      Sized("input_shapes", reading, draft, &difference);
      break;
    case NewProblems::kDtype:
      difference.setting = draft->IsEqual("dtype") ? "input_shapes" : "dtype";
      difference.built = reading.old_dtype;
      difference.observed = reading.dtype;
      break;
    case NewProblems::kDynamic:
      difference.setting = "dynamic_shapes";
      difference.observed = "sizes are symbols in one run and numbers in the other";
      difference.confidence = 0.8;
      break;
    case NewProblems::kModel:
      difference.setting = "model";
      difference.observed = ProblemText(reading.example->first);
      difference.confidence = besides == Besides::kOldOnesFound ? 0.92 : 0.85;
      difference.why =
          reading.nearest
              ? fmt::format(
                    "{} was not tuned in the build, whose nearest problem is {} ({}): another layer, or a "
                    "graph that was not compiled then, a backward one for instance",
                    ProblemText(reading.example->first), ProblemText(reading.nearest->first),
                    BuildLine(reading.nearest->first, *draft))
              : fmt::format(
                    "{} was not tuned in the build, nor was anything like it: another layer, or a graph that was "
                    "not compiled then",
                    ProblemText(reading.example->first));
      break;
  }
  if (const Fact* fact = draft->FactOf(difference.setting); fact && difference.setting != "model") {
    difference.manifest = fact->value;
    difference.manifest_line = fact->line;
  }
  if (draft->IsEqual(difference.setting)) return;
  draft->Suspect(std::move(difference));
}

bool HasNewCandidates(const Draft& draft) {
  return std::any_of(draft.suspects().begin(), draft.suspects().end(), [](const auto& suspect) {
    return suspect.basis == Basis::kCandidateSet && suspect.confidence >= 0.5;
  });
}

void AskBaseline(Draft* draft) {
  if (!draft->input().baseline) return;
  const Run& baseline = *draft->input().baseline;
  CompareStated(draft);
  CompareTorchTrees(draft);

  const Problems olds = TimedProblems(baseline), problems = TimedProblems(draft->run());
  if (problems.empty()) return;
  if (olds.empty()) {
    draft->Note("the build's log shows no tuned problem, so new problems cannot be told from old ones");
    return;
  }
  Problems again, news;
  for (const TunedProblem* problem : problems) (FindSame(olds, *problem) ? again : news).push_back(problem);
  if (!again.empty()) {
    draft->Note(
        fmt::format("{} of the {} problems tuned here were tuned in the build as well", again.size(), problems.size()));
    AskCandidates(again, olds, draft);
  }
  // A back end that was added makes problems that had one candidate alone, and so no table, look new.
  if (HasNewCandidates(*draft)) return;
  if (!again.empty()) {
    AskWhyAgain(again, draft);
    // Up to torch 2.7 no strides and dtypes are printed, and a new problem can look like an old one.
    const bool certain = again.front()->first.strides.has_value();
    if (!news.empty()) {
      AskNewProblems(news, olds, certain ? Besides::kOldOnesTunedAgain : Besides::kPerhapsTunedAgain, Basis::kBaseline,
                     draft);
    }
    return;
  }
  const Kernels kernels = CompareKernels(baseline, draft->run());
  const bool others_found = kernels == Kernels::kSome || kernels == Kernels::kSame;
  if (others_found) {
    draft->Note("kernels of the build were looked up without being tuned again: the recorded cache was reached");
    // Then what would make every problem new cannot be it.
    for (const Suspect& suspect : std::vector<Suspect>(draft->suspects())) {
      if (suspect.basis == Basis::kObserved) draft->Doubt(suspect.setting, 0.4);
    }
  }
  AskNewProblems(news, olds, others_found ? Besides::kOldOnesFound : Besides::kNothing, Basis::kBaseline, draft);
}

}  // namespace autotune
