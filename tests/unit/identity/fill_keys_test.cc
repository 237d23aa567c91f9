#include "analyzer/identity/fill_keys.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/identity/choice_key.h"
#include "tests/unit/identity/extern_rules.h"

namespace autotune {
namespace {

constexpr char kMm[] = "mm-cqrjyn5jqdhj5q3lohxxeq3fxnpvy6qsigzdm2ykqas7fpkl7zrz";
constexpr char kInputs[] = "[('cuda', 'torch.bfloat16', 8, 16, 16, 1, 0), ('cuda', 'torch.bfloat16', 16, 8, 8, 1, 0)]";
const std::string kA = "c" + std::string(51, 'a'), kB = "c" + std::string(51, 'b');

class FillKeysTest : public testing::Test {
 protected:
  FillKeysTest() {
    rules_.externs = ExternRules();
    block_.op = "mm";
    block_.shapes = {"8x16", "16x8"};
    block_.strides = {{"16", "1"}, {"8", "1"}};
    block_.dtypes = {"torch.bfloat16", "torch.bfloat16"};
    block_.num_choices = 3;
    block_.choices = {Row("triton_mm_4", 0.0061, "A=1", "TRITON"), Row("mm", 0.0072, "", "ATEN"),
                      Row("triton_mm_5", 0.0072, "A=2", "TRITON")};
    AddProblem(kInputs, {{kMm, 0.00719}, {"triton_mm-" + kA, 0.00613}, {"triton_mm-" + kB, 0.00721}});
  }

  static Choice Row(std::string name, double ms, std::string description, std::string backend) {
    Choice row;
    row.name = std::move(name);
    row.ms = ms;
    row.description = std::move(description);
    row.backend = std::move(backend);
    return row;
  }
  void AddProblem(std::string inputs, std::vector<RecordedChoice> choices) {
    cache_.shape_index["mm(8x16, 16x8)"].push_back(static_cast<uint32_t>(cache_.problems.size()));
    cache_.problems.push_back({"mm", std::move(inputs), "highest", std::move(choices), 0});
  }
  void AddKernel(const std::string& key, std::string description) {
    cache_.kernel_index[key] = static_cast<uint32_t>(cache_.kernels.size());
    RecordedKernel kernel;
    kernel.key = key;
    kernel.description = std::move(description);
    cache_.kernels.push_back(std::move(kernel));
  }

  RuleSet rules_;
  RecordedCache cache_;
  KeyHints hints_;
  Block block_;
};

TEST_F(FillKeysTest, WithoutACacheOnlyConstantsAreKnown) {
  FillKeys(rules_, nullptr, hints_, &block_);
  EXPECT_EQ(block_.inputs_key, kInputs);
  EXPECT_FALSE(block_.inputs_key_exact) << "device and offset are assumed";
  EXPECT_EQ(block_.choices[0].hash_key, std::nullopt);
  EXPECT_EQ(block_.choices[1].hash_key, kMm);
  EXPECT_EQ(block_.candidate_set.basis, "printed");
  EXPECT_EQ(block_.candidate_set.shown, 3);
  EXPECT_EQ(block_.candidate_set.total, 3);
}

TEST_F(FillKeysTest, EqualTimesMeanThatThisLogWroteTheEntry) {
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_TRUE(block_.inputs_key_exact);
  EXPECT_EQ(block_.choices[0].hash_key, "triton_mm-" + kA);
  EXPECT_EQ(block_.choices[1].hash_key, kMm);
  EXPECT_EQ(block_.choices[2].hash_key, "triton_mm-" + kB);
  EXPECT_EQ(block_.candidate_set.basis, "inductor");
  EXPECT_EQ(block_.candidate_set.key,
            CandidateSetKey("mm", kInputs, "highest", {kMm, "triton_mm-" + kA, "triton_mm-" + kB}));
}

TEST_F(FillKeysTest, ARecordedEntryIsNotTheRunsOwnWhenTimesDiffer) {
  block_.choices[0].ms = 0.0099;
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_FALSE(block_.inputs_key_exact);
  EXPECT_EQ(block_.choices[0].hash_key, std::nullopt);
  EXPECT_EQ(block_.choices[1].hash_key, kMm);
  EXPECT_EQ(block_.candidate_set.basis, "printed");
}

TEST_F(FillKeysTest, KernelsSeenInLogAndCacheMakeTheEntryTheRuns) {
  block_.choices[0].ms = 0.0099;
  AddKernel(kA, "A=1");
  AddKernel(kB, "A=2");
  hints_.kernels_match = true;
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_FALSE(block_.inputs_key_exact);
  EXPECT_EQ(block_.choices[0].hash_key, "triton_mm-" + kA);
  EXPECT_EQ(block_.choices[2].hash_key, "triton_mm-" + kB);
  EXPECT_EQ(block_.candidate_set.basis, "inductor");
}

TEST_F(FillKeysTest, DescriptionsTellEqualTimesApart) {
  block_.choices[0].ms = 0.0072;
  cache_.problems[0].choices[1].ms = 0.00722;
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, std::nullopt) << "either of two kernels";
  EXPECT_EQ(block_.candidate_set.basis, "inductor") << "the set is the entry all the same";
  AddKernel(kA, "A=1");
  block_.choices[0].hash_key.reset();
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, "triton_mm-" + kA);
  EXPECT_EQ(block_.choices[2].hash_key, "triton_mm-" + kB);
}

