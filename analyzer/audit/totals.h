// What many runs say together: seconds lost by cause, by day and by problem, problems tuned again and again, kernels
// that win in one run and lose in another. Memory: one entry a cause, day and problem, each capped.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/audit/record.h"

namespace autotune {

struct CauseTotal {
  std::string setting;  // "" for runs that tuned and whose cause is not known well enough to be named
  uint64_t runs = 0, blocks = 0;
  double seconds = 0;
};

struct DayTotal {
  std::string day;  // as RunRecord::day, "" for runs whose logs name none
  uint64_t runs = 0, tuned = 0, blocks = 0;
  double seconds = 0;
};

struct ProblemTotal {
  std::string title;
  uint64_t runs = 0, blocks = 0;
  double seconds = 0;
  // Among runs on the same GPU (as far as logs name it) with the same field of candidates: the number of kernels that
  // won and how far apart their best times are, of the group where they are furthest apart. Below 2 % is noise.
  std::string gpu;
  uint64_t winners = 0;
  double apart = 0;
};

class Totals {
 public:
  void Add(const RunRecord& run);

  std::vector<CauseTotal> ByCause() const;      // most seconds first, the unnamed last
  std::vector<DayTotal> ByDay() const;          // in time order, the unnamed last
  std::vector<ProblemTotal> ByProblem() const;  // most seconds first

  uint64_t runs() const { return runs_; }
  uint64_t clean() const { return clean_; }
  uint64_t mismatch() const { return mismatch_; }
  uint64_t unknown() const { return unknown_; }
  uint64_t tuned() const { return tuned_; }
  uint64_t blocks() const { return blocks_; }
  uint64_t bytes() const { return bytes_; }
  uint64_t lines() const { return lines_; }
  uint64_t problems() const { return problems_.size() + problems_dropped_; }
  uint64_t tuned_again() const;  // problems tuned in more than one run
  double seconds() const { return seconds_; }
  // A run tuned although a manifest stood beside it.
  bool broken_promise() const { return broken_promise_; }

  static constexpr double kNoise = 0.02;  // two timings of one kernel differ by this much between runs
  static constexpr size_t kMaxProblems = 50000, kMaxDays = 10000, kMaxWinners = 256;

 private:
  struct Problem {
    std::string title;
    uint64_t runs = 0, blocks = 0;
    double seconds = 0;
    // gpu and field of candidates -> kernel -> best ms
    std::map<std::pair<std::string, std::string>, std::map<std::string, double>> winners;
  };

  std::map<std::string, CauseTotal> causes_;
  std::map<std::string, DayTotal> days_;
  std::map<std::string, Problem> problems_;
  uint64_t problems_dropped_ = 0;
  uint64_t runs_ = 0, clean_ = 0, mismatch_ = 0, unknown_ = 0, tuned_ = 0, blocks_ = 0, bytes_ = 0, lines_ = 0;
  double seconds_ = 0;
  bool broken_promise_ = false;
};

// "2 winners, 0.8 % apart: timer noise", "" where all runs agree.
std::string WinnersInWords(const ProblemTotal& problem);

}  // namespace autotune
