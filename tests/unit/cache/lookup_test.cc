#include "analyzer/cache/lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/cache/new_problems.h"
#include "analyzer/identity/code_key.h"
#include "analyzer/identity/kernel_source.h"
#include "tests/unit/cache/archive_maker.h"
#include "tests/unit/cache/rules.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string Lab(const std::string& file) { return SOURCE_DIR "/corpus/lab/" + file; }

constexpr char kTooLarge[] =
    " ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=128, BLOCK_M=128, BLOCK_N=128, EVEN_K=True, GROUP_M=8, "
    "USE_FAST_ACCUM=False, num_stages=4, num_warps=8";

// A run by hand: tables and the candidates that error lines of recorded runs name.
class LookUpTest : public testing::Test {
 protected:
  LookUpTest() { run_.sources = {"train.log"}; }

  Block& Tuned(std::string op, std::vector<std::string> shapes, std::vector<std::vector<std::string>> strides,
               std::string dtype = "torch.bfloat16") {
    TunedProblem problem;
    Block& block = problem.first;
    block.source = "train.log";
    block.line = 10 + run_.problems.size();
    block.op = std::move(op);
    block.dtypes = std::vector<std::string>(shapes.size(), std::move(dtype));
    block.shapes = std::move(shapes);
    block.strides = std::move(strides);
    block.num_choices = 20;
    Choice row;
    row.name = "triton_mm_12";
    row.backend = "TRITON";
    row.ms = 0.0777;  // not the recorded time: this run tuned again
    row.description = "ACC_TYPE='tl.float32'";
    block.choices = {row};
    problem.backends = {"ATEN", "TRITON"};
    problem.blocks = 1;
    ++run_.blocks;
    run_.problems.push_back(std::move(problem));
    return run_.problems.back().first;
  }
  Block& RecordedMm() { return Tuned("mm", {"1024x256", "256x512"}, {{"256", "1"}, {"1", "256"}}); }
  void State(std::string setting, std::string value) {
    StatedValue stated;
    stated.setting = std::move(setting);
    stated.value = std::move(value);
    stated.first_line = 3;
    stated.source = "train.log";
    run_.stated.push_back(std::move(stated));
  }
  void Kernel(const std::string& key) { State("kernel", key + kTooLarge); }
  void Record(std::string setting, std::string value) {
    Fact fact;
    fact.setting = std::move(setting);
    fact.raw = fact.value = std::move(value);
    fact.line = manifest_.facts.size() + 1;
    manifest_.facts.push_back(std::move(fact));
  }

  CacheFindings Find(const std::string& build = "base-cold", const std::string& run_cache = "") {
    auto book = KeyBook::Load(build.find('/') == std::string::npos ? Lab(build + "/cache.tar.zst") : build);
    EXPECT_TRUE(book.ok()) << book.status();
    LookUpInput input;
    input.run = &run_;
    input.manifest = &manifest_;
    input.book = &*book;
    if (!run_cache.empty()) input.run_cache = Lab(run_cache + "/run_cache.tar.zst");
    return LookUp(input, CacheTestRules());
  }
  static std::string First(const CacheFindings& found) {
    return found.suspects.empty() ? "" : found.suspects[0].setting;
  }

  autotune::Run run_;
  Manifest manifest_;
};

TEST_F(LookUpTest, ARunThatDidNotTuneHasNoSuspect) {
  Kernel("cqx5pjbohdpbcgyskrltub37m2cukydkctafpmnid6crynylq5kd");
  EXPECT_TRUE(Find().suspects.empty());
}

TEST_F(LookUpTest, WithoutACacheNothingIsLookedUp) {
  RecordedMm();
  KeyBook none;
  LookUpInput input;
  input.run = &run_;
  input.book = &none;
  EXPECT_TRUE(LookUp(input, CacheTestRules()).suspects.empty());
  input.run_cache = "somewhere";
  EXPECT_FALSE(LookUp(input, CacheTestRules()).notes.empty());
}

