#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/verdict/judge.h"
#include "tests/unit/verdict/make_run.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::Eq;
using testing::HasSubstr;

Run Built(int64_t tokens = 256) {
  RunMaker maker;
  return TuneUsual(maker, tokens).Build();
}

std::string Leads(const Verdict& verdict) { return verdict.suspects.empty() ? "" : verdict.suspects[0].setting; }

std::string KernelValue(char c, const char* description = "ACC_TYPE='tl.float32', num_warps=8") {
  return "c" + std::string(51, c) + " " + description;
}

TEST(Baseline, ALongerSequenceMovesAttentionAndTokensAlike) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run;
  const autotune::Run built = Built();
  const Verdict verdict = JudgeRun(TuneUsual(run, 320).Build(), &manifest, &built);
  EXPECT_EQ(Leads(verdict), "sequence_length");
  EXPECT_THAT(verdict.suspects[0].observed, Eq("320"));
}

TEST(Baseline, ALongerSequenceWithoutARecordedOne) {
  const Manifest manifest = ManifestMaker().Row("torch", "2.11.0").Build();
  RunMaker run;
  const autotune::Run built = Built();
  const Verdict verdict = JudgeRun(TuneUsual(run, 320).Build(), &manifest, &built);
  EXPECT_EQ(Leads(verdict), "sequence_length");
  EXPECT_EQ(verdict.suspects[0].manifest, std::nullopt);
  EXPECT_THAT(verdict.suspects[0].why, HasSubstr("256 became 320"));
}

TEST(Baseline, TokensAloneMayBeBatchOrSequence) {
  const Manifest manifest = ManifestMaker().Row("sequence_length", "256").Build();
  RunMaker built, run;
  built.Tune("mm", {"1024x256", "256x512"}).Tune("mm", {"1024x512", "512x256"});
  run.Tune("mm", {"1280x256", "256x512"}).Tune("mm", {"1280x512", "512x256"});
  const autotune::Run before = built.Build();
  EXPECT_EQ(Leads(JudgeRun(run.Build(), &manifest, &before)), "input_shapes");
}

TEST(Baseline, ALargerBatch) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run;
  run.Tune("mm", {"2048x256", "256x512"}).Tune("bmm", {"8x256x256", "8x256x256"});
  const autotune::Run built = Built();
  EXPECT_EQ(Leads(JudgeRun(run.Build(), &manifest, &built)), "batch_size");
}

TEST(Baseline, AnotherDtype) {
  const Manifest manifest = ManifestMaker().Row("torch", "2.11.0").Build();
  RunMaker run;
  const autotune::Run built = Built();
  EXPECT_EQ(Leads(JudgeRun(TuneUsual(run, 256, "torch.float16").Build(), &manifest, &built)), "dtype");
}

TEST(Baseline, AWeightThatMovedIsTheModel) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker run;
  run.Tune("mm", {"1024x256", "256x320"});
  const autotune::Run built = Built();
  const Verdict verdict = JudgeRun(run.Build(), &manifest, &built);
  EXPECT_EQ(Leads(verdict), "model");
  EXPECT_THAT(verdict.suspects[0].why, HasSubstr("mm(1024x256, 256x512)"));
}

TEST(Baseline, ABackwardGraphIsTheModel) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker built, run;
  built.Tune("mm", {"1024x256", "256x512"}).last().strides = {{"256", "1"}, {"1", "256"}};
  run.Tune("mm", {"1024x256", "256x512"}).last().strides = {{"256", "1"}, {"512", "1"}};
  run.Tune("mm", {"256x1024", "1024x512"}).last().strides = {{"1", "256"}, {"512", "1"}};
  const autotune::Run before = built.Build();
  EXPECT_EQ(Leads(JudgeRun(run.Build(), &manifest, &before)), "model");
}

TEST(Baseline, GradientsOfWeightsSumOverTokens) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker built, run;
  built.Tune("mm", {"1024x256", "256x512"}).Tune("mm", {"256x1024", "1024x512"}).Tune("bmm", {"4x256x64", "4x64x256"});
  run.Tune("mm", {"1280x256", "256x512"}).Tune("mm", {"256x1280", "1280x512"}).Tune("bmm", {"4x320x64", "4x64x320"});
  const autotune::Run before = built.Build();
  EXPECT_EQ(Leads(JudgeRun(run.Build(), &manifest, &before)), "sequence_length");
}

TEST(Baseline, ALargerImageIsNoOtherModel) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker built, run;
  built.Tune("convolution", {"8x3x224x224", "64x3x7x7"}).Tune("convolution", {"8x64x55x55", "64x64x3x3"});
  run.Tune("convolution", {"8x3x288x288", "64x3x7x7"}).Tune("convolution", {"8x64x71x71", "64x64x3x3"});
  const autotune::Run before = built.Build();
  EXPECT_EQ(Leads(JudgeRun(run.Build(), &manifest, &before)), "input_shapes");
}

TEST(Baseline, SymbolsForNumbers) {
  const Manifest manifest = ManifestMaker().Row("torch", "2.11.0").Build();
  RunMaker built, run;
  built.Tune("mm", {"1024x256", "256x512"}).last().strides = {{"256", "1"}, {"1", "256"}};
  run.Tune("mm", {"1024x256", "256x512"}).last().strides = {{"s0", "1"}, {"1", "256"}};
  const autotune::Run before = built.Build();
  EXPECT_EQ(Leads(JudgeRun(run.Build(), &manifest, &before)), "dynamic_shapes");
}

