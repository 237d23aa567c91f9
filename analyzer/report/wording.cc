#include "analyzer/report/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analyzer/model/process_name.h"
#include "analyzer/report/printable.h"

namespace autotune {
namespace {

// Two timings of one kernel differ by this much between runs; a lead below it picks winners by chance.
constexpr double kNoise = 0.02;

constexpr size_t kMostNamed = 4;  // processes that a sentence names

constexpr int kLongestInAnswer = 60;  // columns of a value that the sentence shows whole

std::string InAnswer(const std::optional<std::string>& value) {
  return Shorten(Printable(ValueInWords(value)), kLongestInAnswer);
}

// "torch is 2.11.0 where the manifest says 2.10.0", as far as the two values are known.
std::string Difference(const Suspect& s) {
  if (s.manifest && s.observed) {
    return fmt::format("{} is {} where the manifest says {}", s.setting, InAnswer(s.observed), InAnswer(s.manifest));
  }
  if (s.built && s.observed) {
    return fmt::format("{} is {} where the build's log says {}", s.setting, InAnswer(s.observed), InAnswer(s.built));
  }
  if (s.observed) return fmt::format("{} is {}", s.setting, InAnswer(s.observed));
  if (s.manifest) return fmt::format("{} is no longer {}", s.setting, InAnswer(s.manifest));
  if (s.setting == "cache_contents") return "the recorded cache was not found, is incomplete or broken";
  return fmt::format("{} differs", s.setting);
}

std::string_view Because(double confidence) {
  if (confidence >= kCertain) return "because";
  return confidence >= kLikely ? "most likely because" : "perhaps because";
}

std::string WhatHappened(const Run& run) {
  const uint64_t problems = run.problems.size() + run.problems_dropped;
  const double seconds = Seconds(run);
  if (problems == 0) return "This run tuned";
  std::string text = "This run tuned " + Count(problems, "problem");
  if (seconds > 0) text += " for " + Duration(seconds);
  if (run.processes.size() > 1) text += fmt::format(" in {} processes", run.processes.size());
  return text;
}

std::string ShortDtype(std::string_view dtype) {
  constexpr std::string_view kTorch = "torch.";
  return std::string(dtype.substr(dtype.substr(0, kTorch.size()) == kTorch ? kTorch.size() : 0));
}

template <typename Strings>
std::string Join(const Strings& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

const Choice* Fastest(const Block& block) {
  const Choice* best = nullptr;
  for (const Choice& c : block.choices) {
    if (std::isfinite(c.ms) && (!best || c.ms < best->ms)) best = &c;
  }
  return best;
}

}  // namespace

std::string Duration(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string Count(uint64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string Percent(double confidence) {
  return fmt::format("{} %", std::clamp<int>(static_cast<int>(std::lround(100 * confidence)), 1, 99));
}

std::string_view StateWord(const Run& run, const Manifest* manifest, const Verdict& verdict) {
  if (verdict.state == Verdict::State::kClean) return "CLEAN";
  if (verdict.state == Verdict::State::kMismatch) return "MISMATCH";
  return run.tuned() && !manifest ? "TUNED" : "UNKNOWN";
}

std::string Answer(const Run& run, const Manifest* manifest, const Verdict& verdict) {
  const Suspect* first = verdict.suspects.empty() ? nullptr : &verdict.suspects.front();
  switch (verdict.state) {
    case Verdict::State::kClean:
      if (run.blocks > 0)
        return fmt::format("This run did not tune: {} of results already known.", Count(run.blocks, "table"));
      return manifest ? "This run did not tune, and nothing shows a broken cache." : "This run did not tune.";
    case Verdict::State::kMismatch: {
      const std::string what = run.tuned() ? WhatHappened(run) : "This run did not use its cache";
      if (!first) return what + " although the manifest promises a cache.";
      return fmt::format("{} {} {}.", what, Because(first->confidence), Difference(*first));
    }
    case Verdict::State::kUnknown:
      break;
  }
  if (!run.tuned() && run.lines == 0 && run.ended_early) return "Nothing could be read.";
  if (!run.tuned()) return "This log is too short to say whether the run tuned.";
  if (first) return fmt::format("{} {} {}.", WhatHappened(run), Because(first->confidence), Difference(*first));
  if (manifest) return WhatHappened(run) + "; this log is too short to say why.";
  return WhatHappened(run) + ". To learn why, give the record of the build: --manifest FILE.";
}

std::string ValueInWords(const std::optional<std::string>& value) {
  if (!value) return "not stated";
  return value->empty() ? "not set" : *value;
}

bool FitsAnswer(const std::optional<std::string>& value) {
  return TerminalColumns(Printable(ValueInWords(value))) <= kLongestInAnswer;
}

std::string_view BasisInWords(Basis basis) {
  switch (basis) {
    case Basis::kHashProof:
      return "proved by hashing the cached kernels";
    case Basis::kCacheLookup:
      return "looked up in the recorded cache";
    case Basis::kObserved:
      return "the log states another value";
    case Basis::kCandidateSet:
      return "the rows of the tables show it";
    case Basis::kShape:
      return "shapes, strides or dtypes show it";
    case Basis::kBaseline:
      return "differs from the baseline log";
    case Basis::kElimination:
      return "nothing else is left";
  }
  return "nothing else is left";
}

std::string Place(std::string_view source, uint64_t line) {
  if (source.empty() || source == "-") return fmt::format("line {}", line);
  return fmt::format("{}:{}", source, line);
}

std::string Places(const Suspect& suspect, const Manifest* manifest) {
  std::vector<std::string> places;
  if (suspect.log_line) places.push_back(Place(suspect.log_source, *suspect.log_line));
  if (suspect.manifest_line) places.push_back(Place(manifest ? manifest->path : "manifest", *suspect.manifest_line));
  return Join(places);
}

std::string ProblemTitle(const Block& block) {
  std::string title = fmt::format("{}({})", block.op, fmt::join(block.shapes, ", "));
  if (block.dtypes && !block.dtypes->empty()) {
    std::vector<std::string> dtypes;
    for (const std::string& dtype : *block.dtypes) dtypes.push_back(ShortDtype(dtype));
    const bool alike = std::all_of(dtypes.begin(), dtypes.end(), [&](const std::string& d) { return d == dtypes[0]; });
    if (alike) dtypes.resize(1);
    title += " " + Join(dtypes);
  }
  return title;
}

std::string ProblemDetail(const TunedProblem& problem) {
  const Block& block = problem.first;
  std::vector<std::string> parts;
  if (!problem.backends.empty()) parts.push_back(Join(problem.backends));
  const int64_t shown = static_cast<int64_t>(block.choices.size());
  const std::optional<int64_t> total = block.num_choices ? block.num_choices : block.num_choices_stats;
  if (total && *total != shown) {
    parts.push_back(fmt::format("{} of {} shown", shown, Count(static_cast<uint64_t>(*total), "choice")));
  } else {
    parts.push_back(Count(static_cast<uint64_t>(shown), "choice"));
  }
  if (const Choice* best = Fastest(block)) parts.push_back(fmt::format("best {} at {} ms", best->name, best->ms));
  if (!block.complete) parts.emplace_back("cut short");
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string WinnersNote(const TunedProblem& problem) {
  if (problem.winners.size() < 2) return "";
  double fastest = INFINITY, slowest = 0;
  for (const auto& [name, ms] : problem.winners) {
    fastest = std::min(fastest, ms);
    slowest = std::max(slowest, ms);
  }
  const double apart = fastest > 0 ? slowest / fastest - 1 : INFINITY;
  const std::string who = problem.processes.size() > 1 ? "processes" : "blocks";
  if (apart < kNoise) {
    return fmt::format("{} winners between {}, {:.1f} % apart: timer noise", problem.winners.size(), who, 100 * apart);
  }
  return fmt::format("{} winners between {}, {:.1f} % apart: they disagree", problem.winners.size(), who, 100 * apart);
}

double Seconds(const TunedProblem& p) { return p.benchmark_seconds + p.precompile_seconds + p.prescreen_seconds; }
double Seconds(const Run& r) { return r.benchmark_seconds + r.precompile_seconds + r.prescreen_seconds; }

std::string CostSummary(const Run& run) {
  std::string text = Count(run.problems.size() + run.problems_dropped, "problem") + ", " + Count(run.blocks, "block");
  const char* before = "; ";
  for (const auto& [what, seconds] : {std::pair("benchmarking", run.benchmark_seconds),
                                      {"precompiling", run.precompile_seconds},
                                      {"prescreening", run.prescreen_seconds}}) {
    if (seconds <= 0) continue;
    text += fmt::format("{}{} {}", before, what, Duration(seconds));
    before = ", ";
  }
  return text;
}

std::vector<const TunedProblem*> ByCost(const Run& run) {
  std::vector<const TunedProblem*> problems;
  for (const TunedProblem& problem : run.problems) problems.push_back(&problem);
  std::stable_sort(problems.begin(), problems.end(),
                   [](const TunedProblem* a, const TunedProblem* b) { return Seconds(*a) > Seconds(*b); });
  return problems;
}

void ProcessCosts::Add(const Block& block) {
  std::string name = ProcessName(block.labels);
  if (name.empty()) name = "not named in the log";
  if (costs_.size() >= kMaxProcesses && !costs_.count(name)) name = "all other processes";
  Sum& sum = costs_[name];
  ++sum.blocks;
  sum.seconds +=
      block.benchmark_seconds.value_or(0) + block.precompile_seconds.value_or(0) + block.prescreen_seconds.value_or(0);
}

std::vector<ProcessCosts::Cost> ProcessCosts::ByCost() const {
  std::vector<Cost> costs;
  for (const auto& [name, sum] : costs_) costs.push_back({name, sum.blocks, sum.seconds});
  std::stable_sort(costs.begin(), costs.end(), [](const Cost& a, const Cost& b) { return a.seconds > b.seconds; });
  return costs;
}

std::string_view StateInWords(ProcessState::State state) {
  switch (state) {
    case ProcessState::State::kTuned:
      return "tuned";
    case ProcessState::State::kDidNotTune:
      return "did not tune";
    case ProcessState::State::kNothingSeen:
      break;
  }
  return "not known";
}

std::string ProcessesInWords(const Verdict& verdict) {
  std::map<ProcessState::State, uint64_t> counts;
  for (const ProcessState& process : verdict.processes) ++counts[process.state];
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, StateInWords(state)));
  }
  if (verdict.processes_dropped > 0) parts.push_back("more are not compared");
  return Join(parts);
}

std::string NameInWords(const std::string& process) { return process.empty() ? "lines without a label" : process; }

std::vector<std::string> DisagreementsInWords(const Verdict& verdict) {
  const auto who = [](const std::vector<std::string>& processes) {
    std::vector<std::string> names;
    for (size_t i = 0; i < std::min(processes.size(), kMostNamed); ++i) names.push_back(NameInWords(processes[i]));
    std::string words = Join(names);
    if (processes.size() > kMostNamed) words += fmt::format(" and {} more", processes.size() - kMostNamed);
    return words;
  };
  const bool logs = std::any_of(verdict.processes.begin(), verdict.processes.end(),
                                [&](const ProcessState& p) { return p.source != verdict.processes.front().source; });
  const auto what = [&](const Disagreement::Side& side) {
    const std::string place = logs ? Place(side.source, side.line) : fmt::format("line {}", side.line);
    return fmt::format("{} ({})", InAnswer(side.value), place);
  };
  std::vector<std::string> sentences;
  for (const Disagreement& d : verdict.disagreements) {
    const Disagreement::Side& most = d.sides.front();
    for (size_t i = 1; i < d.sides.size(); ++i) {
      const Disagreement::Side& side = d.sides[i];
      std::string sentence = fmt::format("{} state{} {}={} where {} state{} {}", who(side.processes),
                                         side.processes.size() == 1 ? "s" : "", d.setting, what(side),
                                         who(most.processes), most.processes.size() == 1 ? "s" : "", what(most));
      if (side.all_that_tuned) sentence += "; the former are all that were seen tuning";
      if (most.all_that_tuned) sentence += "; the latter are all that were seen tuning";
      sentences.push_back(std::move(sentence));
    }
  }
  return sentences;
}

std::vector<const StatedValue*> StatedBeside(const Run& run, const Verdict& verdict) {
  std::set<std::string_view> told;
  for (const Suspect& s : verdict.suspects) told.insert(s.setting);
  for (const EqualSetting& e : verdict.equal) told.insert(e.setting);
  for (const HarmlessDifference& h : verdict.harmless) told.insert(h.setting);
  std::vector<const StatedValue*> beside;
  for (const StatedValue& stated : run.stated) {
    if (!told.count(stated.setting)) beside.push_back(&stated);
  }
  return beside;
}

std::vector<std::string> ReadingNotes(const Run& run) {
  std::vector<std::string> notes;
  if (run.ended_early) notes.emplace_back("reading ended early: what was read is judged");
  if (run.truncated_blocks > 0) notes.push_back(Count(run.truncated_blocks, "block") + " cut short");
  if (run.orphans > 0) notes.push_back(Count(run.orphans, "line") + " of blocks whose header is not in this log");
  for (const auto& [kind, count] : run.counters) {
    if (kind == "cut_block") continue;  // told above
    std::string words = kind;
    std::replace(words.begin(), words.end(), '_', ' ');
    const bool plural = !words.empty() && (words.back() == 's' || words.back() == '8');  // "mixed_tables", "bad_utf8"
    notes.push_back(plural ? fmt::format("{} {}", count, words) : Count(count, words));
  }
  return notes;
}

}  // namespace autotune