TEST_F(LookUpTest, EqualKernelsMeanThatTheFileWasNotReached) {
  RecordedMm();
  Kernel("cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp3");
  CacheFindings found = Find();
  ASSERT_EQ(found.suspects.size(), 1u);
  EXPECT_EQ(found.suspects[0].setting, "cache_contents");
  EXPECT_EQ(found.suspects[0].basis, Basis::kCacheLookup);
  EXPECT_THAT(found.suspects[0].why, HasSubstr("byte for byte"));
}

TEST_F(LookUpTest, TheFolderIsNamedWhereTheLogShowsAnother) {
  RecordedMm();
  Kernel("cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp3");
  Record("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache/");
  State("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache");
  EXPECT_EQ(First(Find()), "cache_contents") << "the same folder, spelled otherwise";
  run_.stated.back().value = "/tmp/torchinductor_root";
  EXPECT_EQ(First(Find()), "TORCHINDUCTOR_CACHE_DIR");
}

TEST_F(LookUpTest, WithoutAKernelNothingIsClaimed) {
  RecordedMm();
  CacheFindings found = Find();
  EXPECT_TRUE(found.suspects.empty());
  EXPECT_THAT(found.notes, Contains(HasSubstr("no kernel of this run is known")));
}

TEST_F(LookUpTest, ForceDisableCachesIsProved) {
  RecordedMm();
  Kernel("cqx5pjbohdpbcgyskrltub37m2cukydkctafpmnid6crynylq5kd");
  Kernel("cdvexncyqhr4rgo64kjinnjithf65lfr2c2nd2jphex4p34tfas5");
  CacheFindings found = Find();
  ASSERT_FALSE(found.suspects.empty());
  EXPECT_EQ(found.suspects[0].setting, "TORCHINDUCTOR_FORCE_DISABLE_CACHES");
  EXPECT_EQ(found.suspects[0].basis, Basis::kHashProof);
  EXPECT_EQ(found.suspects[0].observed, "1");
  EXPECT_THAT(found.suspects[0].why, HasSubstr("2 of 2 keys"));
  EXPECT_GT(found.suspects[0].confidence, 0.95);
}

TEST_F(LookUpTest, CoordinateDescentOffIsProvedAndTheModeNamedFirst) {
  RecordedMm();
  Kernel("cweuk3f4jscx47vp5wntyzyz3fxmirsm4xvnsybjft64k343a6t3");
  Record("compile_mode", "max-autotune-no-cudagraphs");
  CacheFindings found = Find();
  ASSERT_GE(found.suspects.size(), 2u);
  EXPECT_EQ(found.suspects[0].setting, "compile_mode");
  EXPECT_EQ(found.suspects[0].basis, Basis::kHashProof);
  EXPECT_EQ(found.suspects[1].setting, "TORCHINDUCTOR_COORDINATE_DESCENT_TUNING");
  EXPECT_LT(found.suspects[1].confidence, found.suspects[0].confidence);
}

TEST_F(LookUpTest, ASettingThatTheLogShowsEqualIsNotTheFirst) {
  RecordedMm();
  Kernel("cweuk3f4jscx47vp5wntyzyz3fxmirsm4xvnsybjft64k343a6t3");
  Record("compile_mode", "max-autotune-no-cudagraphs");
  State("compile_mode", "max-autotune-no-cudagraphs");
  EXPECT_EQ(First(Find()), "TORCHINDUCTOR_COORDINATE_DESCENT_TUNING");
}

TEST_F(LookUpTest, AnotherDtypeIsProved) {
  Tuned("mm", {"1024x256", "256x512"}, {{"256", "1"}, {"1", "256"}}, "torch.float16");
  Kernel("cf53mzfp2hhwgl7ue5jagfw3qojjz7mhkfoqunjrewmsnccdsnfi");
  CacheFindings found = Find();
  EXPECT_EQ(First(found), "dtype");
  EXPECT_EQ(found.suspects[0].basis, Basis::kHashProof);
  EXPECT_EQ(found.suspects[0].observed, "torch.float16");
}

