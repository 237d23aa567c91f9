#include "analyzer/cache/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/cache/cache_reader.h"
#include "analyzer/identity/code_key.h"
#include "tests/unit/cache/archive_maker.h"
#include "tests/unit/cache/rules.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

const std::string kBuild = SOURCE_DIR "/corpus/lab/base-cold/cache.tar.zst";
const std::string kCpuBuild = SOURCE_DIR "/corpus/lab/cpu-2.14.1-cold/cache.tar.zst";
constexpr char kSystem[] = "c33ff64252de0fc95aafeb63c22d2f93666cf684f9102841c20702613368c40d";
// A candidate kernel and the graph's wrapper, which is hashed without a description.
constexpr char kKernel[] = "c2aie2j2ruun4ombnritie2bteb6oxprk5ng724zovomwro6oafs.py";
constexpr char kPointwise[] = "cre4nfibpiq33zh55rx45shwlwkb736fjtmbmmp2n2srhk7djhh4.py";

CacheReport Inspect(const std::string& path, const Manifest* manifest = nullptr) {
  auto report = InspectCache(path, manifest, CacheTestRules());
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *std::move(report) : CacheReport{};
}

std::string Value(const CacheReport& report, const std::string& setting) {
  for (const Fact& fact : report.facts) {
    if (fact.setting == setting) return fact.value;
  }
  return "";
}

std::set<std::string> Errors(const CacheReport& report) {
  std::set<std::string> out;
  for (const Problem& problem : report.problems) {
    if (problem.severity == Problem::Severity::kError) out.insert(problem.id);
  }
  return out;
}

std::set<std::string> Warnings(const CacheReport& report) {
  std::set<std::string> out;
  for (const Problem& problem : report.problems) {
    if (problem.severity == Problem::Severity::kWarning) out.insert(problem.id);
  }
  return out;
}

TEST(InspectCache, SaysWhatACacheIsFor) {
  CacheReport report = Inspect(kBuild);
  EXPECT_TRUE(report.status.ok());
  EXPECT_EQ(Value(report, "gpu"), "NVIDIA H200");
  EXPECT_EQ(Value(report, "triton"), "3.6.0");
  EXPECT_EQ(Value(report, "cuda"), "13.0");
  EXPECT_EQ(Value(report, "architecture"), "sm_90");
  EXPECT_EQ(Value(report, "torch"), "after 2.6, before 2.14 (as 2.11)");
  EXPECT_EQ(Value(report, "backends"), "ATEN,TRITON");
  EXPECT_EQ(Value(report, "float32_matmul_precision"), "highest");
  EXPECT_EQ(Value(report, "problems"), "3");
  EXPECT_EQ(Value(report, "choices"), "61");
  EXPECT_EQ(Value(report, "candidate_kernels"), "60");
  EXPECT_EQ(Value(report, "kernels_without_result"), "3") << "one a problem does not fit the card";
  EXPECT_THAT(Errors(report), IsEmpty());
  EXPECT_THAT(Warnings(report), Contains("cache-empty-file")) << "graph pickles of this corpus are emptied";
}

TEST(InspectCache, CpuBuilds) {
  CacheReport report = Inspect(kCpuBuild);
  EXPECT_EQ(Value(report, "gpu"), "none (CPU)");
  EXPECT_EQ(Value(report, "backends"), "ATEN,CPP");
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(Value(Inspect(SOURCE_DIR "/corpus/lab/cpu-2.6.0-cold/cache.tar.zst"), "backends"), "ATEN,CPP");
}

TEST(InspectCache, CountsAgainstTheManifest) {
  Manifest manifest;
  auto add = [&](std::string setting, std::string value) {
    Fact fact;
    fact.setting = std::move(setting);
    fact.value = std::move(value);
    fact.line = manifest.facts.size() + 1;
    manifest.facts.push_back(std::move(fact));
  };
  add("cache_files:inductor_cache", "71");
  add("cache_files:triton_cache", "164");
  add("triton", "3.6.0");
  add("gpu", "NVIDIA H200");
  add("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN,TRITON,CPP");
  EXPECT_THAT(Warnings(Inspect(kBuild, &manifest)), testing::ElementsAre("cache-empty-file"));
  manifest.facts[0].value = "1,204";
  manifest.facts[2].value = "3.5.1";
  manifest.facts[3].value = "AMD Instinct MI300X";
  manifest.facts[4].value = "ATEN,TRITON,CUTLASS";
  CacheReport report = Inspect(kBuild, &manifest);
  EXPECT_THAT(Warnings(report),
              testing::IsSupersetOf({"cache-file-count", "cache-not-as-recorded", "cache-back-end-missing"}));
}

