#include "analyzer/audit/totals.h"

#include <gtest/gtest.h>

namespace autotune {
namespace {

RunRecord Tuned(double seconds, const std::string& kernel, double ms) {
  RunRecord run;
  run.state = Verdict::State::kMismatch;
  run.tuned = true;
  run.manifest = "m.md";
  run.benchmark_seconds = seconds;
  run.blocks = 1;
  run.gpu = "NVIDIA H200";
  run.problems.push_back({"mm|8x8", "mm(8x8, 8x8)", 1, seconds, {{kernel, ms}}, "20 of ATEN, TRITON"});
  return run;
}

void Blame(const std::string& setting, double confidence, Basis basis, RunRecord* run) {
  Suspect suspect;
  suspect.setting = setting;
  suspect.confidence = confidence;
  suspect.basis = basis;
  run->suspects = {suspect};
}

TEST(Totals, NameNoCauseThatNothingShows) {
  Totals totals;
  RunRecord sure = Tuned(3, "a", 1), unsure = Tuned(5, "a", 1), left = Tuned(7, "a", 1);
  Blame("torch", 0.95, Basis::kObserved, &sure);
  Blame("torch", 0.3, Basis::kObserved, &unsure);
  Blame("cache_contents", 0.6, Basis::kElimination, &left);
  for (const RunRecord& run : {sure, unsure, left}) totals.Add(run);
  const std::vector<CauseTotal> causes = totals.ByCause();
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].setting, "torch");
  EXPECT_DOUBLE_EQ(causes[0].seconds, 3);
  EXPECT_EQ(causes[1].setting, "") << "the unnamed come last, however much they lost";
  EXPECT_DOUBLE_EQ(causes[1].seconds, 12);
  EXPECT_TRUE(totals.broken_promise());
}

TEST(Totals, ACleanRunLostNothing) {
  Totals totals;
  RunRecord run = Tuned(9, "a", 1);
  run.state = Verdict::State::kClean;
  totals.Add(run);
  EXPECT_EQ(totals.seconds(), 0);
  EXPECT_TRUE(totals.ByProblem().empty());
  EXPECT_FALSE(totals.broken_promise());
}

TEST(Totals, WinnersBelowTwoPercentAreNoise) {
  Totals near, far;
  near.Add(Tuned(1, "a", 1.00));
  near.Add(Tuned(1, "b", 1.01));
  far.Add(Tuned(1, "a", 1.00));
  far.Add(Tuned(1, "b", 1.10));
  EXPECT_EQ(WinnersInWords(near.ByProblem()[0]), "2 winners, 1.0 % apart: timer noise");
  EXPECT_EQ(WinnersInWords(far.ByProblem()[0]), "2 winners, 10.0 % apart: they disagree");
  EXPECT_EQ(near.tuned_again(), 1u);
}

TEST(Totals, OtherGpusAndOtherCandidatesHaveOtherWinners) {
  Totals totals;
  RunRecord other_gpu = Tuned(1, "b", 2), other_field = Tuned(1, "c", 3);
  other_gpu.gpu = "AMD Instinct MI300X";
  other_field.problems[0].candidates = "1 of ATEN";
  for (const RunRecord& run : {Tuned(1, "a", 1), other_gpu, other_field}) totals.Add(run);
  EXPECT_EQ(totals.ByProblem()[0].winners, 1u);
  EXPECT_EQ(totals.ByProblem()[0].runs, 3u);
}

TEST(Totals, DaysInOrderTheUnnamedLast) {
  Totals totals;
  for (const char* day : {"2026-11-30", "", "2026-11-29"}) {
    RunRecord run = Tuned(1, "a", 1);
    run.day = day;
    totals.Add(run);
  }
  const std::vector<DayTotal> days = totals.ByDay();
  ASSERT_EQ(days.size(), 3u);
  EXPECT_EQ(days[0].day, "2026-11-29");
  EXPECT_EQ(days[2].day, "");
}

}  // namespace
}  // namespace autotune