TEST_F(LookUpTest, AnotherSequenceLength) {
  Tuned("mm", {"1280x256", "256x512"}, {{"256", "1"}, {"1", "256"}});
  Tuned("bmm", {"4x320x256", "4x256x320"}, {{"81920", "256", "1"}, {"81920", "1", "256"}});
  Kernel("csvd23xunv5yewt63hn56qfdtppt3eewudvgryjso53w32jufa3l");
  CacheFindings found = Find();
  EXPECT_EQ(First(found), "input_shapes") << "no manifest says what the sizes are";
  EXPECT_EQ(found.suspects[0].basis, Basis::kHashProof) << "the one kernel known is the recorded one at the new size";
  Record("sequence_length", "256 tokens");
  found = Find();
  EXPECT_EQ(First(found), "sequence_length");
  EXPECT_EQ(found.suspects[0].manifest, "256 tokens");
  EXPECT_EQ(found.suspects[0].observed, "320");
  EXPECT_THAT(found.suspects[0].why, HasSubstr("1024 -> 1280"));
}

TEST_F(LookUpTest, AnotherBatch) {
  Record("sequence_length", "512");
  Record("batch_size", "4");
  Tuned("bmm", {"8x256x256", "8x256x256"}, {{"65536", "256", "1"}, {"65536", "1", "256"}});
  CacheFindings found = Find();
  EXPECT_EQ(First(found), "batch_size");
  EXPECT_EQ(found.suspects[0].observed, "8");
}

TEST_F(LookUpTest, AnotherLayerIsTheModel) {
  Tuned("mm", {"1024x256", "256x320"}, {{"256", "1"}, {"1", "256"}});
  CacheFindings found = Find();
  EXPECT_EQ(First(found), "model");
  EXPECT_THAT(found.suspects[0].why, HasSubstr("512 -> 320"));
}

TEST_F(LookUpTest, AnotherLayoutIsTheModel) {
  Tuned("bmm", {"4x256x256", "4x256x256"}, {{"65536", "256", "1"}, {"65536", "256", "1"}});
  CacheFindings found = Find();
  EXPECT_EQ(First(found), "model");
  EXPECT_THAT(found.suspects[0].why, HasSubstr("strides of input 1"));
}

TEST_F(LookUpTest, AnOpThatWasNeverRecorded) {
  Tuned("scaled_mm", {"128x256", "256x128"}, {{"256", "1"}, {"1", "256"}}, "torch.float8_e4m3fn");
  CacheFindings found = Find();
  EXPECT_EQ(First(found), "model");
  EXPECT_THAT(found.suspects[0].why, HasSubstr("no problem of"));
}

TEST_F(LookUpTest, ABackEndThatNoRecordedChoiceIsOf) {
  RecordedMm();
  Record("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN");
  CacheFindings found = Find("aten-only-cold");
  ASSERT_EQ(found.suspects.size(), 1u);
  EXPECT_EQ(found.suspects[0].setting, "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS");
  EXPECT_EQ(found.suspects[0].manifest, "ATEN");
  EXPECT_EQ(found.suspects[0].observed, "ATEN,TRITON");
  // A manifest that lists it was not of this cache.
  manifest_.facts[0].value = "ATEN,TRITON";
  EXPECT_EQ(First(Find("aten-only-cold")), "cache_contents");
}

TEST_F(LookUpTest, ACacheWithoutAnyResult) {
  Tuned("mm", {"1024x256", "256x512"}, {{"256", "1"}, {"1", "256"}}, "torch.float32");
  run_.problems[0].backends = {"ATEN", "CPP"};
  run_.problems[0].first.choices[0].backend = "CPP";
  EXPECT_EQ(First(Find("cpu-2.14.1-aten-only-cold")), "cache_contents");
  // With ATEN alone a problem has one candidate and writes nothing: the new back end is what is new.
  Record("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN");
  EXPECT_EQ(First(Find("cpu-2.14.1-aten-only-cold")), "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS");
}

