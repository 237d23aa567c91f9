#include "analyzer/verdict/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/verdict/make_run.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const char kBackends[] = "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS";

RunMaker UsualRun() {
  RunMaker maker;
  maker.State("torch", "2.11.0+cu130").State("triton", "3.6.0").State("python", "3.12.3").State("gpu", "NVIDIA H200");
  return maker;
}

// --- state ----------------------------------------------------------------------------------------------------------

TEST(State, NotTunedIsClean) {
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(UsualRun().Build(), &manifest);
  EXPECT_EQ(verdict.state, Verdict::State::kClean);
  EXPECT_THAT(verdict.suspects, IsEmpty());
  EXPECT_TRUE(IsEqual(verdict, "triton"));
  EXPECT_THAT(verdict.not_observed, Contains("TORCHINDUCTOR_CACHE_DIR"));
  EXPECT_THAT(verdict.not_observed, Not(Contains("hip")));
}

TEST(State, TunedWithoutManifestIsUnknown) {
  RunMaker run = UsualRun();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), nullptr);
  EXPECT_EQ(verdict.state, Verdict::State::kUnknown);
  EXPECT_THAT(verdict.suspects, IsEmpty());
}

TEST(State, AnEmptyOrCutLogSaysNothing) {
  RunMaker run;
  run.run().lines = 0;
  EXPECT_EQ(JudgeRun(run.Build(), nullptr).state, Verdict::State::kUnknown);
  run.run().lines = 10;
  run.run().ended_early = true;
  EXPECT_EQ(JudgeRun(run.Build(), nullptr).state, Verdict::State::kUnknown);
}

TEST(State, StatisticsWithoutATableProveTuning) {
  RunMaker run = UsualRun();
  run.run().orphans = run.run().orphan_stats = 3;
  const Manifest manifest = UsualManifest().Build();
  EXPECT_EQ(JudgeRun(run.Build(), &manifest).state, Verdict::State::kMismatch);
}

TEST(State, TablesThatPrintCachedResultsAreNoTuning) {
  RunMaker run = UsualRun();
  TuneUsual(run);
  for (TunedProblem& problem : run.run().problems) {
    problem.first.stats_line.reset();
    problem.first.benchmark_seconds = problem.benchmark_seconds = 0.0004;
    problem.first.precompile_seconds = problem.precompile_seconds = 0.0002;
  }
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  EXPECT_EQ(verdict.state, Verdict::State::kClean);
  EXPECT_THAT(verdict.notes, Contains(HasSubstr("no tuning")));
}

TEST(State, ABrokenCacheIsAMismatchEvenWithoutTuning) {
  RunMaker run = UsualRun();
  run.State("cache_contents", "get_local_cache");
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  EXPECT_EQ(verdict.state, Verdict::State::kMismatch);
  ASSERT_THAT(Names(verdict), ElementsAre("cache_contents"));
  EXPECT_EQ(verdict.suspects[0].basis, Basis::kObserved);
  EXPECT_THAT(verdict.suspects[0].fix, HasSubstr("/workspace/inductor_cache/cache"));
}

// --- values ---------------------------------------------------------------------------------------------------------

TEST(Observed, AnotherTritonLeads) {
  RunMaker run;
  run.State("torch", "2.11.0+cu130").State("triton", "3.6.1");
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  EXPECT_EQ(verdict.state, Verdict::State::kMismatch);
  ASSERT_FALSE(verdict.suspects.empty());
  const Suspect& suspect = verdict.suspects[0];
  EXPECT_EQ(suspect.setting, "triton");
  EXPECT_EQ(suspect.manifest, "3.6.0");
  EXPECT_EQ(suspect.observed, "3.6.1");
  EXPECT_EQ(suspect.log_line, 2u);
  EXPECT_EQ(suspect.fix, "pip install triton==3.6.0");
  EXPECT_GE(suspect.confidence, 0.9);
}

TEST(Observed, AnotherTorchNamesItsWheel) {
  RunMaker run;
  run.State("torch", "2.9.1+cu128");
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "torch");
  EXPECT_EQ(verdict.suspects[0].fix, "pip install torch==2.11.0 --index-url https://download.pytorch.org/whl/cu130");
}