// One archive a fault; each is read to its end and says what is wrong with it.
class Damaged : public testing::Test {
 protected:
  Members members_ = ReadMembers(kBuild);
  CacheReport Report(Packing packing = Packing::kTar) { return Inspect(WriteArchive(members_, "cache", packing)); }
  std::string* Member(const std::string& part) { return Find(members_, part); }
  void Remove(const std::function<bool(const std::string& name)>& which) {
    members_.erase(std::remove_if(members_.begin(), members_.end(), [&](const auto& m) { return which(m.first); }),
                   members_.end());
  }
};

TEST_F(Damaged, NothingIsWrongBefore) {
  for (Packing packing : {Packing::kTar, Packing::kTarGzip, Packing::kTarXz, Packing::kTarZstd, Packing::kTarBzip2,
                          Packing::kTarLz4, Packing::kZip}) {
    CacheReport report = Report(packing);
    EXPECT_THAT(Errors(report), IsEmpty());
    EXPECT_EQ(Value(report, "choices"), "61") << static_cast<int>(packing);
    EXPECT_TRUE(report.status.ok()) << report.status;
  }
}

TEST_F(Damaged, CutTuningResults) {
  std::string* text = Member(kSystem);
  text->resize(text->size() / 2);
  EXPECT_THAT(Errors(Report()), Contains("cache-cut-json"));
}

TEST_F(Damaged, EmptyTuningResults) {
  Member(kSystem)->clear();
  EXPECT_THAT(Errors(Report()), Contains("cache-cut-json"));
}

TEST_F(Damaged, TuningResultsThatAreNoObject) {
  for (const char* text : {"[]", "null", "1", "\"x\"", "{\"system\": 1, \"cache\": [1]}", "{}"}) {
    *Member(kSystem) = text;
    CacheReport report = Report();
    EXPECT_EQ(Value(report, "problems"), "0") << text;
    EXPECT_FALSE(report.problems.empty());
  }
}

TEST_F(Damaged, TuningResultsOfOtherTypes) {
  *Member(kSystem) = R"({"system": {"device": {"name": 7}, "hash": []}, "cache": {"mm": {"[]": {"highest": {"k": "x"}},
      "a": 1, "b": {"c": 1}}, "bmm": 3}})";
  EXPECT_EQ(Value(Report(), "problems"), "2");
}

TEST_F(Damaged, RenamedTuningFile) {
  for (auto& [name, content] : members_) {
    size_t at = name.find(kSystem);
    if (at != std::string::npos) name.replace(at, 64, std::string(64, '0'));
  }
  EXPECT_THAT(Errors(Report()), Contains("cache-system-hash"));
}

TEST_F(Damaged, EditedSystemDictionary) {
  std::string* text = Member(kSystem);
  text->replace(text->find("NVIDIA H200"), 11, "NVIDIA H100");
  EXPECT_THAT(Errors(Report()), Contains("cache-system-hash"));
}

TEST_F(Damaged, EditedCandidateKernel) {
  std::string* source = Member(kKernel);
  source->replace(source->find("M = 256"), 7, "M = 512");
  EXPECT_THAT(Errors(Report()), Contains("cache-kernel-hash"));
}

TEST_F(Damaged, EditedPointwiseKernel) {
  *Member(kPointwise) += "\n# edited";
  EXPECT_THAT(Errors(Report()), Contains("cache-kernel-hash"));
}

TEST_F(Damaged, CutKernel) {
  std::string* source = Member(kKernel);
  source->resize(source->size() - 300);
  EXPECT_THAT(Errors(Report()), Contains("cache-kernel-hash"));
}

TEST_F(Damaged, BlanksAroundASourceAreNoFault) {
  Member(kKernel)->append("\n\n ");
  EXPECT_THAT(Errors(Report()), IsEmpty()) << "torch hashes the stripped text";
}

TEST_F(Damaged, EmptyKernel) {
  Member(kKernel)->clear();
  EXPECT_THAT(Errors(Report()), Contains("cache-empty-file"));
}

TEST_F(Damaged, KernelsOfResultsAreMissing) {
  Remove([](const std::string& name) { return name.find(kKernel) != std::string::npos; });
  CacheReport report = Report();
  EXPECT_THAT(Errors(report), Contains("cache-kernel-missing"));
  EXPECT_THAT(report.problems[0].message, testing::HasSubstr("triton_bmm-c2aie2j2ruun4ombnritie2bteb6"));
}

TEST_F(Damaged, ResultsOfAProblemAreMissing) {
  std::string* text = Member(kSystem);
  size_t begin = text->find("\"addmm\": {"), end = text->find("\"bmm\": {");
  ASSERT_LT(begin, end);
  text->erase(begin, end - begin);
  EXPECT_THAT(Warnings(Report()), Contains("cache-entry-missing"));
}