TEST_F(LookUpTest, AnotherMachine) {
  RecordedMm();
  State("gpu", "NVIDIA A100-SXM4-80GB");
  State("triton", "3.5.1");
  CacheFindings found = Find();
  ASSERT_EQ(found.suspects.size(), 2u);
  EXPECT_EQ(found.suspects[0].setting, "gpu");
  EXPECT_EQ(found.suspects[0].manifest, "NVIDIA H200");
  EXPECT_EQ(found.suspects[1].setting, "triton");
  // Log and manifest agree: then the cache is of another build.
  Record("gpu", "NVIDIA A100-SXM4-80GB");
  Record("triton", "3.5.1");
  EXPECT_EQ(First(Find()), "cache_contents");
}

TEST_F(LookUpTest, VersionsAreEqualWithTheirLastParts) {
  RecordedMm();
  State("triton", "3.6.0+git8a6f8c1");
  State("cuda", "13.0.88");
  State("gpu", "NVIDIA H200");
  EXPECT_TRUE(Find().suspects.empty());
}

TEST_F(LookUpTest, AnotherPrecision) {
  RecordedMm();
  State("float32_matmul_precision", "high");
  CacheFindings found = Find();
  EXPECT_EQ(First(found), "float32_matmul_precision");
  EXPECT_EQ(found.suspects[0].manifest, "highest");
  EXPECT_EQ(found.suspects[0].observed, "high");
}

TEST_F(LookUpTest, TheBuildsOwnLogHasNoSuspect) {
  Block& block = RecordedMm();
  block.choices[0].ms = 0.0061;
  block.choices[0].description =
      "ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=128, BLOCK_M=64, BLOCK_N=128, EVEN_K=True, GROUP_M=8, "
      "USE_FAST_ACCUM=False, num_stages=4, num_warps=4";
  Kernel("cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp3");
  CacheFindings found = Find();
  EXPECT_TRUE(found.suspects.empty());
  EXPECT_THAT(found.notes, Contains(HasSubstr("this log wrote it")));
}

TEST_F(LookUpTest, TwoCaches) {
  RecordedMm();
  struct Case {
    const char *run, *setting;
    Basis basis;
    const char* part;
  };
  for (const Case& c :
       {Case{"r2-pointwise", "TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE", Basis::kHashProof, "60 of 60 keys"},
        Case{"r-triton", "triton", Basis::kHashProof, "60 of 60 keys"},
        Case{"r-same", "cache_contents", Basis::kCacheLookup, "57 kernels"}}) {
    CacheFindings found = Find("r-base", c.run);
    EXPECT_EQ(First(found), c.setting) << c.run;
    EXPECT_EQ(found.suspects[0].basis, c.basis) << c.run;
    EXPECT_THAT(found.suspects[0].why, HasSubstr(c.part)) << c.run;
    EXPECT_TRUE(found.errors.empty());
  }
  Record("compile_mode", "max-autotune-no-cudagraphs");
  CacheFindings found = Find("r-base", "r-mode-env");
  EXPECT_EQ(First(found), "compile_mode");
  EXPECT_THAT(found.suspects[0].why, HasSubstr("60 of 60 keys"));
}

TEST_F(LookUpTest, TwoCachesWithANewBackEnd) {
  RecordedMm();
  CacheFindings found = Find("r-aten", "r2-backends-added");
  EXPECT_EQ(First(found), "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS");
  EXPECT_THAT(found.notes, Contains(HasSubstr("problems that the recorded one has not")));
}

TEST_F(LookUpTest, ARunCacheThatCannotBeReadIsSaid) {
  RecordedMm();
  auto book = KeyBook::Load(Lab("base-cold/cache.tar.zst"));
  LookUpInput input;
  input.run = &run_;
  input.book = &*book;
  input.run_cache = "/no/such/folder";
  EXPECT_EQ(LookUp(input, CacheTestRules()).errors.size(), 1u);
}

