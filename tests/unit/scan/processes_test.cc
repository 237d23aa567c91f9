// Several pods, ranks or logs read at once: told apart, compared, and never said to have done what nobody saw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "analyzer/report/wording.h"
#include "analyzer/run_builder.h"
#include "analyzer/scan.h"
#include "memory_source.h"
#include "tests/unit/embedded_rules.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using State = ProcessState::State;

ScanResult ScanLogs(const std::map<std::string, std::string>& logs) {
  ScanRequest request;
  for (const auto& [name, text] : logs) request.logs.push_back(name);
  request.open = [&](const std::string& path) -> absl::StatusOr<std::unique_ptr<Source>> {
    return std::make_unique<MemorySource>(path, logs.at(path), 4096);
  };
  const std::unique_ptr<Reporter> reporter = MakeTextReporter([](std::string_view) { return true; }, {});
  return Scan(request, EmbeddedRules(), reporter.get());
}

std::vector<std::pair<std::string, State>> States(const Verdict& verdict) {
  std::vector<std::pair<std::string, State>> states;
  for (const ProcessState& process : verdict.processes) states.emplace_back(process.name, process.state);
  return states;
}

// A table of torch 2.11, each line behind `prefix`.
std::string Table(const std::string& prefix) {
  std::string text;
  for (const char* line :
       {"AUTOTUNE mm(1024x256, 256x512)", "strides: [256, 1], [1, 256]", "dtypes: torch.bfloat16, torch.bfloat16",
        "  triton_mm_8 0.0202 ms 100.0% ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=128, num_warps=4",
        "  mm 0.0404 ms 50.0% ",
        "SingleProcess AUTOTUNE benchmarking takes 0.5064 seconds and 0.2417 seconds precompiling for 20 choices"}) {
    text += prefix + line + "\n";
  }
  return text;
}

constexpr char kHit[] =
    "torch/_inductor/codecache.py:1343] [0/0] fx graph cache hit for key "
    "f2k3rzzbqmjtd3uqkx6cgzxkkkk3hfhgyxkqxdfq3ndw3avqmbxe\n";

TEST(Processes, PodsOfOneStreamAreCompared) {
  const std::string a = "[pod/trainer-a/main] ", b = "[pod/trainer-b/main] ", c = "[pod/trainer-c/main] ";
  const std::string log = a + "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN\n" +               //
                          b + "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=TRITON,ATEN\n" +        //
                          c + "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=aten\n" +               //
                          c + "torch 2.11.0+cu130\n" + b + "torch 2.11.0+cu130\n" + Table(b) +  //
                          a + kHit + a + "step 1 loss 0.1\n" + c + "step 1 loss 0.1\n";
  const Verdict verdict = ScanLogs({{"x.log", log}}).verdict;
  EXPECT_THAT(States(verdict), ElementsAre(std::pair("pod/trainer-a/main", State::kDidNotTune),
                                           std::pair("pod/trainer-b/main", State::kTuned),
                                           std::pair("pod/trainer-c/main", State::kNothingSeen)));
  EXPECT_EQ(verdict.processes[0].line, 12u) << "the cache hit";
  EXPECT_EQ(verdict.processes[1].line, 6u) << "the block";
  EXPECT_NEAR(verdict.processes[1].seconds, 0.7481, 1e-9);
  EXPECT_EQ(ProcessesInWords(verdict), "1 tuned, 1 did not tune, 1 not known");
  EXPECT_THAT(
      DisagreementsInWords(verdict),
      ElementsAre("pod/trainer-b/main states TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=TRITON,ATEN (line 2) where "
                  "pod/trainer-a/main, pod/trainer-c/main state ATEN (line 1); the former are all that were seen "
                  "tuning"));
}

TEST(Processes, AHitOfOnePodIsNoNoteOnAnother) {
  const std::string a = "[pod/trainer-a/main] ", b = "[pod/trainer-b/main] ";
  EXPECT_THAT(ScanLogs({{"x.log", a + kHit + Table(b)}}).verdict.notes, IsEmpty());
  EXPECT_THAT(ScanLogs({{"x.log", a + kHit + Table(a)}}).verdict.notes,
              ElementsAre("a graph came from the cache (line 1), yet the run tuned: only other graphs missed"));
}

TEST(Processes, RanksOfOnePodAreOnePodAmongOthers) {
  const std::string log = "[pod/a-0/main] [rank0]: torch 2.11.0+cu130\n" + Table("[pod/a-0/main] [rank1]: ") +
                          "[pod/a-1/main] torch 2.10.0+cu130\n";
  const Verdict verdict = ScanLogs({{"x.log", log}}).verdict;
  EXPECT_THAT(States(verdict),
              ElementsAre(std::pair("pod/a-0/main", State::kTuned), std::pair("pod/a-1/main", State::kNothingSeen)));
  EXPECT_THAT(
      DisagreementsInWords(verdict),
      ElementsAre("pod/a-1/main states torch=2.10.0+cu130 (line 8) where pod/a-0/main states 2.11.0+cu130 (line "
                  "1); the latter are all that were seen tuning"));
}

