#include "analyzer/cache/run_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analyzer/identity/code_key.h"
#include "analyzer/identity/problem_key.h"

namespace autotune {
namespace {

// Kernels tried, and recorded origins of one: a debug log names thousands, and a few hundred prove as much.
constexpr size_t kMaxKernels = 400, kMaxOrigins = 64, kMaxSizes = 16;

std::string_view HashOf(std::string_view key) { return key.substr(key.rfind('-') + 1); }

// Recorded candidates by description.
using Origins = std::unordered_map<std::string, std::vector<std::string>>;

Origins ByDescription(const RecordedCache& recorded) {
  Origins out;
  for (const RecordedKernel& kernel : recorded.kernels) {
    if (kernel.is_template && !kernel.description.empty()) out[kernel.description].push_back(kernel.key);
  }
  return out;
}

void AddLoggedKernels(const Run& run, const RecordedCache& recorded, const Origins& origins, RunView* view) {
  std::set<std::string> seen;
  for (const StatedValue& stated : run.stated) {
    if (stated.setting != kKernelSetting) continue;
    size_t blank = stated.value.find(' ');
    std::string key = stated.value.substr(0, blank);
    if (!IsCodeHash(key) || !seen.insert(key).second) continue;
    if (!view->first_kernel_line) {
      view->first_kernel_line = stated.first_line;
      view->kernel_source = stated.source;
    }
    if (recorded.Kernel(key)) {
      ++view->equal_kernels;
      continue;
    }
    if (blank == std::string::npos) continue;
    if (view->foreign.size() >= kMaxKernels) {
      ++view->kernels_left_out;
      continue;
    }
    RunKernel kernel;
    kernel.key = key;
    kernel.description = stated.value.substr(blank + 1);
    auto found = origins.find(kernel.description);
    if (found != origins.end()) kernel.recorded = found->second;
    if (kernel.recorded.size() > kMaxOrigins) kernel.recorded.resize(kMaxOrigins);
    view->foreign.push_back(std::move(kernel));
  }
}

// The run's own cache: the candidates that it has and the recorded cache has not, with the kernels of the same
// candidate in the same problem (or else in any) as origins. A run often starts from a copy of the recorded cache: an
// entry with the recorded time was there before, one with another time was measured by the run.
class CachedKernels {
 public:
  CachedKernels(const RecordedCache& recorded, const RecordedCache& run_cache, const Origins& origins, RunView* view)
      : recorded_(recorded), run_cache_(run_cache), origins_(origins), view_(view) {
    for (const RunKernel& kernel : view->foreign) seen_.insert(kernel.key);
  }

  void Add() {
    std::map<std::string, const RecordedProblem*> twins;
    for (const RecordedProblem& problem : recorded_.problems)
      twins.emplace(problem.op + "\n" + problem.inputs, &problem);
    for (const RecordedProblem& problem : run_cache_.problems) {
      auto found = twins.find(problem.op + "\n" + problem.inputs);
      std::map<std::string, double> twin;
      if (found != twins.end()) {
        for (const RecordedChoice& choice : found->second->choices) twin.emplace(HashOf(choice.key), choice.ms);
      }
      bool measured = std::any_of(problem.choices.begin(), problem.choices.end(), [&](const RecordedChoice& choice) {
        auto recorded = twin.find(std::string(HashOf(choice.key)));
        return recorded != twin.end() && recorded->second != choice.ms;
      });
      for (const RecordedChoice& choice : problem.choices) {
        std::string key(HashOf(choice.key));
        if (twin.count(key) == 0) {
          Foreign(key, twin);
        } else if (measured && recorded_.Kernel(key) && seen_.insert(key).second) {
          ++view_->equal_kernels;
        }
      }
    }
    // Candidates that did not compile have a source and no entry.
    for (const RecordedKernel& kernel : run_cache_.kernels) Foreign(kernel.key, {});
  }

