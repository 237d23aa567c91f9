#include "analyzer/identity/fill_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "analyzer/base/digest.h"
#include "analyzer/identity/choice_key.h"
#include "analyzer/identity/code_key.h"
#include "analyzer/identity/problem_key.h"

namespace autotune {
namespace {

const ExternChoice* FindExtern(const RuleSet& rules, std::string_view name) {
  for (const ExternRule& rule : rules.externs) {
    for (const ExternChoice& choice : rule.choices) {
      if (choice.name == name) return &choice;
    }
  }
  return nullptr;
}

// Blocks print times with four decimals; the file keeps them whole.
std::string PrintedTime(double ms) { return std::isinf(ms) ? "inf" : fmt::format("{:.4f}", ms); }

bool StartsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }
bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// "triton_mm-cxdg…" -> "cxdg…", "cutlass_gemm-c…-1" -> "c…"; "" when no part is a code hash.
std::string_view HashPart(std::string_view key) {
  for (size_t end = key.size(); end != std::string_view::npos && end > 0;) {
    size_t dash = key.rfind('-', end - 1);
    std::string_view part = dash == std::string_view::npos ? key.substr(0, end) : key.substr(dash + 1, end - dash - 1);
    if (IsCodeHash(part)) return part;
    if (dash == std::string_view::npos || key.size() - dash > 64) return {};
    end = dash;
  }
  return {};
}

// Whether a recorded key can be that of a printed row, by everything but the time.
class Compatible {
 public:
  Compatible(const RuleSet& rules, const RecordedCache& cache) : rules_(rules), cache_(cache) {}

  bool operator()(const Choice& row, const std::string& key) const {
    std::string_view hash = HashPart(key);
    if (row.backend == "ATEN") return Aten(row, key);
    if (row.backend == "TRITON") {
      std::string_view base = WithoutCounter(row.name);
      if (hash.empty() || key.size() != base.size() + 1 + hash.size() || !StartsWith(key, base)) return false;
      const RecordedKernel* kernel = cache_.Kernel(std::string(hash));
      return !kernel || kernel->description.empty() || kernel->description == row.description;
    }
    if (row.backend == "CPP") {
      std::string_view category = CppCategory(row.name);
      if (hash.empty() || key.size() != category.size() + 1 + hash.size() || !StartsWith(key, category)) return false;
      return !IsAtenKey(category, hash);
    }
    if (row.backend == "CUTLASS") {
      int swizzle = Swizzle(row.description);
      bool suffixed = !hash.empty() && !EndsWith(key, hash);
      return !hash.empty() && (!suffixed || EndsWith(key, fmt::format("{}-{}", hash, swizzle)));
    }
    if (row.backend == "DECOMPOSE_K" || row.backend == "SUBGRAPH") {
      std::string_view base = std::string_view(row.name).substr(0, row.name.rfind('_'));
      return StartsWith(key, fmt::format("{}-", base)) || StartsWith(key, row.name + "-");
    }
    if (row.backend == "NVGEMM") return key == NvGemmKey(row.description) || hash.empty();
    return true;  // CK, CKTILE, CUTEDSL, ...: the name says nothing about the key
  }

 private:
  bool Aten(const Choice& row, const std::string& key) const {
    if (!StartsWith(key, row.name + "-")) return false;
    const ExternChoice* choice = FindExtern(rules_, row.name);
    if (!choice || choice->callable.empty()) return IsCodeHash(HashPart(key));
    return EndsWith(key, fmt::format("-{}", ExternHash(*choice, "")));
  }
  // 2.6 calls a CPP bmm "bmm", like ATen's.
  bool IsAtenKey(std::string_view name, std::string_view hash) const {
    const ExternChoice* choice = FindExtern(rules_, name);
    return choice && hash == ExternHash(*choice, "");
  }