// Two settings at once: no single edit explains the key, the pair does.
TEST_F(LookUpTest, TwoCausesAtOnce) {
  Members members = ReadMembers(Lab("base-cold/cache.tar.zst"));
  std::string key = "cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp3", description(kTooLarge + 1);
  auto edited = ApplyEdits(
      *autotune::Find(members, key),
      CompileEdits(
          {{"set_meta", "force_disable_caches", "True", ""}, {"set_meta", "max_autotune_pointwise", "True", ""}}, {}));
  ASSERT_TRUE(edited);
  RecordedMm();
  Kernel(TritonSourceHash(*edited, description));
  CacheFindings found = Find();
  ASSERT_GE(found.suspects.size(), 2u);
  std::vector<std::string> settings = {found.suspects[0].setting, found.suspects[1].setting};
  EXPECT_THAT(settings, testing::UnorderedElementsAre("TORCHINDUCTOR_FORCE_DISABLE_CACHES",
                                                      "TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE"));
  EXPECT_EQ(found.suspects[0].basis, Basis::kHashProof);
}

// An entry that no rule knows is named as the configuration calls it, out of both sources.
TEST_F(LookUpTest, AnEntryThatNoRuleKnows) {
  Members run = ReadMembers(Lab("base-cold/cache.tar.zst"));
  std::vector<std::pair<std::string, std::string>> renamed;
  for (auto& [name, content] : run) {
    size_t at = content.find("'min_split_scan_rblock': 256");
    std::string stem = name.size() > 55 ? name.substr(name.size() - 55, 52) : "";
    auto description = at == std::string::npos ? std::nullopt : DescriptionOf(content, stem);
    if (!description) continue;
    content.replace(at, 28, "'min_split_scan_rblock': 512");
    std::string key = TritonSourceHash(content, *description);
    name = "inductor_cache/" + CachedPath(key, "py");
    renamed.emplace_back(stem, key);
  }
  std::string* results = autotune::Find(run, "/cache/c33ff");
  for (const auto& [from, to] : renamed) {
    size_t place = results->find(from);
    if (place != std::string::npos) results->replace(place, 52, to);
  }
  RecordedMm();
  auto book = KeyBook::Load(Lab("base-cold/cache.tar.zst"));
  LookUpInput input;
  input.run = &run_;
  input.book = &*book;
  input.run_cache = WriteArchive(run, "run.tar");
  CacheFindings found = LookUp(input, CacheTestRules());
  EXPECT_EQ(First(found), "inductor_config[min_split_scan_rblock]");
  EXPECT_THAT(found.suspects[0].why, HasSubstr("256 -> 512"));
}

TEST(ExplainNewProblems, OneRatioForAll) {
  RecordedCache cache;
  cache.problems.push_back(
      {"mm",
       "[('cuda', 'torch.float16', 64, 32, 32, 1, 0), ('cuda', 'torch.float16', 32, 16, 16, 1, 0)]",
       "highest",
       {},
       0});
  Block block;
  block.op = "mm";
  block.dtypes = {"torch.float16", "torch.float16"};
  auto kind = [&](std::string a, std::string b) {
    block.shapes = {std::move(a), std::move(b)};
    return ExplainNewProblems({&block}, {FindNearest(cache, block)}).kind;
  };
  EXPECT_EQ(kind("128x32", "32x16"), NewProblemsCause::Kind::kScaled);
  EXPECT_EQ(kind("64x32", "32x48"), NewProblemsCause::Kind::kModel) << "a layer of another width";
  EXPECT_EQ(kind("128x96", "96x16"), NewProblemsCause::Kind::kModel) << "two ratios";
  block.dtypes = {"torch.bfloat16", "torch.bfloat16"};
  EXPECT_EQ(kind("64x32", "32x16"), NewProblemsCause::Kind::kDtype);
  block.op = "bmm";
  EXPECT_EQ(kind("64x32", "32x16"), NewProblemsCause::Kind::kModel);
}

}  // namespace
}  // namespace autotune
