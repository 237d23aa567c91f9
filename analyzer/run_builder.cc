#include "analyzer/run_builder.h"

#include <algorithm>
#include <limits>

namespace autotune {
namespace {

// Labels kept by name for one value or problem; a job of thousands of ranks states the same thing thousands of times.
constexpr size_t kMaxProcesses = 64;

std::string ProcessName(const Labels& labels) {
  if (labels.process) return labels.pod ? *labels.pod + "/" + *labels.process : *labels.process;
  if (labels.rank) return (labels.pod ? *labels.pod + "/" : "") + "rank " + std::to_string(*labels.rank);
  return labels.pod.value_or("");
}

void Remember(const Labels& labels, std::set<std::string>* processes) {
  if (processes->size() >= kMaxProcesses) return;
  const bool known =
      !labels.process && !labels.rank && !labels.pod && !processes->empty() && processes->begin()->empty();
  if (!known) processes->insert(ProcessName(labels));
}

// A choice's identity: its name without the process-wide counter, and its description ("triton_mm_12 BLOCK_K=..."
// differs between runs only in the 12).
std::string Identity(const Choice& choice) {
  std::string name = choice.name;
  const size_t digits = name.find_last_not_of("0123456789");
  if (digits != std::string::npos && digits + 1 < name.size() && name[digits] == '_' && !choice.description.empty())
    name.resize(digits);
  return choice.description.empty() ? name : name + " " + choice.description;
}

}  // namespace

std::string ProblemKey(const Block& block) {
  std::string key = block.op;
  for (const std::string& shape : block.shapes) key.append("|").append(shape);
  if (block.strides) {
    for (const auto& one : *block.strides) {
      key.append("/");
      for (const std::string& stride : one) key.append(stride).append(",");
    }
  }
  if (block.dtypes) {
    for (const std::string& dtype : *block.dtypes) key.append(";").append(dtype);
  }
  return key;
}

bool RunBuilder::Knows(const Block& block) const { return problem_index_.count(ProblemKey(block)) > 0; }

void RunBuilder::Add(const Block& block) {
  ++run_->blocks;
  run_->truncated_blocks += !block.complete;
  run_->benchmark_seconds += block.benchmark_seconds.value_or(0);
  run_->precompile_seconds += block.precompile_seconds.value_or(0);
  run_->prescreen_seconds += block.prescreen_seconds.value_or(0);
  Remember(block.labels, &run_->processes);

  std::string key = ProblemKey(block);
  auto found = problem_index_.find(key);
  if (found == problem_index_.end()) {
    if (run_->problems.size() >= kMaxProblems) {
      ++run_->problems_dropped;
      return;
    }
    found = problem_index_.emplace(std::move(key), run_->problems.size()).first;
    run_->problems.push_back({.first = block});
  }
  TunedProblem& problem = run_->problems[found->second];
  ++problem.blocks;
  problem.benchmark_seconds += block.benchmark_seconds.value_or(0);
  problem.precompile_seconds += block.precompile_seconds.value_or(0);
  problem.prescreen_seconds += block.prescreen_seconds.value_or(0);
  for (const Choice& choice : block.choices) problem.backends.insert(choice.backend);
  Remember(block.labels, &problem.processes);

  const auto best = std::min_element(block.choices.begin(), block.choices.end(),
                                     [](const Choice& a, const Choice& b) { return a.ms < b.ms; });
  if (best != block.choices.end() && problem.winners.size() < kMaxProcesses) {
    const auto [winner, is_new] = problem.winners.emplace(Identity(*best), best->ms);
    if (!is_new) winner->second = std::min(winner->second, best->ms);
  }
}

void RunBuilder::Add(const Orphan& orphan) {
  ++run_->orphans;
  Remember(orphan.labels, &run_->processes);
  if (orphan.kind == Orphan::Kind::kStats) {
    ++run_->orphan_stats;
    if (!run_->first_orphan_stats_line) run_->first_orphan_stats_line = orphan.line;
  }
  run_->benchmark_seconds += orphan.benchmark_seconds.value_or(0);
  run_->precompile_seconds += orphan.precompile_seconds.value_or(0);
  run_->prescreen_seconds += orphan.prescreen_seconds.value_or(0);
}

void RunBuilder::Add(const Evidence& evidence) {
  stated_key_.assign(evidence.setting).append(1, '\n').append(evidence.value).append(1, '\n').append(evidence.source);
  auto found = stated_index_.find(stated_key_);
  if (found == stated_index_.end()) {
    if (run_->stated.size() >= kMaxStated) {
      Count("evidence_not_kept");
      return;
    }
    found = stated_index_.emplace(stated_key_, run_->stated.size()).first;
    run_->stated.push_back({.setting = evidence.setting,
                            .value = evidence.value,
                            .rule = evidence.rule,
                            .first_line = evidence.line,
                            .source = evidence.source});
  }
  StatedValue& stated = run_->stated[found->second];
  ++stated.count;
  Remember(evidence.labels, &stated.processes);
}

}  // namespace autotune
