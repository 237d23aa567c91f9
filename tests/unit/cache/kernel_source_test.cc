#include "analyzer/identity/kernel_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analyzer/base/digest.h"
#include "analyzer/cache/cache_reader.h"
#include "analyzer/identity/choice_key.h"
#include "analyzer/identity/code_key.h"
#include "tests/unit/cache/archive_maker.h"
#include "tests/unit/cache/rules.h"

namespace autotune {
namespace {

constexpr char kStem[] = "cxdgwlkfi4sw5btei5yf57zdl2m6zbsxfeaixyqa6ed54z7cxrgx";
constexpr char kDescription[] =
    "ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=16, BLOCK_M=32, BLOCK_N=32, EVEN_K=True, GROUP_M=8, "
    "USE_FAST_ACCUM=False, num_stages=1, num_warps=2";

std::string Build(const std::string& run) { return SOURCE_DIR "/corpus/lab/" + run; }

std::string Source(const std::string& stem = kStem, const std::string& archive = Build("base-cold/cache.tar.zst")) {
  std::string out;
  EXPECT_TRUE(ReadKernels(archive, {stem}, [&](const std::string&, const std::string& source) { out = source; }).ok());
  EXPECT_FALSE(out.empty());
  return out;
}

std::string Edited(const std::vector<SourceEdit>& edits, const std::map<std::string, std::string>& values = {}) {
  auto edited = ApplyEdits(Source(), CompileEdits(edits, values));
  return edited ? TritonSourceHash(*edited, kDescription) : "unchanged";
}

TEST(TritonKey, SourceAndDescriptionGiveTheName) {
  EXPECT_EQ(TritonSourceHash(Source(), kDescription), kStem);
  EXPECT_EQ(TritonKey("triton_mm_0", Source(), kDescription), std::string("triton_mm-") + kStem);
}

// What other runs' kernels are called, out of this one's source: each edit is one changed setting.
TEST(ApplyEdits, OneSettingAtATime) {
  EXPECT_EQ(Edited({{"set_meta", "force_disable_caches", "True", ""}}),
            "cxh7ecxlo5euf4lhb5fyox62dzddtfompwm347dmhlz3sgwd6pea");
  EXPECT_EQ(Edited({{"remove_meta", "coordinate_descent_tuning", "", ""},
                    {"remove_meta", "coordinate_descent_search_radius", "", ""},
                    {"remove_meta", "coordinate_descent_check_all_directions", "", ""}}),
            "cdkfgfabnntis5ofurgvkcpijj5nrawtrvkdykbhaeqlldtl2gdn");
  EXPECT_EQ(Edited({{"set_meta", "max_autotune_pointwise", "True", ""}}),
            "c5jidq2lsnc5z6x6uwxrkcfbh3w5xp4ob6v2xusp6at2g36jqsor");
  EXPECT_EQ(Edited({{"replace", "\\*bf16", "*fp16", ""}}), "cf77x4iqtdnqasoaoe2lghtiarn5n5tb6hzyeb3tkkmzlscbxm2i");
  EXPECT_EQ(Edited({{"replace", "\\bM = \\d+", "M = {M}", ""}}, {{"M", "1280"}}),
            "chck7hlqhbk4xxsnqrbjfsiah74cq6nxupkpgwsnjdwgswyzvk6s");
  EXPECT_EQ(Edited({{"replace", "index=0", "index=1", ""}}), "c5figirea6jx7ed7k7x4jlgo6757l5smseznsjmbt64hmssrjnhv");
}

TEST(ApplyEdits, AnEditThatChangesNothingIsNoCause) {
  EXPECT_EQ(Edited({{"set_meta", "force_disable_caches", "False", ""}}), "unchanged");
  EXPECT_EQ(Edited({{"set_meta", "no_such_entry", "True", ""}}), "unchanged");
  EXPECT_EQ(Edited({{"remove_meta", "no_such_entry", "", ""}}), "unchanged");
  EXPECT_EQ(Edited({{"add_meta", "max_autotune", "True", "store_cubin"}}), "unchanged") << "it is there already";
  EXPECT_EQ(Edited({{"add_meta", "new_entry", "True", "no_such_entry"}}), "unchanged");
  EXPECT_EQ(Edited({{"replace", "no such text", "x", ""}}), "unchanged");
  EXPECT_EQ(Edited({{"replace", "(", "x", ""}}), "unchanged") << "an invalid pattern";
  EXPECT_EQ(Edited({{"replace", "\\bM = \\d+", "M = {M}", ""}}), "unchanged") << "no size is known";
  EXPECT_EQ(Edited({}), "unchanged");
}

TEST(ApplyEdits, RemovingAndAddingUndoEachOther) {
  std::string source = Source();
  for (const MetaEntry& entry : InductorMeta(source)) {
    auto removed = ApplyEdits(source, CompileEdits({{"remove_meta", entry.key, "", ""}}, {}));
    ASSERT_TRUE(removed) << entry.key;
    EXPECT_EQ(InductorMeta(*removed).size() + 1, InductorMeta(source).size()) << entry.key;
  }
  auto removed = ApplyEdits(source, CompileEdits({{"remove_meta", "coordinate_descent_tuning", "", ""}}, {}));
  auto added = ApplyEdits(
      *removed,
      CompileEdits({{"add_meta", "coordinate_descent_tuning", "True", "are_deterministic_algorithms_enabled"}}, {}));
  ASSERT_TRUE(added);
  EXPECT_EQ(*added, source);
}

TEST(InductorMeta, EntriesInOrder) {
  std::string source = Source();
  std::vector<MetaEntry> entries = InductorMeta(source);
  ASSERT_GT(entries.size(), 20u);
  EXPECT_EQ(entries[0].key, "kernel_name");
  EXPECT_EQ(entries[0].value, "'Placeholder.DESCRIPTIVE_NAME'");
  EXPECT_EQ(entries[1].key, "backend_hash");
  EXPECT_EQ(entries[1].value, "'91D1D1166449D9E2EB66EB9770C9E2C3B0FEB787341F27FEB4D3F0338DA50336'");
  EXPECT_EQ(entries.back().key, "config_args");
  EXPECT_EQ(entries.back().value.front(), '{');
  EXPECT_EQ(entries.back().value.back(), '}');
  for (const MetaEntry& entry : entries) {
    EXPECT_EQ(source.substr(entry.begin, entry.end - entry.begin), "'" + entry.key + "': " + std::string(entry.value));
  }
}

TEST(InductorMeta, SurvivesCutText) {
  std::string source = Source();
  for (size_t length = 0; length < source.size(); length += 7) {
    std::string_view cut = std::string_view(source).substr(0, length);
    InductorMeta(cut);
    (void)DescriptionOf(cut, kStem);
    ProblemSignature(cut);
  }
  EXPECT_TRUE(DictEntries("{'a': 'x}', 'b': {'c': (1, 2)}, 'd': \"it's\"}").size() == 3);
  EXPECT_TRUE(DictEntries("{'a': 1").empty());
  EXPECT_TRUE(DictEntries("{a: 1}").empty());
  EXPECT_TRUE(DictEntries("{}").empty());
}

// Every candidate of every recorded cache tells its own description, and hashes to its name with it.
TEST(DescriptionOf, EveryRecordedCandidate) {
  for (const char* run : {"base-cold", "keys-cold", "fp32-cold", "r-base"}) {
    CacheReading reading = ReadCache(Build(std::string(run) + "/cache.tar.zst"), {});
    size_t candidates = 0;
    for (const RecordedKernel& kernel : reading.cache.kernels) {
      if (!kernel.is_template) continue;
      ++candidates;
      EXPECT_FALSE(kernel.description.empty()) << run << " " << kernel.key;
    }
    EXPECT_EQ(candidates, 60u) << run;
  }
}

// Before torch 2.11 the source has no config_args: its constexpr lines tell the configuration.
TEST(DescriptionOf, FromConstexprLines) {
  std::string source =
      "\nimport triton\n@triton_heuristics.template(\n    num_stages=2,\n    num_warps=4,\n    triton_meta={},\n"
      "    inductor_meta={'kernel_name': 'x'},\n)\n@triton.jit\ndef triton_mm(arg_A):\n    GROUP_M : tl.constexpr = 8\n"
      "    EVEN_K : tl.constexpr = True\n    ALLOW_TF32 : tl.constexpr = False\n    ACC_TYPE : tl.constexpr = "
      "tl.float32\n"
      "    B_PROLOGUE_CAST_TYPE : tl.constexpr = None\n    SM_SCALE : tl.constexpr = 1e-05\n    M = 8\n";
  std::string plain =
      "ACC_TYPE='tl.float32', ALLOW_TF32=False, B_PROLOGUE_CAST_TYPE=None, EVEN_K=True, GROUP_M=8, "
      "SM_SCALE=1e, 05, num_stages=2, num_warps=4";
  EXPECT_EQ(DescriptionOf(source, TritonSourceHash(source, plain)), plain);
  std::string quoted = plain;
  quoted.replace(quoted.find("ALLOW_TF32=False"), 16, "ALLOW_TF32='False'");
  EXPECT_EQ(DescriptionOf(source, TritonSourceHash(source, quoted)), quoted) << "GPUs without TF32";
  std::string meta = plain + ", num_consumer_groups=0, num_buffers_warp_spec=0";
  EXPECT_EQ(DescriptionOf(source, TritonSourceHash(source, meta)), meta);
  EXPECT_EQ(DescriptionOf(source, kStem), std::nullopt);
}

TEST(ProblemSignature, OneForAllConfigurationsOfAProblem) {
  CacheReading reading = ReadCache(Build("base-cold/cache.tar.zst"), {});
  ASSERT_EQ(reading.signatures.size(), 3u);
  for (const auto& [signature, kernels] : reading.signatures) EXPECT_EQ(kernels.size(), 20u);
}

TEST(CompareSources, NamesWhatDiffers) {
  std::string source = Source();
  auto with = [&](const std::vector<SourceEdit>& edits) { return *ApplyEdits(source, CompileEdits(edits, {})); };
  auto one = CompareSources(source, with({{"set_meta", "spill_threshold", "32", ""}}));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].place, SourceDifference::Place::kMeta);
  EXPECT_EQ(one[0].name, "spill_threshold");
  EXPECT_EQ(one[0].before, "16");
  EXPECT_EQ(one[0].after, "32");
  auto size = CompareSources(source, with({{"replace", "\\bM = 1024\\b", "M = 1280", ""}}));
  ASSERT_EQ(size.size(), 1u);
  EXPECT_EQ(size[0].place, SourceDifference::Place::kConstant);
  EXPECT_EQ(size[0].name, "M");
  auto device = CompareSources(source, with({{"replace", "index=0", "index=1", ""}}));
  ASSERT_EQ(device.size(), 1u);
  EXPECT_EQ(device[0].place, SourceDifference::Place::kTritonMeta);
  EXPECT_EQ(device[0].name, "device");
  auto removed = CompareSources(source, with({{"remove_meta", "store_cubin", "", ""}}));
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].after, "");
  auto text = CompareSources(source, with({{"replace", "tl.dot\\(a, b", "tl.dot(b, a", ""}}));
  ASSERT_EQ(text.size(), 1u);
  EXPECT_EQ(text[0].place, SourceDifference::Place::kText);
  EXPECT_TRUE(CompareSources(source, source).empty());
}

// The keys that inductor itself computed in the recorded runs (oracle.jsonl.gz holds them in plain text once unpacked):
// every choice of every look-up that was benchmarked is in the recorded file, in that order.
TEST(CppKey, RecordedSourcesHashToTheKeysOfTheFile) {
  for (const char* run : {"cpu-2.6.0-cold", "cpu-2.14.1-cold"}) {
    CacheReading reading = ReadCache(Build(std::string(run) + "/cache.tar.zst"), {});
    size_t checked = 0;
    for (const RecordedProblem& problem : reading.cache.problems) {
      const std::string& key = problem.choices.back().key;
      std::string hash = key.substr(key.rfind('-') + 1);
      EXPECT_TRUE(std::binary_search(reading.cache.cpp_hashes.begin(), reading.cache.cpp_hashes.end(), hash)) << key;
      ++checked;
    }
    EXPECT_EQ(checked, 3u);
  }
}

}  // namespace
}  // namespace autotune