TEST(Baseline, TheSameKernelsMeanThatTheEntriesWereNotThere) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker built, run;
  built.State("kernel", KernelValue('a'));
  run.State("kernel", KernelValue('a'));
  TuneUsual(built);
  TuneUsual(run);
  const autotune::Run before = built.Build();
  const Verdict verdict = JudgeRun(run.Build(), &manifest, &before);
  EXPECT_EQ(Leads(verdict), "cache_contents");
  EXPECT_THAT(verdict.notes, Contains(HasSubstr("keys that they had in the build")));
}

TEST(Baseline, OtherKernelsOfTheSameProblemMeanABakedInSetting) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker built, run;
  built.State("kernel", KernelValue('a'));
  run.State("kernel", KernelValue('b')).State("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache");
  TuneUsual(built);
  TuneUsual(run);
  const autotune::Run before = built.Build();
  const Verdict verdict = JudgeRun(run.Build(), &manifest, &before);
  // Which setting it was is not known: what is known is that the cache does not fit. The likeliest setting comes next.
  ASSERT_GE(verdict.suspects.size(), 2u);
  EXPECT_EQ(Leads(verdict), "cache_contents");
  EXPECT_THAT(verdict.suspects[0].why, HasSubstr("written into every kernel"));
  EXPECT_LE(verdict.suspects[0].confidence, 0.6);
  EXPECT_EQ(verdict.suspects[1].setting, "compile_mode");
}

TEST(Baseline, KernelsThatWereFoundSpeakAgainstAGlobalCause) {
  const Manifest manifest = UsualManifest().Build();
  RunMaker built, run;
  built.State("kernel", KernelValue('a'));
  run.State("torch", "2.11.1+cu130").State("kernel", KernelValue('a')).State("kernel", KernelValue('b'));
  TuneUsual(built);
  run.Tune("mm", {"1024x256", "256x320"});
  const autotune::Run before = built.Build();
  const Verdict verdict = JudgeRun(run.Build(), &manifest, &before);
  EXPECT_EQ(Leads(verdict), "model");
}

TEST(Baseline, AnAddedBackEndMakesProblemsLookNew) {
  const Manifest manifest = ManifestMaker().Row("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN").Build();
  RunMaker built, run;
  built.Tune("addmm", {"1024x256", "1024x512", "512x256"}, {"ATEN"});
  TuneUsual(run);
  const autotune::Run before = built.Build();
  const Verdict verdict = JudgeRun(run.Build(), &manifest, &before);
  EXPECT_EQ(Leads(verdict), "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS");
  EXPECT_EQ(Find(verdict, "model"), nullptr);
}

TEST(Baseline, StatedValuesOfBothLogsAreCompared) {
  const Manifest manifest = ManifestMaker().Row("python", "3.12.3").Build();
  RunMaker built, run;
  built.State("triton", "3.6.0").State("inductor_config[comment_origin]", "False");
  run.State("triton", "3.5.1").State("inductor_config[comment_origin]", "True");
  TuneUsual(built);
  TuneUsual(run);
  const autotune::Run before = built.Build();
  const Verdict verdict = JudgeRun(run.Build(), &manifest, &before);
  EXPECT_EQ(Leads(verdict), "triton");
  EXPECT_EQ(verdict.suspects[0].basis, Basis::kBaseline);
  EXPECT_EQ(verdict.suspects[0].manifest, std::nullopt);
  EXPECT_EQ(verdict.suspects[0].built, "3.6.0");
  EXPECT_EQ(verdict.suspects[0].fix, "pip install triton==3.6.0");
  EXPECT_THAT(verdict.notes, Contains(HasSubstr("inductor_config[comment_origin]")));
}

TEST(Baseline, TheOrderOfBackEndsIsToldAndHarmless) {
  RunMaker built, run;
  built.State("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN,TRITON");
  run.State("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "TRITON,ATEN");
  const autotune::Run before = built.Build();
  const Verdict verdict = JudgeRun(run.Build(), nullptr, &before);
  EXPECT_TRUE(verdict.suspects.empty());
  ASSERT_EQ(verdict.harmless.size(), 1u);
  EXPECT_EQ(verdict.harmless[0].built, "ATEN,TRITON");
  EXPECT_EQ(verdict.harmless[0].observed, "TRITON,ATEN");
}

TEST(Baseline, GraphInputsThatDifferAreToldByTheirField) {
  RunMaker built, run;
  built.State("example_inputs[1]", "TensorMetadata(dtype=torch.bfloat16, shape=torch.Size([4, 256]), stride=(256, 1))");
  run.State("example_inputs[1]", "TensorMetadata(dtype=torch.bfloat16, shape=torch.Size([4, 25]), stride=(25, 1))");
  built.State("example_inputs[2]", "7").State("example_inputs[3]", "[]");
  run.State("example_inputs[2]", "8").State("example_inputs[3]", "[]");
  const autotune::Run before = built.Build();
  const Verdict verdict = JudgeRun(run.Build(), nullptr, &before);
  ASSERT_EQ(verdict.notes.size(), 1u);
  EXPECT_EQ(verdict.notes[0],
            "example_inputs[1] of the graph key had shape=torch.Size([4, 256]) in the build (line 1) and has "
            "shape=torch.Size([4, 25]) here (line 1); 2 inputs of the graph differ in all");
}

TEST(Baseline, AFolderThatNobodyRecordedIsNoSuspect) {
  RunMaker run;
  run.State("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache");
  EXPECT_TRUE(JudgeRun(TuneUsual(run).Build(), nullptr, nullptr).suspects.empty());
}

TEST(Baseline, WithoutAManifestTheStateStaysUnknown) {
  RunMaker run;
  const autotune::Run built = Built();
  const Verdict verdict = JudgeRun(TuneUsual(run, 320).Build(), nullptr, &built);
  EXPECT_EQ(verdict.state, Verdict::State::kUnknown);
  EXPECT_EQ(Leads(verdict), "sequence_length");
}

}  // namespace
}  // namespace autotune