TEST_F(FillKeysTest, AnEntryWithOlderChoicesIsNotTheSet) {
  cache_.problems[0].choices.push_back({"triton_mm-c" + std::string(51, 'd'), 0.5});
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, "triton_mm-" + kA);
  EXPECT_EQ(block_.candidate_set.basis, "printed");
}

TEST_F(FillKeysTest, FailedChoicesAreInfinite) {
  block_.choices[0].ms = INFINITY;
  cache_.problems[0].choices[1].ms = INFINITY;
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, "triton_mm-" + kA);
}

TEST_F(FillKeysTest, BeforeTorch28TheEntryTellsTheLayout) {
  block_.strides.reset();
  block_.dtypes.reset();
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_EQ(block_.inputs_key, kInputs);
  EXPECT_TRUE(block_.inputs_key_exact);
  // A second layout of the same shapes with other times changes nothing; with the same times neither can be picked.
  AddProblem("[('cuda', 'torch.float16', 8, 16, 1, 8, 0), ('cuda', 'torch.float16', 16, 8, 1, 16, 0)]",
             cache_.problems[0].choices);
  block_.inputs_key.reset();
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_EQ(block_.inputs_key, std::nullopt);
}

TEST_F(FillKeysTest, WithoutStridesTheGuessStandsApart) {
  block_.strides.reset();
  block_.dtypes.reset();
  hints_.dtype = "bf16";
  FillKeys(rules_, nullptr, hints_, &block_);
  EXPECT_EQ(block_.inputs_key, std::nullopt);
  EXPECT_EQ(block_.inputs_key_guess, kInputs);
}

TEST_F(FillKeysTest, RowsThatOnlyACpuHasNameTheDevice) {
  block_.choices.push_back(Row("cpp_CppMicroGemmRef_0", 0.01, "", "CPP"));
  FillKeys(rules_, nullptr, hints_, &block_);
  EXPECT_EQ(block_.inputs_key->substr(0, 8), "[('cpu',");
  block_.choices.back() = Row("_linear_pointwise", 0.01, "", "ATEN");
  block_.inputs_key.reset();
  FillKeys(rules_, nullptr, hints_, &block_);
  EXPECT_EQ(block_.inputs_key->substr(0, 8), "[('cpu',");
}

TEST_F(FillKeysTest, PythonCallablesNeedTheRelease) {
  block_.choices = {Row("conv1x1_via_mm", 0.1, "", "ATEN")};
  FillKeys(rules_, nullptr, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, std::nullopt);
  hints_.torch = "2.11.0+cu130";
  FillKeys(rules_, nullptr, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, "conv1x1_via_mm-cufhh3ps2rngax5dztwoklcbr6y7phocal6rw5hzr3ue5efzpf73");
}

TEST_F(FillKeysTest, KeywordArgumentsAreNotGuessed) {
  block_.choices = {Row("addmm", 0.1, "", "ATEN")};
  FillKeys(rules_, nullptr, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, std::nullopt);
}

TEST_F(FillKeysTest, CutlassRowsOfOneNameDifferBySwizzle) {
  block_.choices = {Row("cutlass_a3c7688a", 0.0183, "cutlass3x swizzle=1", "CUTLASS"),
                    Row("cutlass_a3c7688a", 0.0183, "cutlass3x swizzle=2", "CUTLASS")};
  block_.num_choices = 2;
  cache_.problems[0].choices = {{"cutlass_gemm-" + kA + "-1", 0.0183}, {"cutlass_gemm-" + kA + "-2", 0.0183}};
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, "cutlass_gemm-" + kA + "-1");
  EXPECT_EQ(block_.choices[1].hash_key, "cutlass_gemm-" + kA + "-2");
}

TEST_F(FillKeysTest, A26BmmOfCppIsNotAtens) {
  block_.op = "bmm";
  block_.choices = {Row("cpp_bmm_2", 37.4772, "", "CPP"), Row("bmm", 37.4772, "", "ATEN")};
  block_.num_choices = 2;
  cache_.shape_index["bmm(8x16, 16x8)"] = {0};
  cache_.problems[0].op = "bmm";
  cache_.problems[0].inputs = "[('cpu', 'torch.bfloat16', 8, 16, 16, 1, 0), ('cpu', 'torch.bfloat16', 16, 8, 8, 1, 0)]";
  cache_.problems[0].choices = {{"bmm-cd5psz4hpk4zkst35kaqy4cinkar3isguqbvs5d5ipyx2iqstqib", 37.4772},
                                {"bmm-" + kA, 37.4772}};
  FillKeys(rules_, &cache_, hints_, &block_);
  EXPECT_EQ(block_.choices[0].hash_key, "bmm-" + kA);
  EXPECT_EQ(block_.choices[1].hash_key, "bmm-cd5psz4hpk4zkst35kaqy4cinkar3isguqbvs5d5ipyx2iqstqib");
}

}  // namespace
}  // namespace autotune