TEST(Observed, DefaultFolderMeansTheVariableIsNotSet) {
  RunMaker run = UsualRun();
  run.State("TORCHINDUCTOR_CACHE_DIR", "/tmp/torchinductor_root");
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "TORCHINDUCTOR_CACHE_DIR");
  EXPECT_THAT(verdict.suspects[0].why, HasSubstr("is not set"));
  EXPECT_EQ(verdict.suspects[0].fix, "export TORCHINDUCTOR_CACHE_DIR=/workspace/inductor_cache");
}

TEST(Observed, CachesSwitchedOffExplainEverything) {
  RunMaker run = UsualRun();
  run.State("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1").State("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache");
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "TORCHINDUCTOR_FORCE_DISABLE_CACHES");
  EXPECT_EQ(verdict.suspects[0].manifest, std::nullopt);
  EXPECT_GE(verdict.suspects[0].confidence, 0.9);
  EXPECT_TRUE(IsEqual(verdict, "TORCHINDUCTOR_CACHE_DIR"));
}

TEST(Observed, AFixQuotesWhatTheManifestSays) {
  ManifestMaker maker;
  maker.Row("TORCHINDUCTOR_CACHE_DIR", "/a b; rm -rf 'x'");
  const Manifest manifest = maker.Build();
  RunMaker run;
  run.State("TORCHINDUCTOR_CACHE_DIR", "/c");
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].fix, "export TORCHINDUCTOR_CACHE_DIR='/a b; rm -rf '\\''x'\\'''");
}

TEST(Observed, RanksThatDisagreeAreNamed) {
  RunMaker run;
  run.State("triton", "3.6.0", "rank 0").State("triton", "3.5.1", "rank 3");
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "triton");
  EXPECT_FALSE(IsEqual(verdict, "triton"));
  EXPECT_THAT(verdict.notes, Contains(HasSubstr("rank 3")));
}

TEST(Observed, TheModeTurnsCoordinateDescentOnByItself) {
  RunMaker run = UsualRun();
  run.State("TORCHINDUCTOR_COORDINATE_DESCENT_TUNING", "1");
  const Manifest manifest = UsualManifest().Build();
  EXPECT_EQ(Find(JudgeRun(TuneUsual(run).Build(), &manifest), "TORCHINDUCTOR_COORDINATE_DESCENT_TUNING"), nullptr);
}

TEST(Observed, AVariableThatThisTorchDoesNotReadIsHarmless) {
  ManifestMaker maker;
  maker.Row("torch", "2.9.0").Row("TORCHINDUCTOR_PIPELINE_GEMM_AUTOTUNING", "0");
  const Manifest manifest = maker.Build();
  RunMaker run;
  run.State("torch", "2.9.0").State("TORCHINDUCTOR_PIPELINE_GEMM_AUTOTUNING", "1");
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  EXPECT_EQ(Find(verdict, "TORCHINDUCTOR_PIPELINE_GEMM_AUTOTUNING"), nullptr);
  EXPECT_NE(Harmless(verdict, "TORCHINDUCTOR_PIPELINE_GEMM_AUTOTUNING"), nullptr);
}

TEST(Observed, WhatTheManifestDidNotHaveIsNotQuotedIntoACommand) {
  ManifestMaker maker;
  maker.Row("hip", "N/A");
  const Manifest manifest = maker.Build();
  RunMaker run;
  run.State("hip", "6.3");
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  const Suspect* hip = Find(verdict, "hip");
  ASSERT_NE(hip, nullptr);
  EXPECT_THAT(hip->fix, Not(HasSubstr("''")));
  EXPECT_LT(hip->confidence, 0.8);
}

TEST(Observed, AnUnrecordedSwitchThatIsBakedInIsASuspect) {
  RunMaker run = UsualRun();
  run.State("TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE", "1");
  const Manifest manifest = UsualManifest().Build();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE");
  EXPECT_EQ(verdict.suspects[0].fix, "unset TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE");
}

// --- what cannot tune -----------------------------------------------------------------------------------------------

struct Tame {
  const char *setting, *value;
};
class CannotTune : public testing::TestWithParam<Tame> {};

