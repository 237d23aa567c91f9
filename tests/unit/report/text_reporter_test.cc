#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/report/printable.h"
#include "tests/unit/report/sample.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string Report(const autotune::Run& run, const Manifest* manifest, const Verdict& verdict,
                   const ReportStyle& style = {}, const std::vector<Block>& blocks = {}) {
  Captured out;
  auto reporter = MakeTextReporter(out.Sink(), style);
  reporter->Begin(run.sources);
  for (const Block& block : blocks) reporter->OnBlock(block);
  reporter->End(run, manifest, verdict);
  return out.text;
}

TEST(TextReporter, AnswersFirst) {
  const Manifest manifest = SampleManifest();
  const std::string text = Report(SampleRun(), &manifest, SampleVerdict());
  EXPECT_THAT(text, StartsWith("MISMATCH  train.log against m.md\n"
                               "\n"
                               "  This run tuned 1 problem for 1.90 s because\n"
                               "  TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS is ATEN,TRITON where the manifest\n"
                               "  says ATEN.\n"
                               "\n"
                               "  where     train.log:12, m.md:31\n"
                               "  sure      97 %: the log states another value\n"
                               "  why       a back end was added: its candidates are not in the cache\n"
                               "  fix       export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN\n"));
}

TEST(TextReporter, SaysHowSureInWordsToo) {
  const Manifest manifest = SampleManifest();
  Verdict verdict = SampleVerdict();
  verdict.suspects[0].confidence = 0.4;
  EXPECT_THAT(Report(SampleRun(), &manifest, verdict), HasSubstr("perhaps because"));
  verdict.suspects[0].confidence = 1.0;
  EXPECT_THAT(Report(SampleRun(), &manifest, verdict), HasSubstr("99 %"));
}

TEST(TextReporter, EveryStateHasItsAnswer) {
  const Manifest manifest = SampleManifest();
  Verdict verdict;
  verdict.state = Verdict::State::kClean;
  autotune::Run idle = SampleRun();
  idle.blocks = 0;
  idle.problems.clear();
  EXPECT_THAT(Report(idle, &manifest, verdict), HasSubstr("This run did not tune, and nothing shows a broken cache."));
  verdict.state = Verdict::State::kUnknown;
  EXPECT_THAT(Report(SampleRun(), nullptr, verdict), StartsWith("TUNED"));
  EXPECT_THAT(Report(SampleRun(), nullptr, verdict), HasSubstr("--manifest FILE"));
  EXPECT_THAT(Report(SampleRun(), &manifest, verdict), StartsWith("UNKNOWN"));
  EXPECT_THAT(Report(idle, &manifest, verdict), HasSubstr("too short to say"));
  verdict.state = Verdict::State::kMismatch;
  EXPECT_THAT(Report(idle, &manifest, verdict), HasSubstr("did not use its cache although the manifest promises"));
}

TEST(TextReporter, NoLineIsWiderThanTheTerminal) {
  const Manifest manifest = SampleManifest();
  autotune::Run run = SampleRun();
  Verdict verdict = SampleVerdict();
  verdict.suspects[0].why = "a sentence of many short words that goes on and on until no terminal holds it in one line";
  verdict.notes = {verdict.suspects[0].why};
  verdict.next_checks = {verdict.suspects[0].why};
  verdict.equal.push_back(
      {"TORCHINDUCTOR_A_VERY_LONG_NAME_OF_A_VARIABLE_THAT_NOBODY_SETS", std::string(300, 'v'), 1, 2});
  run.stated.push_back({"gpu", std::string(300, 'g'), "rule", 3, 2, "train.log", {}});
  run.problems[0].winners = {{"a", 1.0}, {"b", 1.5}};
  for (int width : {60, 80, 110}) {
    ReportStyle style;
    style.width = width;
    for (const std::string& line : SplitLines(Report(run, &manifest, verdict, style))) {
      if (line.find("fix ") == std::string::npos) {
        EXPECT_LE(TerminalColumns(line), width) << line;  // (a command stays whole)
      }
    }
  }
}

TEST(TextReporter, ACommandIsNeverBroken) {
  Verdict verdict = SampleVerdict();
  verdict.suspects[0].fix =
      "export TORCHINDUCTOR_CACHE_DIR=/a/folder/far/away TRITON_CACHE_DIR=/another/folder/far/away  # as built";
  const Manifest manifest = SampleManifest();
  const std::string text = Report(SampleRun(), &manifest, verdict);
  EXPECT_THAT(text, HasSubstr("  fix       # as built\n"
                              "            export TORCHINDUCTOR_CACHE_DIR=/a/folder/far/away "
                              "TRITON_CACHE_DIR=/another/folder/far/away\n"));
}