TEST_F(Damaged, NoTuningFile) {
  Remove([](const std::string& name) { return name.find("/cache/") != std::string::npos; });
  EXPECT_THAT(Warnings(Report()), Contains("cache-no-tuning-file"));
}

TEST_F(Damaged, EmptyBestConfig) {
  Member(".best_config")->clear();
  EXPECT_THAT(Errors(Report()), Contains("cache-cut-json"));
}

TEST_F(Damaged, CutBestConfig) {
  Member(".best_config")->resize(40);
  EXPECT_THAT(Errors(Report()), Contains("cache-cut-json"));
}

TEST_F(Damaged, SeveralMachines) {
  members_.emplace_back("inductor_cache/cache/44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
                        R"({"system": {"hash": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"},
                            "cache": {}})");
  CacheReport report = Report();
  EXPECT_THAT(Warnings(report), Contains("cache-several-systems"));
  EXPECT_THAT(Errors(report), IsEmpty());
}

TEST_F(Damaged, FoldersOfAnOlderTriton) {
  members_.emplace_back("triton_cache/" + std::string(64, 'a') + "/triton_mm.cubin", "x");
  EXPECT_THAT(Errors(Report()), Contains("cache-triton-generation"));
  members_.back().first = "triton_cache/" + std::string(32, 'b') + "/triton_mm.cubin";
  EXPECT_THAT(Errors(Report()), Contains("cache-triton-generation"));
}

TEST_F(Damaged, CutJsonOfTriton) {
  Member("/triton_mm.json")->resize(100);
  EXPECT_THAT(Errors(Report()), Contains("cache-cut-json"));
}

TEST_F(Damaged, RenamedTritonFolder) {
  for (auto& [name, content] : members_) {
    size_t at = name.find("/triton_mm.json");
    if (at == std::string::npos) continue;
    name.replace(at - 52, 52, std::string(52, 'A'));
    break;
  }
  EXPECT_THAT(Errors(Report()), Contains("cache-triton-hash"));
}

TEST_F(Damaged, EditedGraphEntry) {
  members_ = ReadMembers(kCpuBuild);
  Member("fxgraph/")->at(100) ^= 1;
  EXPECT_THAT(Errors(Report()), Contains("cache-graph-hash"));
}

TEST_F(Damaged, InfiniteTimesAreTimes) {
  std::string* text = Member(kSystem);
  size_t at = text->find("0.0395519994199276");
  text->replace(at, 18, "Infinity");
  CacheReport report = Report();
  EXPECT_THAT(Errors(report), IsEmpty());
  EXPECT_EQ(Value(report, "failed_choices"), "1");
  text->replace(text->find("Infinity"), 8, "NaN");
  EXPECT_EQ(Value(Report(), "choices"), "61");
}

TEST_F(Damaged, NamesAreData) {
  std::filesystem::path outside = std::filesystem::path(TemporaryPath("cache")).parent_path().parent_path() / "escaped";
  for (const char* name : {"../escaped", "/etc/passwd", "inductor_cache/../../escaped", "a\x1b[31m\n/cache/x", "//",
                           "./", "inductor_cache/2a/../2a/c2.py", "..", "C:\\cache\\x", "inductor_cache/\xff\xfe.py"}) {
    members_.emplace_back(name, "");
  }
  CacheReport report = Report();
  EXPECT_FALSE(std::filesystem::exists(outside));
  for (const Problem& problem : report.problems) {
    EXPECT_EQ(problem.message.find('\x1b'), std::string::npos);
    EXPECT_EQ(problem.message.find('\n'), std::string::npos);
  }
  EXPECT_EQ(Value(report, "choices"), "61");
}

TEST_F(Damaged, MembersTwice) {
  Members twice = members_;
  twice.insert(twice.end(), members_.begin(), members_.end());
  members_ = twice;
  EXPECT_THAT(Errors(Report()), IsEmpty());
}

TEST_F(Damaged, ManyFaultsAreCounted) {
  for (int i = 0; i < 500; ++i) members_.emplace_back("inductor_cache/zz/" + std::to_string(i) + ".best_config", "{");
  CacheReport report = Report();
  EXPECT_LE(report.problems.size(), CacheReading::kMaxFaults + 8);
  EXPECT_THAT(Warnings(report), Contains("cache-more-faults"));
}

TEST_F(Damaged, DeeplyNestedJson) {
  *Member(kSystem) = std::string(100000, '[');
  EXPECT_THAT(Errors(Report()), Contains("cache-cut-json"));
}

