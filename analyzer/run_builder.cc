#include "analyzer/run_builder.h"

#include <algorithm>
#include <limits>

#include "analyzer/model/process_name.h"

namespace autotune {
namespace {

// Labels kept by name for one value or problem; a job of thousands of ranks states the same thing thousands of times.
constexpr size_t kMaxProcesses = 64;

void Remember(const Labels& labels, std::set<std::string>* processes) {
  if (processes->size() >= kMaxProcesses) return;
  const bool known =
      !labels.process && !labels.rank && !labels.pod && !processes->empty() && processes->begin()->empty();
  if (!known) processes->insert(ProcessName(labels));
}

// What a footer tells, onto the sums of a run, a problem or a writer.
template <typename Footer, typename Sums>
void AddSeconds(const Footer& footer, Sums* sums) {
  sums->benchmark_seconds += footer.benchmark_seconds.value_or(0);
  sums->precompile_seconds += footer.precompile_seconds.value_or(0);
  sums->prescreen_seconds += footer.prescreen_seconds.value_or(0);
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

LogWriter* RunBuilder::WriterOf(const std::string& source, const Labels& labels) {
  std::vector<LogWriter>& writers = run_->writers;
  const auto is = [&](const LogWriter& writer) { return writer.labels == labels && writer.source == source; };
  if (last_writer_ < writers.size() && is(writers[last_writer_])) return &writers[last_writer_];
  std::string key = source + '\n' + labels.pod.value_or("") + '\n' + labels.process.value_or("") + '\n';
  if (labels.rank) key += std::to_string(*labels.rank);
  const auto [found, is_new] = writer_index_.try_emplace(std::move(key), writers.size());
  if (is_new && writers.size() >= kMaxWriters) {
    writer_index_.erase(found);
    ++run_->writers_dropped;
    return nullptr;
  }
  if (is_new) {
    LogWriter& writer = writers.emplace_back();
    writer.source = source;
    writer.labels = labels;
  }
  last_writer_ = found->second;
  return &writers[last_writer_];
}

void RunBuilder::Add(const Block& block) {
  ++run_->blocks;
  run_->truncated_blocks += !block.complete;
  AddSeconds(block, run_);
  Remember(block.labels, &run_->processes);
  if (LogWriter* writer = WriterOf(block.source, block.labels)) {
    if (writer->blocks++ + writer->orphans == 0) writer->first_line = block.line;
    writer->timed += block.benchmark_seconds.has_value();
    writer->stats += block.stats_line.has_value();
    AddSeconds(block, writer);
  }

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
  AddSeconds(block, &problem);
  const std::string* last = nullptr;  // neighbours mostly are of one
  for (const Choice& choice : block.choices) {
    if (last == nullptr || *last != choice.backend) problem.backends.insert(choice.backend);
    last = &choice.backend;
  }
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
  if (LogWriter* writer = WriterOf(orphan.source, orphan.labels)) {
    if (writer->blocks + writer->orphans++ == 0) writer->first_line = orphan.line;
    AddSeconds(orphan, writer);
  }
  if (orphan.kind == Orphan::Kind::kStats) {
    ++run_->orphan_stats;
    if (!run_->first_orphan_stats_line) run_->first_orphan_stats_line = orphan.line;
  }
  AddSeconds(orphan, run_);
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
  LogWriter* writer = WriterOf(evidence.source, evidence.labels);
  if (writer == nullptr || writer->statements.size() >= kMaxStatements) return;
  const uint64_t place = (static_cast<uint64_t>(last_writer_) << 32) | found->second;
  if (told_.insert(place).second) writer->statements.push_back({found->second, evidence.line});
}

}  // namespace autotune
