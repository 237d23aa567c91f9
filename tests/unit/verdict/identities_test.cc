#include "analyzer/verdict/identities.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/identity/problem_key.h"
#include "tests/unit/verdict/make_run.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// The section that `manifest write` makes of a run: inputs in rows, as the makers' problems are.
Manifest Recorded(ManifestMaker maker, const Run& build, bool with_keys = false) {
  Manifest manifest = maker.Build();
  manifest.path = "m.md";
  uint64_t line = 100;
  manifest.identities.systems.push_back({std::string(64, 'a'), line});
  for (const TunedProblem& problem : build.problems) {
    Identities::Problem identity;
    identity.op = problem.first.op;
    identity.precision = "highest";
    identity.inputs_key = InputsKey(
        ContiguousInputs(problem.first, "cuda", (*problem.first.dtypes)[0]).value_or(std::vector<InputKey>()));
    identity.choices = problem.first.num_choices;
    identity.backends.assign(problem.backends.begin(), problem.backends.end());
    if (with_keys) identity.candidate_set_key = "c" + identity.inputs_key;
    identity.line = ++line;
    manifest.identities.problems.push_back(std::move(identity));
  }
  return manifest;
}

Run Usual(int64_t tokens = 256, const std::string& dtype = "torch.bfloat16",
          const std::vector<std::string>& backends = {"ATEN", "TRITON"}) {
  RunMaker maker;
  return TuneUsual(maker, tokens, dtype, backends).Build();
}

// With the run's own inductor keys, as a cache gives them.
Run WithKeys(Run run, const std::string& prefix) {
  for (TunedProblem& problem : run.problems) {
    const auto inputs = ContiguousInputs(problem.first, "cuda", (*problem.first.dtypes)[0]);
    problem.first.inputs_key = InputsKey(*inputs);
    problem.first.inputs_key_exact = true;
    problem.first.candidate_set.key = prefix + *problem.first.inputs_key;
    problem.first.candidate_set.basis = "inductor";
  }
  return run;
}

TEST(Identities, NewInputsAreANewShape) {
  const Manifest manifest = Recorded(ManifestMaker().Row("torch", "2.11.0"), Usual());
  const Verdict verdict = JudgeRun(Usual(320), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "sequence_length");
  EXPECT_EQ(verdict.suspects[0].basis, Basis::kShape);
  EXPECT_THAT(verdict.suspects[0].why, HasSubstr("manifest line 10"));
  EXPECT_THAT(verdict.notes, Contains(HasSubstr("0 of the 3 problems")));
}

TEST(Identities, AnotherDtype) {
  const Manifest manifest = Recorded(ManifestMaker().Row("torch", "2.11.0"), Usual());
  EXPECT_EQ(JudgeRun(Usual(256, "torch.float16"), &manifest).suspects.at(0).setting, "dtype");
}

TEST(Identities, MoreCandidatesOfTheSameInputsAreABackEnd) {
  const Manifest manifest =
      Recorded(ManifestMaker().Row("torch", "2.11.0"), Usual(256, "torch.bfloat16", {"ATEN"}), /*with_keys=*/true);
  const Verdict verdict = JudgeRun(Usual(), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS");
  EXPECT_EQ(verdict.suspects[0].basis, Basis::kCandidateSet);
}

TEST(Identities, EqualKeysMeanThatTheCacheWasNotReached) {
  const Manifest manifest = Recorded(ManifestMaker().Row("torch", "2.11.0"), Usual(), /*with_keys=*/true);
  const Verdict verdict = JudgeRun(WithKeys(Usual(), "c"), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_EQ(verdict.suspects[0].setting, "cache_contents");
  EXPECT_EQ(verdict.suspects[0].basis, Basis::kCacheLookup);
}

TEST(Identities, OtherCandidateKeysAreSomethingInTheKernels) {
  const Manifest manifest = Recorded(ManifestMaker().Row("torch", "2.11.0"), Usual(), /*with_keys=*/true);
  const Verdict verdict = JudgeRun(WithKeys(Usual(), "d"), &manifest);
  ASSERT_FALSE(verdict.suspects.empty());
  EXPECT_THAT(verdict.suspects[0].why, HasSubstr("other candidates"));
  EXPECT_THAT(Names(verdict), Contains("compile_mode"));
}

TEST(Identities, WithoutCandidateKeysNothingIsConcludedFromThem) {
  const Manifest manifest = Recorded(ManifestMaker().Row("torch", "2.11.0"), Usual());
  const Verdict verdict = JudgeRun(Usual(), &manifest);
  for (const Suspect& suspect : verdict.suspects) EXPECT_EQ(suspect.basis, Basis::kElimination) << suspect.setting;
}

TEST(Identities, ABuildsOwnLogIsAskedInsteadOfTheList) {
  const Manifest manifest = Recorded(ManifestMaker().Row("torch", "2.11.0"), Usual());
  const autotune::Run build = Usual();
  const Verdict verdict = JudgeRun(Usual(320), &manifest, &build);
  EXPECT_EQ(verdict.suspects.at(0).basis, Basis::kBaseline);
}

TEST(Identities, TheSystemHashProvesTheCardAndTheVersionsEqual) {
  const Manifest manifest =
      Recorded(ManifestMaker().Row("gpu", "NVIDIA H200").Row("triton", "3.6.0").Row("cuda", "13.0"), Usual());
  RunMaker maker;
  maker.State("system_info[hash]", std::string(64, 'a'));
  const Verdict verdict = JudgeRun(TuneUsual(maker).Build(), &manifest);
  for (const char* setting : {"gpu", "triton", "cuda"}) EXPECT_TRUE(IsEqual(verdict, setting)) << setting;
}

TEST(Identities, AnotherSystemHashIsOneOfThem) {
  const Manifest manifest =
      Recorded(ManifestMaker().Row("gpu", "NVIDIA H200").Row("triton", "3.6.0").Row("hip", "N/A"), Usual());
  RunMaker maker;
  maker.State("gpu", "NVIDIA H200").State("system_info[hash]", std::string(64, 'b'));
  const Verdict verdict = JudgeRun(TuneUsual(maker).Build(), &manifest);
  EXPECT_THAT(Names(verdict), Contains("triton"));
  EXPECT_THAT(Names(verdict), Not(Contains("gpu")));
  EXPECT_THAT(Names(verdict), Not(Contains("hip")));
}

}  // namespace
}  // namespace autotune