  const RuleSet& rules_;
  const RecordedCache& cache_;
};

// Rows to choices of one entry, each choice taken once. `timed`: the times must agree as well. A row stays at -1 when
// several choices fit it equally well. Returns false when some row fits no choice that is left.
bool Assign(const Compatible& compatible, const RecordedProblem& problem, const std::vector<Choice>& rows, bool timed,
            std::vector<int64_t>* out) {
  out->assign(rows.size(), -1);
  std::vector<std::vector<size_t>> options(rows.size());
  std::map<std::string, std::vector<size_t>> by_time;
  for (size_t c = 0; c < problem.choices.size(); ++c) by_time[PrintedTime(problem.choices[c].ms)].push_back(c);
  for (size_t r = 0; r < rows.size(); ++r) {
    if (timed) {
      auto found = by_time.find(PrintedTime(rows[r].ms));
      if (found == by_time.end()) return false;
      for (size_t c : found->second) {
        if (compatible(rows[r], problem.choices[c].key)) options[r].push_back(c);
      }
    } else {
      for (size_t c = 0; c < problem.choices.size(); ++c) {
        if (compatible(rows[r], problem.choices[c].key)) options[r].push_back(c);
      }
    }
  }
  std::set<size_t> taken;
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t r = 0; r < rows.size(); ++r) {
      if ((*out)[r] >= 0) continue;
      options[r].erase(
          std::remove_if(options[r].begin(), options[r].end(), [&](size_t c) { return taken.count(c) > 0; }),
          options[r].end());
      if (options[r].empty()) return false;
      if (options[r].size() > 1) continue;
      (*out)[r] = static_cast<int64_t>(options[r][0]);
      taken.insert(options[r][0]);
      progress = true;
    }
  }
  // What is left has two choices or more each: enough of them, or rows that no choice answers?
  std::set<size_t> left;
  size_t open = 0;
  for (size_t r = 0; r < rows.size(); ++r) {
    if ((*out)[r] >= 0) continue;
    ++open;
    left.insert(options[r].begin(), options[r].end());
  }
  return left.size() >= open;
}

bool SameLayout(const Block& block, const std::vector<InputKey>& recorded, const std::string& device) {
  if (recorded.size() != block.shapes.size()) return false;
  std::optional<std::vector<InputKey>> printed = PrintedInputs(block, device);
  for (size_t i = 0; i < recorded.size(); ++i) {
    if (!device.empty() && recorded[i].device != device && recorded[i].device != "meta") return false;
    if (printed && recorded[i].strides != (*printed)[i].strides) return false;
    if (block.dtypes && i < block.dtypes->size() && recorded[i].dtype != (*block.dtypes)[i]) return false;
  }
  return true;
}

void FillFromEntry(const RecordedProblem& problem, const std::vector<int64_t>& assigned, bool exact, Block* block) {
  block->inputs_key = problem.inputs;
  block->inputs_key_exact = exact;
  bool all = true;
  for (size_t r = 0; r < block->choices.size(); ++r) {
    if (assigned[r] < 0) {
      all = false;
      continue;
    }
    block->choices[r].hash_key = problem.choices[static_cast<size_t>(assigned[r])].key;
  }
  // The entry is the set itself only when it has as many choices as the block says were timed: choices of earlier runs
  // stay in the file for ever.
  std::optional<int64_t> total = block->candidate_set.total;
  if (!total || *total != static_cast<int64_t>(problem.choices.size()) || (!exact && !all)) return;
  std::vector<std::string> keys;
  for (const RecordedChoice& choice : problem.choices) keys.push_back(choice.key);
  block->candidate_set.key = CandidateSetKey(problem.op, problem.inputs, problem.precision, keys);
  block->candidate_set.basis = "inductor";
}

bool Torch211(const std::string& torch) { return torch == "2.11" || StartsWith(torch, "2.11."); }