TEST_P(CannotTune, IsHarmlessWhetherTheRunTunedOrNot) {
  const Manifest manifest = UsualManifest().Build();
  for (const bool tuned : {false, true}) {
    RunMaker run;
    run.State("gpu", "NVIDIA H200").State(GetParam().setting, GetParam().value);
    if (tuned) TuneUsual(run);
    const Verdict verdict = JudgeRun(run.Build(), &manifest);
    EXPECT_EQ(verdict.state, tuned ? Verdict::State::kMismatch : Verdict::State::kClean);
    EXPECT_EQ(Find(verdict, GetParam().setting), nullptr);
    const HarmlessDifference* harmless = Harmless(verdict, GetParam().setting);
    ASSERT_NE(harmless, nullptr);
    EXPECT_FALSE(harmless->why.empty());
    if (tuned) {
      EXPECT_THAT(Names(verdict), Contains("cache_contents"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, CannotTune,
                         testing::Values(Tame{"TORCHINDUCTOR_COMPILE_THREADS", "1"},
                                         Tame{"TRITON_CACHE_DIR", "/root/.triton"}, Tame{"python", "3.13.1"},
                                         Tame{kBackends, "TRITON,ATEN"}, Tame{kBackends, "ATEN"},
                                         Tame{kBackends, "ATEN,TRITON,CPP"}, Tame{"compile_mode", "max-autotune"}));

TEST(Harmless, ADifferenceOfARunThatDidNotTune) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run;
  run.State("torch", "2.11.1+cu130").State("TORCHINDUCTOR_CACHE_DIR", "/moved");
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  EXPECT_EQ(verdict.state, Verdict::State::kClean);
  EXPECT_THAT(verdict.suspects, IsEmpty());
  EXPECT_NE(Harmless(verdict, "torch"), nullptr);
  EXPECT_NE(Harmless(verdict, "TORCHINDUCTOR_CACHE_DIR"), nullptr);
}

// --- rows -----------------------------------------------------------------------------------------------------------

TEST(Rows, ABackEndThatTheManifestDidNotHave) {
  ManifestMaker maker;
  maker.Row(kBackends, "ATEN");
  const Manifest manifest = maker.Build();
  RunMaker run = UsualRun();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, kBackends);
  EXPECT_EQ(verdict.suspects[0].basis, Basis::kCandidateSet);
  EXPECT_EQ(verdict.suspects[0].observed, "ATEN,TRITON");
}

TEST(Rows, WhatRowsShowOutranksWhatWasAskedFor) {
  ManifestMaker maker;
  maker.Row(kBackends, "ATEN");
  const Manifest manifest = maker.Build();
  RunMaker run;
  run.State(kBackends, "ATEN");
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  EXPECT_FALSE(IsEqual(verdict, kBackends));
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, kBackends);
}

TEST(Rows, AMissingBackEndIsNoCause) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  const Verdict verdict = JudgeRun(TuneUsual(run, 256, "torch.bfloat16", {"ATEN"}).Build(), &manifest);
  EXPECT_EQ(Find(verdict, kBackends), nullptr);
}

TEST(Rows, FlexAttentionAndConvolutionsDoNotObeyTheGemmList) {
  ManifestMaker maker;
  maker.Row(kBackends, "ATEN");
  const Manifest manifest = maker.Build();
  RunMaker run = UsualRun();
  run.Tune("flex_attention", {"2x8x256x64", "2x8x256x64", "2x8x256x64"}, {"TRITON"});
  run.Tune("convolution", {"1x3x8x8", "8x3x3x3"});
  EXPECT_EQ(Find(JudgeRun(run.Build(), &manifest), kBackends), nullptr);
}

TEST(Rows, PersistentTma) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  TuneUsual(run);
  run.last().choices.back().name = "triton_mm_persistent_tma_21";
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "ENABLE_PERSISTENT_TMA_MATMUL");
}

TEST(Rows, TheExhaustiveSearchSpace) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  TuneUsual(run);
  run.last().num_choices = 1401;
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_SEARCH_SPACE");
}

TEST(Rows, Tf32ShowsThePrecision) {
  ManifestMaker maker = UsualManifest();
  maker.Row("float32_matmul_precision", "highest");
  const Manifest manifest = maker.Build();
  RunMaker run = UsualRun();
  TuneUsual(run);
  run.last().choices.back().description = "ACC_TYPE='tl.float32', ALLOW_TF32=True, BLOCK_K=32";
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "float32_matmul_precision");
}

