#include "analyzer/cache/compare_caches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analyzer/cache/cache_reader.h"
#include "analyzer/identity/code_key.h"
#include "analyzer/identity/key_backend.h"
#include "analyzer/identity/problem_key.h"

namespace autotune {
namespace {

constexpr size_t kPairs = 8, kOriginsOfAPair = 4;

// Several machines are compared as sets: which file is whose only their fields tell.
void CompareField(const char* name, const RecordedCache& recorded, const RecordedCache& run,
                  std::string (*value)(const RecordedSystem&), std::vector<std::string>* out) {
  auto all = [&](const RecordedCache& cache) {
    std::set<std::string> values;
    for (const RecordedSystem& system : cache.systems) values.insert(value(system));
    values.erase("");
    return values;
  };
  std::set<std::string> before = all(recorded), after = all(run);
  std::vector<std::string> added;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(added));
  if (added.empty()) return;
  out->push_back(fmt::format("system dictionary: {} is {} in the run's cache, {} in the recorded one", name,
                             ShownName(fmt::format("{}", fmt::join(added, ", "))),
                             before.empty() ? "absent" : ShownName(fmt::format("{}", fmt::join(before, ", ")))));
}

std::string Key(const RecordedProblem& problem) {
  return fmt::format("{}\n{}\n{}", problem.op, problem.inputs, problem.precision);
}

std::string Name(const RecordedProblem& problem) {
  auto inputs = ParseInputsKey(problem.inputs);
  return fmt::format("{}({})", ShownName(problem.op), inputs ? PrintedShapes(*inputs) : ShownName(problem.inputs));
}

}  // namespace

std::vector<std::string> CompareCaches(const RecordedCache& recorded, const RecordedCache& run, const RuleSet& rules) {
  std::vector<std::string> out;
  CompareField(
      "the device", recorded, run, [](const RecordedSystem& s) { return s.device; }, &out);
  CompareField(
      "Triton's version", recorded, run, [](const RecordedSystem& s) { return TritonKeyVersion(s.triton); }, &out);
  CompareField(
      "Triton's key", recorded, run, [](const RecordedSystem& s) { return s.triton.substr(0, 40); }, &out);
  CompareField(
      "CUDA", recorded, run, [](const RecordedSystem& s) { return s.cuda; }, &out);
  CompareField(
      "HIP", recorded, run, [](const RecordedSystem& s) { return s.hip; }, &out);

  std::map<std::string, const RecordedProblem*> before;
  for (const RecordedProblem& problem : recorded.problems) before[Key(problem)] = &problem;
  std::vector<std::string> new_problems;
  size_t same_problems = 0, new_choices = 0, lost_choices = 0;
  std::set<std::string> new_backends, old_backends;
  KeyBackends backends(rules);
  for (const RecordedProblem& problem : run.problems) {
    auto twin = before.find(Key(problem));
    if (twin == before.end()) {
      new_problems.push_back(Name(problem));
      continue;
    }
    ++same_problems;
    std::set<std::string> old_keys, new_keys;
    for (const RecordedChoice& choice : twin->second->choices) old_keys.insert(choice.key);
    for (const RecordedChoice& choice : problem.choices) new_keys.insert(choice.key);
    for (const std::string& key : old_keys) {
      old_backends.insert(backends.Of(problem.op, key));
      lost_choices += new_keys.count(key) == 0;
    }
    for (const std::string& key : new_keys) {
      if (old_keys.count(key) > 0) continue;
      ++new_choices;
      new_backends.insert(backends.Of(problem.op, key));
    }
  }
  if (!new_problems.empty()) {
    size_t count = new_problems.size();
    if (count > 5) new_problems.resize(5);
    out.push_back(fmt::format("the run's cache has {} problems that the recorded one has not: {}{}", count,
                              fmt::join(new_problems, ", "), count > 5 ? ", ..." : ""));
  }
  if (same_problems > 0) {
    out.push_back(fmt::format("both caches have {} problems; in those the run's has {} choices more and {} fewer{}",
                              same_problems, new_choices, lost_choices,
                              new_choices > 0 ? fmt::format(" (new ones of {})", fmt::join(new_backends, ", ")) : ""));
  }
  return out;
}

size_t CompareKernelSources(const std::string& recorded_path, const std::string& run_path,
                            const std::vector<RunKernel>& all, const std::set<size_t>& kernels,
                            std::map<std::string, SourceDifference>* differences,
                            std::map<std::string, size_t>* counts) {
  std::set<std::string> run_stems, recorded_stems;
  std::vector<size_t> chosen;
  for (size_t kernel : kernels) {
    if (chosen.size() == kPairs) break;
    chosen.push_back(kernel);
    run_stems.insert(all[kernel].key);
    for (size_t i = 0; i < all[kernel].recorded.size() && i < kOriginsOfAPair; ++i) {
      recorded_stems.insert(all[kernel].recorded[i]);
    }
  }
  std::map<std::string, std::string> run_sources, recorded_sources;
  auto keep = [](std::map<std::string, std::string>* into) {
    return [into](const std::string& stem, const std::string& source) { (*into)[stem] = source; };
  };
  if (!ReadKernels(run_path, run_stems, keep(&run_sources)).ok()) return 0;
  if (!ReadKernels(recorded_path, recorded_stems, keep(&recorded_sources)).ok()) return 0;
  size_t compared = 0;
  for (size_t kernel : chosen) {
    auto own = run_sources.find(all[kernel].key);
    if (own == run_sources.end()) continue;
    // The origin that differs least is the same problem's.
    std::optional<std::vector<SourceDifference>> least;
    for (const std::string& stem : all[kernel].recorded) {
      auto origin = recorded_sources.find(stem);
      if (origin == recorded_sources.end()) continue;
      std::vector<SourceDifference> found = CompareSources(origin->second, own->second);
      if (!least || found.size() < least->size()) least = std::move(found);
    }
    if (!least) continue;
    ++compared;
    for (const SourceDifference& difference : *least) {
      std::string name = fmt::format("{} {}", static_cast<int>(difference.place), difference.name);
      differences->emplace(name, difference);
      ++(*counts)[name];
    }
  }
  return compared;
}

}  // namespace autotune