TEST_F(Damaged, CutArchiveIsReadUpToTheCut) {
  std::string whole = ReadBytes(WriteArchive(members_, "whole.tar"));
  for (size_t length : {whole.size() / 3, whole.size() / 2, whole.size() - 12000}) {
    auto report = InspectCache(WriteBytes("cut.tar", whole.substr(0, length)), nullptr, CacheTestRules());
    ASSERT_TRUE(report.ok());
    EXPECT_FALSE(report->status.ok()) << length;
    EXPECT_NE(Value(*report, "files"), "0");
  }
}

TEST_F(Damaged, CompressedBytesCutAtEveryPlace) {
  std::string whole = ReadBytes(kBuild);
  for (size_t length = 0; length < whole.size(); length += 997) {
    auto report = InspectCache(WriteBytes("cut.tar.zst", whole.substr(0, length)), nullptr, CacheTestRules());
    if (report.ok()) {
      EXPECT_FALSE(report->status.ok()) << length;
    }
  }
}

TEST_F(Damaged, CompressedBytesFlipped) {
  std::string whole = ReadBytes(kBuild);
  for (size_t at = 4; at < whole.size(); at += 1499) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    auto report = InspectCache(WriteBytes("flipped.tar.zst", damaged), nullptr, CacheTestRules());
    if (report.ok() && report->status.ok()) {
      EXPECT_FALSE(report->problems.empty()) << at;
    }
  }
}

TEST_F(Damaged, PlainBytesFlipped) {
  std::string whole = ReadBytes(WriteArchive(members_, "whole.tar"));
  for (size_t at = 0; at < whole.size(); at += 7919) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    (void)InspectCache(WriteBytes("flipped.tar", damaged), nullptr, CacheTestRules());  // survives
  }
}

// A stream that ends between two members looks like a whole archive to the archive reader.
TEST_F(Damaged, CompressedArchiveCutBetweenMembers) {
  Members half(members_.begin(), members_.begin() + static_cast<long>(members_.size() / 2));
  std::string whole = ReadBytes(WriteArchive(members_, "whole.tar")), part = ReadBytes(WriteArchive(half, "half.tar"));
  part.resize(part.find_last_not_of('\0') + 1);
  part.resize((part.size() + 511) / 512 * 512);
  ASSERT_EQ(whole.compare(0, part.size(), part), 0);
  // As gzip's stored blocks, without the last one.
  std::string stream("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  for (size_t at = 0; at < part.size(); at += 65535) {
    std::string block = part.substr(at, 65535);
    auto n = static_cast<unsigned>(block.size());
    stream.push_back('\0');
    for (unsigned value : {n, ~n}) {
      stream.push_back(static_cast<char>(value & 0xff));
      stream.push_back(static_cast<char>(value >> 8 & 0xff));
    }
    stream += block;
  }
  auto report = InspectCache(WriteBytes("cut.tar.gz", stream), nullptr, CacheTestRules());
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->status.ok());
}

TEST(InspectCache, WhatIsNoCacheAtAll) {
  EXPECT_EQ(InspectCache("/no/such/place", nullptr, CacheTestRules()).status().code(), absl::StatusCode::kNotFound);
  auto text = InspectCache(WriteBytes("notes.txt", "just some notes, long enough to be no archive\n"), nullptr,
                           CacheTestRules());
  EXPECT_EQ(text.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(text.status().message()), testing::HasSubstr("tar.zst"));
}

TEST(InspectCache, EmptyFolderAndEmptyArchive) {
  std::string folder = TemporaryPath("folder");
  std::filesystem::create_directories(folder);
  EXPECT_THAT(Errors(Inspect(folder)), Contains("cache-holds-nothing"));
  EXPECT_THAT(Errors(Inspect(WriteArchive({}, "empty.tar"))), Contains("cache-holds-nothing"));
}

TEST(InspectCache, AFolderIsReadLikeItsArchive) {
  std::string folder = TemporaryPath("folder");
  std::filesystem::remove_all(folder);
  for (const auto& [name, content] : ReadMembers(kBuild)) {
    std::filesystem::path path = std::filesystem::path(folder) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
  std::filesystem::create_directory_symlink("..", std::filesystem::path(folder) / "inductor_cache" / "loop");
  CacheReport of_folder = Inspect(folder), of_archive = Inspect(kBuild);
  ASSERT_EQ(of_folder.facts.size(), of_archive.facts.size());
  for (size_t i = 0; i < of_folder.facts.size(); ++i) {
    EXPECT_EQ(of_folder.facts[i].setting, of_archive.facts[i].setting);
    EXPECT_EQ(of_folder.facts[i].value, of_archive.facts[i].value);
  }
}

}  // namespace
}  // namespace autotune