TEST(Rows, TheLayoutExcludesTheRecordedTorch) {
  ManifestMaker maker;
  maker.Row("torch", "2.6.0");
  const Manifest manifest = maker.Build();
  RunMaker run;
  TuneUsual(run);
  run.last().torch_range = ">=2.9";
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "torch");
  EXPECT_EQ(verdict.suspects[0].observed, ">=2.9");
}

TEST(Rows, OnlyRanksBeyondTheBuildTuned) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  TuneUsual(run);
  for (TunedProblem& problem : run.run().problems) problem.first.labels.rank = 3;
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "world_size");
}

TEST(Rows, ATooSmallCardIsAnotherCard) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run;
  run.State("gate", "Not enough SMs to use max_autotune_gemm mode");
  const Verdict verdict = JudgeRun(TuneUsual(run, 256, "torch.bfloat16", {"ATEN"}).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "gpu");
}

TEST(Rows, SharedMemoryTellsTheCard) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run;
  run.State("shared_memory_limit", "101376");
  const Verdict other = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(other.suspects.empty());
  EXPECT_EQ(other.suspects[0].setting, "gpu");
  RunMaker same;
  same.State("shared_memory_limit", "232448");
  EXPECT_EQ(Find(JudgeRun(TuneUsual(same).Build(), &manifest), "gpu"), nullptr);
}

// --- shapes ---------------------------------------------------------------------------------------------------------

TEST(Shapes, AttentionShowsTheSequence) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker same = UsualRun(), longer = UsualRun();
  EXPECT_TRUE(IsEqual(JudgeRun(TuneUsual(same, 256).Build(), &manifest), "sequence_length"));
  const Verdict verdict = JudgeRun(TuneUsual(longer, 320).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "sequence_length");
  EXPECT_EQ(verdict.suspects[0].observed, "320");
  EXPECT_EQ(verdict.suspects[0].basis, Basis::kShape);
}

// Half the tokens: 128 x 2 heads fits the rows as well, but a product that is square in its rows is q k^T.
TEST(Shapes, ASquareProductIsTheSequence) {
  const Manifest manifest = UsualManifest().Build();
  for (const bool strides : {false, true}) {
    RunMaker run = UsualRun();
    TuneUsual(run, 128);
    if (strides) run.last().strides = {{"32768", "256", "1"}, {"32768", "1", "256"}};
    const Verdict verdict = JudgeRun(run.Build(), &manifest);
    ASSERT_FALSE(verdict.suspects.empty());
    EXPECT_EQ(verdict.suspects[0].setting, "sequence_length");
    EXPECT_EQ(verdict.suspects[0].observed, "128");
  }
}

TEST(Shapes, LinearAttentionHasTheSequenceBetween) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker printed = UsualRun(), old = UsualRun();
  printed.Tune("mm", {"1024x64", "64x64"}).Tune("bmm", {"4x64x256", "4x256x64"});
  printed.last().strides = {{"16384", "1", "64"}, {"16384", "64", "1"}};
  EXPECT_TRUE(IsEqual(JudgeRun(printed.Build(), &manifest), "sequence_length"));
  // Without strides the product with Q tells it.
  old.Tune("mm", {"1024x64", "64x64"}).Tune("bmm", {"16x64x256", "16x256x64"}).Tune("bmm", {"16x256x64", "16x64x64"});
  EXPECT_EQ(Find(JudgeRun(old.Build(), &manifest), "sequence_length"), nullptr);
}

TEST(Shapes, TokensAreAProductOfBatchAndSequence) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker multiple = UsualRun(), odd = UsualRun();
  multiple.Tune("mm", {"1280x512", "512x512"});
  // 1280 is 5 x 256 or 4 x 320: worth a look, but it does not lead.
  EXPECT_EQ(Names(JudgeRun(multiple.Build(), &manifest))[0], "cache_contents");
  odd.Tune("mm", {"800x512", "512x512"});
  const Verdict verdict = JudgeRun(odd.Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "sequence_length");
  EXPECT_LE(verdict.suspects[0].confidence, 0.7);
}

TEST(Shapes, FlexAttentionShowsTheSequence) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  run.Tune("flex_attention", {"2x8x512x64", "2x8x512x64", "2x8x512x64"}, {"TRITON"});
  const Verdict verdict = JudgeRun(run.Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "sequence_length");
}