// Keys that need no source: constants, and names that are keys.
void FillFromFormulas(const RuleSet& rules, const KeyHints& hints, const std::optional<std::vector<InputKey>>& inputs,
                      Block* block) {
  for (Choice& row : block->choices) {
    if (row.hash_key) continue;
    if (row.backend == "ATEN") {
      const ExternChoice* choice = FindExtern(rules, row.name);
      std::string hash = choice && !choice->keywords ? ExternHash(*choice, hints.torch) : "";
      if (!hash.empty()) row.hash_key = ExternKey(row.name, {}, hash);
    } else if (row.backend == "NVGEMM" && Torch211(hints.torch) && row.description.find(' ') != std::string::npos) {
      row.hash_key = NvGemmKey(row.description);
    } else if (row.backend == "DECOMPOSE_K" && Torch211(hints.torch) && inputs &&
               StartsWith(row.description, "k_split=")) {
      int64_t splits = std::atoll(row.description.c_str() + 8);
      if (auto graph = DecomposeKGraph(*inputs, splits)) row.hash_key = SubgraphKey(row.name, *inputs, *graph);
    }
  }
}

}  // namespace

std::string BlockDevice(const RuleSet& rules, const KeyHints& hints, const Block& block) {
  for (const Choice& row : block.choices) {
    if (row.backend == "CPP") return "cpu";
    const ExternChoice* choice = FindExtern(rules, row.name);
    if (choice && !choice->device.empty()) return choice->device;
  }
  return hints.device;
}

std::vector<ProblemMatch> MatchProblems(const RuleSet& rules, const RecordedCache& cache, const KeyHints& hints,
                                        const Block& block) {
  std::vector<ProblemMatch> out;
  auto found = cache.shape_index.find(fmt::format("{}({})", block.op, PrintedShapes(block.shapes)));
  if (found == cache.shape_index.end()) return out;
  std::string device = BlockDevice(rules, hints, block);
  Compatible compatible(rules, cache);
  for (uint32_t index : found->second) {
    const RecordedProblem& problem = cache.problems[index];
    std::optional<std::vector<InputKey>> recorded = ParseInputsKey(problem.inputs);
    if (!recorded || !SameLayout(block, *recorded, device)) continue;
    ProblemMatch match;
    match.problem = index;
    match.same_times = !block.choices.empty() && Assign(compatible, problem, block.choices, true, &match.rows);
    if (!match.same_times) Assign(compatible, problem, block.choices, false, &match.rows);
    out.push_back(std::move(match));
  }
  return out;
}

void FillKeys(const RuleSet& rules, const RecordedCache* cache, const KeyHints& hints, Block* block) {
  block->candidate_set = CandidateSet{};
  block->candidate_set.shown = static_cast<int64_t>(block->choices.size());
  block->candidate_set.total = block->num_choices ? block->num_choices : block->num_choices_stats;

  if (cache) {
    std::vector<ProblemMatch> matches = MatchProblems(rules, *cache, hints, *block);
    auto written = [](const ProblemMatch& m) { return m.same_times; };
    auto first = std::find_if(matches.begin(), matches.end(), written);
    bool one_written = std::count_if(matches.begin(), matches.end(), written) == 1;
    if (one_written) {
      FillFromEntry(cache->problems[first->problem], first->rows, true, block);
    } else if (hints.kernels_match && matches.size() == 1) {
      FillFromEntry(cache->problems[matches[0].problem], matches[0].rows, false, block);
    }
  }

  std::string device = BlockDevice(rules, hints, *block);
  if (device.empty()) device = "cuda";  // the device that blocks are printed for, unless something says otherwise
  std::optional<std::vector<InputKey>> printed = PrintedInputs(*block, device);
  if (!block->inputs_key && printed) block->inputs_key = InputsKey(*printed);
  if (!block->inputs_key) {
    if (auto guess = ContiguousInputs(*block, device, hints.dtype)) block->inputs_key_guess = InputsKey(*guess);
  }
  FillFromFormulas(rules, hints, printed, block);
  if (!block->candidate_set.basis.empty()) return;
  std::vector<std::string> identities;
  for (const Choice& row : block->choices) identities.push_back(ChoiceIdentity(row.name, row.description));
  block->candidate_set.key = PrintedFingerprint(block->op, PrintedShapes(block->shapes), std::move(identities));
  block->candidate_set.basis = "printed";
}

}  // namespace autotune
