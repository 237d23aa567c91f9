#include "analyzer/audit/totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace autotune {

void Totals::Add(const RunRecord& run) {
  ++runs_;
  clean_ += run.state == Verdict::State::kClean;
  mismatch_ += run.state == Verdict::State::kMismatch;
  unknown_ += run.state == Verdict::State::kUnknown;
  blocks_ += run.blocks;
  bytes_ += run.bytes;
  lines_ += run.lines;
  // Tables of results already known are no tuning: a clean run lost nothing.
  const bool tuned = run.tuned && run.state != Verdict::State::kClean;
  const double seconds = tuned ? run.seconds() : 0;
  tuned_ += tuned;
  seconds_ += seconds;
  if (run.state == Verdict::State::kMismatch || (tuned && !run.manifest.empty())) broken_promise_ = true;

  DayTotal& day = days_[days_.size() < kMaxDays || days_.count(run.day) ? run.day : ""];
  ++day.runs;
  day.tuned += tuned;
  day.blocks += run.blocks;
  day.seconds += seconds;

  if (run.state == Verdict::State::kMismatch || tuned) {
    const Suspect* cause = NamedCause(run);
    CauseTotal& total = causes_[cause ? cause->setting : ""];
    ++total.runs;
    total.blocks += run.blocks;
    total.seconds += seconds;
  }
  if (!tuned) return;
  for (const ProblemRecord& one : run.problems) {
    if (problems_.size() >= kMaxProblems && !problems_.count(one.key)) {
      ++problems_dropped_;
      continue;
    }
    Problem& problem = problems_[one.key];
    if (problem.title.empty()) problem.title = one.title;
    ++problem.runs;
    problem.blocks += one.blocks;
    problem.seconds += one.seconds;
    auto& winners = problem.winners[{run.gpu, one.candidates}];
    for (const auto& [kernel, ms] : one.winners) {
      if (winners.size() >= kMaxWinners && !winners.count(kernel)) continue;
      const auto [winner, is_new] = winners.emplace(kernel, ms);
      if (!is_new) winner->second = std::min(winner->second, ms);
    }
  }
}

std::vector<CauseTotal> Totals::ByCause() const {
  std::vector<CauseTotal> all;
  for (const auto& [setting, total] : causes_) {
    all.push_back(total);
    all.back().setting = setting;
  }
  std::stable_sort(all.begin(), all.end(), [](const CauseTotal& a, const CauseTotal& b) {
    return std::tuple(a.setting.empty(), -a.seconds, -static_cast<double>(a.runs)) <
           std::tuple(b.setting.empty(), -b.seconds, -static_cast<double>(b.runs));
  });
  return all;
}

std::vector<DayTotal> Totals::ByDay() const {
  std::vector<DayTotal> all;
  for (const auto& [day, total] : days_) {
    all.push_back(total);
    all.back().day = day;
  }
  if (!all.empty() && all.front().day.empty()) std::rotate(all.begin(), all.begin() + 1, all.end());
  return all;
}

std::vector<ProblemTotal> Totals::ByProblem() const {
  std::vector<ProblemTotal> all;
  for (const auto& [key, problem] : problems_) {
    ProblemTotal total{.title = problem.title,
                       .runs = problem.runs,
                       .blocks = problem.blocks,
                       .seconds = problem.seconds,
                       .gpu = "",
                       .winners = 1};
    for (const auto& [group, winners] : problem.winners) {
      double fastest = INFINITY, slowest = 0;
      for (const auto& [kernel, ms] : winners) {
        fastest = std::min(fastest, ms);
        slowest = std::max(slowest, ms);
      }
      const double apart = winners.size() > 1 && fastest > 0 ? slowest / fastest - 1 : 0;
      if (winners.size() < 2 || (total.winners > 1 && apart <= total.apart)) continue;
      total.gpu = group.first;
      total.winners = winners.size();
      total.apart = apart;
    }
    all.push_back(std::move(total));
  }
  std::stable_sort(all.begin(), all.end(), [](const ProblemTotal& a, const ProblemTotal& b) {
    return std::tuple(-a.seconds, -static_cast<double>(a.runs)) < std::tuple(-b.seconds, -static_cast<double>(b.runs));
  });
  return all;
}

uint64_t Totals::tuned_again() const {
  return static_cast<uint64_t>(
      std::count_if(problems_.begin(), problems_.end(), [](const auto& p) { return p.second.runs > 1; }));
}

std::string WinnersInWords(const ProblemTotal& problem) {
  if (problem.winners < 2) return "";
  if (!std::isfinite(problem.apart))
    return fmt::format("{} winners, one of which failed: they disagree", problem.winners);
  return fmt::format("{} winners, {:.1f} % apart: {}", problem.winners, 100 * problem.apart,
                     problem.apart < Totals::kNoise ? "timer noise" : "they disagree");
}

}  // namespace autotune