TEST(Processes, RanksAreComparedWhereNothingElseIs) {
  const std::string log = "torch 2.11.0+cu130\n[rank0]: TORCHINDUCTOR_MAX_AUTOTUNE=1\n[rank1]: " +
                          std::string("TORCHINDUCTOR_MAX_AUTOTUNE=0\n") + Table("[rank0]: ");
  const Verdict verdict = ScanLogs({{"x.log", log}}).verdict;
  EXPECT_THAT(States(verdict),
              ElementsAre(std::pair("rank 0", State::kTuned), std::pair("rank 1", State::kNothingSeen)))
      << "lines without a label that show nothing are a launcher's";
  ASSERT_EQ(verdict.disagreements.size(), 1u);
  EXPECT_EQ(verdict.disagreements[0].setting, "TORCHINDUCTOR_MAX_AUTOTUNE");
}

TEST(Processes, WhoPrintsATableWithoutALabelIsNotKnown) {
  const std::string hits = "[rank0]: " + std::string(kHit) + "[rank1]: " + kHit;
  EXPECT_THAT(ScanLogs({{"x.log", hits + Table("")}}).verdict.processes, IsEmpty())
      << "either may have tuned, or both: there is nothing to tell";
  const Verdict verdict = ScanLogs({{"x.log", hits + Table("") + Table("[rank1]: ")}}).verdict;
  EXPECT_THAT(States(verdict), ElementsAre(std::pair("rank 0", State::kNothingSeen), std::pair("rank 1", State::kTuned),
                                           std::pair("", State::kTuned)));
}

TEST(Processes, LogsAreComparedByTheirPaths) {
  const Verdict verdict = ScanLogs({{"a.log", "torch 2.11.0+cu130\n" + Table("")},
                                    {"b.log", "torch 2.10.0+cu130\n" + std::string(kHit)},
                                    {"c.log", "nothing of interest\n"}})
                              .verdict;
  EXPECT_THAT(States(verdict), ElementsAre(std::pair("a.log", State::kTuned), std::pair("b.log", State::kDidNotTune),
                                           std::pair("c.log", State::kNothingSeen)));
  EXPECT_THAT(DisagreementsInWords(verdict),
              ElementsAre("b.log states torch=2.10.0+cu130 (b.log:1) where a.log states 2.11.0+cu130 (a.log:1); the "
                          "latter are all that were seen tuning"));
}

TEST(Processes, OneWriterIsNotCompared) {
  EXPECT_THAT(ScanLogs({{"a.log", "torch 2.11.0+cu130\n" + Table("")}}).verdict.processes, IsEmpty());
  EXPECT_THAT(ScanLogs({{"a.log", Table("[rank0]: ")}}).verdict.processes, IsEmpty());
  EXPECT_THAT(ScanLogs({{"a.log", ""}}).verdict.processes, IsEmpty());
}

TEST(Processes, WhatTellsRanksApartIsNoDisagreement) {
  std::string log;
  for (const char* rank : {"0", "1", "2"}) {
    log += std::string("[rank") + rank + "]: CUDA_VISIBLE_DEVICES=" + rank + "\n";
  }
  const Verdict verdict = ScanLogs({{"a.log", log + Table("[rank0]: ")}}).verdict;
  EXPECT_EQ(verdict.processes.size(), 3u);
  EXPECT_THAT(verdict.disagreements, IsEmpty());
}

TEST(Processes, AnyNumberOfPodsIsKeptInBoundedMemory) {
  std::string log;
  for (int i = 0; i < 3000; ++i) log += "[pod/trainer-" + std::to_string(i) + "/main] torch 2.11.0+cu130\n";
  const ScanResult result = ScanLogs({{"a.log", log}});
  EXPECT_EQ(result.run.writers.size(), RunBuilder::kMaxWriters);
  EXPECT_EQ(result.verdict.processes.size(), RunBuilder::kMaxWriters);
  EXPECT_EQ(result.verdict.processes_dropped, 3000 - RunBuilder::kMaxWriters);
}

TEST(Processes, TablesOfResultsFromTheCacheAreNoTuning) {
  std::string table = Table("[rank1]: ");
  const std::string timed = "0.5064 seconds and 0.2417 seconds";
  table.replace(table.find(timed), timed.size(), "0.0001 seconds and 0.0000 seconds");
  const Verdict verdict = ScanLogs({{"a.log", Table("[rank0]: ") + table}}).verdict;
  EXPECT_THAT(States(verdict),
              ElementsAre(std::pair("rank 0", State::kTuned), std::pair("rank 1", State::kDidNotTune)));
}

}  // namespace
}  // namespace autotune
