// Judges a run while its log is still being written, so that `kubectl logs -f POD | autotune-scan` answers when the
// first block closes and not when the pod ends, and `--fail-fast` can stop a job before it burns an hour.
//
// A verdict on a part of a log is provisional: a later line may state a setting that was not stated before. What the
// recorded cache proves comes with the final verdict only (its kernels are hashed once, at the end).
#pragma once

#include <atomic>
#include <string>

#include "analyzer/model/run.h"
#include "analyzer/model/verdict.h"
#include "analyzer/report/reporter.h"
#include "analyzer/rule/rule_set.h"
#include "analyzer/verdict/judge.h"

namespace autotune {

class LiveJudge {
 public:
  // From this confidence on a mismatch is certain enough to stop a job for.
  static constexpr double kCertain = 0.9;

  // Everything is kept by reference and must outlive this. `stop` is set at the first certain mismatch; null: never.
  LiveJudge(const JudgeInput& input, const RuleSet& rules, Reporter* reporter, std::atomic<bool>* stop)
      : input_(input), rules_(rules), reporter_(reporter), stop_(stop) {}

  // After each finding. Judges when something new was tuned or stated since the last verdict, and tells the reporter of
  // a verdict that says something else than the last one told.
  void Look();

  // A certain mismatch was found and `stop` set.
  bool stopped() const { return stopped_; }

 private:
  const JudgeInput& input_;
  const RuleSet& rules_;
  Reporter* reporter_;
  std::atomic<bool>* stop_;
  size_t problems_ = 0, stated_ = 0;
  uint64_t orphan_stats_ = 0;
  std::string told_;
  bool stopped_ = false;
};

}  // namespace autotune