 private:
  void Foreign(const std::string& key, const std::map<std::string, double>& twin) {
    const RecordedKernel* own = run_cache_.Kernel(key);
    if (!own || !own->is_template || own->description.empty() || recorded_.Kernel(key) || !seen_.insert(key).second)
      return;
    if (view_->foreign.size() >= kMaxKernels) {
      ++view_->kernels_left_out;
      return;
    }
    RunKernel kernel;
    kernel.key = key;
    kernel.description = own->description;
    if (!own->backend_hash.empty()) kernel.values["run"] = own->backend_hash;
    auto found = origins_.find(own->description);
    if (found != origins_.end()) {
      for (const std::string& origin : found->second) {
        bool in_twin = twin.empty() || twin.count(origin) > 0;
        if (in_twin && kernel.recorded.size() < kMaxOrigins) kernel.recorded.push_back(origin);
      }
    }
    view_->foreign.push_back(std::move(kernel));
  }

  const RecordedCache& recorded_;
  const RecordedCache& run_cache_;
  const Origins& origins_;
  RunView* view_;
  std::set<std::string> seen_;
};

// M, N, K of the last two inputs with two dimensions or more: how the templates call them.
std::optional<Sizes> ProblemSizes(const Block& block) {
  std::vector<std::vector<int64_t>> matrices;
  for (const std::string& shape : block.shapes) {
    std::optional<std::vector<int64_t>> sizes = ShapeNumbers(shape);
    if (sizes && sizes->size() >= 2) matrices.push_back(*std::move(sizes));
  }
  if (matrices.size() < 2) return std::nullopt;
  const std::vector<int64_t>&a = matrices[matrices.size() - 2], &b = matrices.back();
  return Sizes{{"M", fmt::format("{}", a[a.size() - 2])},
               {"K", fmt::format("{}", a.back())},
               {"N", fmt::format("{}", b.back())}};
}

}  // namespace

const StatedValue* Stated(const Run& run, std::string_view setting) {
  auto found = std::find_if(run.stated.begin(), run.stated.end(),
                            [&](const StatedValue& value) { return value.setting == setting && !value.value.empty(); });
  return found == run.stated.end() ? nullptr : &*found;
}

const Fact* Recorded(const Manifest* manifest, std::string_view setting) {
  const Fact* out = nullptr;
  if (!manifest) return out;
  for (const Fact& fact : manifest->facts) {
    if (fact.setting == setting && (!out || (out->from_checklist && !fact.from_checklist))) out = &fact;
  }
  return out;
}

std::string ProblemName(const Block& block) { return fmt::format("{}({})", block.op, PrintedShapes(block.shapes)); }

RunView ViewRun(const LookUpInput& input, const RecordedCache& recorded, const RecordedCache* run_cache,
                const RuleSet& rules) {
  RunView view;
  if (const StatedValue* torch = Stated(*input.run, "torch")) view.torch = torch->value;
  if (const Fact* torch = Recorded(input.manifest, "torch"); torch && view.torch.empty()) view.torch = torch->value;
  Origins origins = ByDescription(recorded);
  AddLoggedKernels(*input.run, recorded, origins, &view);
  if (run_cache) CachedKernels(recorded, *run_cache, origins, &view).Add();
  for (const TunedProblem& tuned : input.run->problems) {
    LookedUpProblem problem;
    problem.tuned = &tuned;
    problem.matches = MatchProblems(rules, recorded, input.book->hints(), tuned.first);
    problem.is_recorded_run = std::any_of(problem.matches.begin(), problem.matches.end(),
                                          [](const ProblemMatch& match) { return match.same_times; });
    if (run_cache) {
      std::vector<ProblemMatch> own = MatchProblems(rules, *run_cache, input.book->hints(), tuned.first);
      if (!own.empty()) problem.run_entry = &run_cache->problems[own[0].problem];
    }
    if (problem.matches.empty()) {
      problem.nearest = FindNearest(recorded, tuned.first);
      auto sizes = ProblemSizes(tuned.first);
      bool known = !sizes || std::find(view.sizes.begin(), view.sizes.end(), *sizes) != view.sizes.end();
      if (!known && view.sizes.size() < kMaxSizes) view.sizes.push_back(*std::move(sizes));
    }
    view.problems.push_back(std::move(problem));
  }
  return view;
}

}  // namespace autotune