TEST(Shapes, AnotherDtype) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  const Verdict verdict = JudgeRun(TuneUsual(run, 256, "torch.float16").Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "dtype");
  EXPECT_EQ(verdict.suspects[0].observed, "torch.float16");
}

TEST(Shapes, OneOfSeveralRecordedDtypesIsEnough) {
  ManifestMaker maker;
  maker.Row("dtype", "fp32 (~337M, new modules)").Row("dtype", "bf16 (~1.406B)");
  const Manifest manifest = maker.Build();
  RunMaker run = UsualRun();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  EXPECT_EQ(Find(verdict, "dtype"), nullptr);
  EXPECT_TRUE(IsEqual(verdict, "dtype"));
}

TEST(Shapes, WeightsInFloat32MayBeAutocast) {
  ManifestMaker maker;
  maker.Row("dtype", "fp32");
  const Manifest manifest = maker.Build();
  RunMaker run = UsualRun();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  const Suspect* dtype = Find(verdict, "dtype");
  ASSERT_NE(dtype, nullptr);
  EXPECT_LE(dtype->confidence, 0.6);
}

// --- elimination ----------------------------------------------------------------------------------------------------

TEST(Elimination, WhenNothingDiffersTheCacheItselfLeads) {
  ManifestMaker maker = UsualManifest();
  maker.Row("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache", true);
  maker.Row("triton", "3.6.0", true).Row("compile_mode", "max-autotune-no-cudagraphs", true);
  const Manifest manifest = maker.Build();
  RunMaker run = UsualRun();
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "cache_contents");
  EXPECT_EQ(verdict.suspects[0].basis, Basis::kElimination);
  EXPECT_LE(verdict.suspects[0].confidence, 0.6);
  // In the order of the checklist; what the log shows equal needs no look.
  ASSERT_GE(verdict.next_checks.size(), 2u);
  EXPECT_THAT(verdict.next_checks[0], HasSubstr("TORCHINDUCTOR_CACHE_DIR"));
  EXPECT_THAT(verdict.next_checks[1], HasSubstr("compile_mode"));
  EXPECT_THAT(verdict.next_checks, Not(Contains(HasSubstr("triton should"))));
}

TEST(Elimination, NothingThatIsEqualIsASuspect) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  run.State("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache").State("compile_mode", "max-autotune-no-cudagraphs");
  const Verdict verdict = JudgeRun(TuneUsual(run).Build(), &manifest);
  for (const Suspect& suspect : verdict.suspects) EXPECT_FALSE(IsEqual(verdict, suspect.setting)) << suspect.setting;
}

// --- the recorded cache ---------------------------------------------------------------------------------------------

Verdict WithCache(const Run& run, const Manifest& manifest, Basis basis, const std::string& setting) {
  JudgeInput input;
  input.run = &run;
  input.manifest = &manifest;
  input.cache_read = true;
  Suspect suspect;
  suspect.setting = setting;
  suspect.basis = basis;
  suspect.confidence = 0.97;
  input.cache_suspects.push_back(suspect);
  return Judge(input, EmbeddedRules());
}

TEST(Cache, AProofLeadsAndGetsItsTexts) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  const Verdict verdict = WithCache(TuneUsual(run).Build(), manifest, Basis::kHashProof, "compile_mode");
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "compile_mode");
  EXPECT_EQ(verdict.suspects[0].manifest, "max-autotune-no-cudagraphs");
  EXPECT_THAT(verdict.suspects[0].why, HasSubstr("coordinate descent"));
  EXPECT_FALSE(verdict.suspects[0].fix.empty());
}

TEST(Cache, EntriesThatWereNotUsedDoNotOutrankTheFolder) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  run.State("TORCHINDUCTOR_CACHE_DIR", "/tmp/torchinductor_root");
  const Verdict verdict = WithCache(TuneUsual(run).Build(), manifest, Basis::kCacheLookup, "cache_contents");
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "TORCHINDUCTOR_CACHE_DIR");
}

TEST(Cache, AFolderThatTheLogShowsRightIsNotBlamed) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run = UsualRun();
  run.State("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache");
  const Verdict verdict = WithCache(TuneUsual(run).Build(), manifest, Basis::kCacheLookup, "TORCHINDUCTOR_CACHE_DIR");
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "cache_contents");
}

}  // namespace
}  // namespace autotune