// The terminal sees no control character but line ends and, in colour, our own SGR sequences.
TEST(TextReporter, LogTextReachesTheTerminalHarmless) {
  autotune::Run run = SampleRun();
  Block& block = run.problems[0].first;
  block.op = block.shapes[0] = block.choices[1].name = kHostile;
  block.dtypes = {{kHostile}};
  block.labels.process = kHostile;
  run.problems[0].backends = {kHostile};
  run.stated.push_back({kHostile, kHostile, kHostile, 3, 2, kHostile, {kHostile}});
  run.counters[kHostile] = 3;
  run.sources = {kHostile, kHostile};
  Verdict verdict = SampleVerdict();
  Suspect& s = verdict.suspects[0];
  s.setting = s.why = s.fix = s.log_source = kHostile;
  s.manifest = s.observed = kHostile;
  verdict.suspects.push_back(s);
  verdict.equal = {{kHostile, kHostile, 1, 2}};
  verdict.harmless = {{kHostile, kHostile, kHostile, kHostile, 1, 2, kHostile}};
  verdict.not_observed = verdict.next_checks = verdict.notes = {kHostile};
  Manifest manifest;
  manifest.path = kHostile;
  Block other = block;
  other.labels.process = "other";
  for (bool color : {false, true}) {
    for (bool quiet : {false, true}) {
      ReportStyle style;
      style.color = color;
      style.quiet = quiet;
      std::string text = Report(run, &manifest, verdict, style, {block, other});
      for (size_t at = 0; (at = text.find("\x1b[", at)) != std::string::npos;) {
        const size_t end = text.find_first_not_of("0123456789;", at + 2);
        ASSERT_EQ(text[end], 'm') << "an escape sequence that is no colour";
        text.erase(at, end - at + 1);
      }
      for (char c : text) ASSERT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
      EXPECT_THAT(text, Not(HasSubstr("\xc2\x9b")));
      EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
    }
  }
}

TEST(TextReporter, ColourOnlyWhenAsked) {
  const Manifest manifest = SampleManifest();
  EXPECT_THAT(Report(SampleRun(), &manifest, SampleVerdict()), Not(HasSubstr("\x1b")));
  ReportStyle style;
  style.color = true;
  EXPECT_THAT(Report(SampleRun(), &manifest, SampleVerdict(), style), StartsWith("\x1b[1;31mMISMATCH\x1b[0m"));
}

TEST(TextReporter, QuietIsTheVerdictAndItsFix) {
  const Manifest manifest = SampleManifest();
  ReportStyle style;
  style.quiet = true;
  EXPECT_EQ(
      Report(SampleRun(), &manifest, SampleVerdict(), style),
      "MISMATCH This run tuned 1 problem for 1.90 s because TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS is ATEN,TRITON "
      "where the manifest says ATEN. 97 % sure: train.log:12, m.md:31.\n"
      "fix: export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN\n");
}

TEST(TextReporter, WhatToCheckNextStandsAboveWhereTheAnswerIsWeak) {
  const Manifest manifest = SampleManifest();
  Verdict verdict = SampleVerdict();
  verdict.next_checks = {"the folder holds files"};
  const std::string sure = Report(SampleRun(), &manifest, verdict);
  EXPECT_GT(sure.find("Check next"), sure.find("Equal to the manifest"));
  verdict.suspects[0].basis = Basis::kElimination;
  verdict.suspects[0].confidence = 0.6;
  const std::string weak = Report(SampleRun(), &manifest, verdict);
  EXPECT_LT(weak.find("Check next"), weak.find("Tuned  "));
}

TEST(TextReporter, WinnersWithinTimerNoiseAreCalledNoise) {
  autotune::Run run = SampleRun();
  run.problems[0].processes = {"rank 0", "rank 1"};
  run.problems[0].winners = {{"mm", 0.0100}, {"triton_mm", 0.0101}};
  EXPECT_THAT(Report(run, nullptr, {}), HasSubstr("2 winners between processes, 1.0 % apart: timer noise"));
  run.problems[0].winners = {{"mm", 0.0100}, {"triton_mm", 0.0120}};
  EXPECT_THAT(Report(run, nullptr, {}), HasSubstr("2 winners between processes, 20.0 % apart: they disagree"));
}

TEST(TextReporter, CostsByProcessDearestFirst) {
  Block cheap = SampleBlock(), dear = SampleBlock();
  cheap.labels.rank = 0;
  dear.labels.rank = 1;
  dear.benchmark_seconds = 200;
  const std::string text = Report(SampleRun(), nullptr, {}, {}, {cheap, dear});
  EXPECT_THAT(text, HasSubstr("By process  2 processes\n"
                              "  3 min 21 s     1 block  rank 1\n"
                              "      1.90 s     1 block  rank 0\n"));
}

TEST(TextReporter, LongListsEndInANote) {
  autotune::Run run = SampleRun();
  run.problems.resize(1000, run.problems[0]);
  run.problems_dropped = 5;
  EXPECT_THAT(Report(run, nullptr, {}), HasSubstr("and 997 more problems; --format json has them all"));
}

TEST(TextReporter, FaultsOfAManifest) {
  Captured out;
  Problem problem;
  problem.line = 13;
  problem.setting = "architecture";
  problem.message = "gfx942 is no architecture of an NVIDIA A100";
  problem.fix = "write sm_80";
  MakeTextReporter(out.Sink(), {})->Facts("m.md", {}, {problem});
  EXPECT_EQ(out.text,
            "FAULTS    m.md: 1 error, 0 warnings\n"
            "\n"
            "  error     architecture, line 13\n"
            "            gfx942 is no architecture of an NVIDIA A100\n"
            "  fix       write sm_80\n");
}

}  // namespace
}  // namespace autotune
