#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>

#include "tests/unit/report/sample.h"

namespace autotune {
namespace {

using simdjson::dom::element;

// Every line of `text`, parsed by a parser that is not ours. Keeps what it parsed alive.
class Lines {
 public:
  explicit Lines(const std::string& text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      EXPECT_NE(end, std::string::npos) << "the last line is not ended";
      parsers_.emplace_back(std::make_unique<simdjson::dom::parser>());
      element parsed;
      EXPECT_FALSE(parsers_.back()->parse(text.substr(begin, end - begin)).get(parsed))
          << text.substr(begin, end - begin);
      lines_.push_back(parsed);
      begin = end + 1;
    }
  }
  size_t size() const { return lines_.size(); }
  std::string type(size_t i) const { return std::string(std::string_view(lines_[i]["type"])); }
  element data(size_t i) const { return lines_[i]["data"]; }

 private:
  std::vector<std::unique_ptr<simdjson::dom::parser>> parsers_;
  std::vector<element> lines_;
};

std::string Minified(simdjson::simdjson_result<element> e) { return simdjson::minify(e.value()); }

TEST(JsonReporter, WritesEachEventAsALineOfItsOwnAtOnce) {
  Captured out;
  auto reporter = MakeJsonReporter(out.Sink());
  reporter->Begin({"train.log", "-"});
  EXPECT_EQ(out.writes, 1);
  reporter->OnBlock(SampleBlock());
  EXPECT_EQ(out.writes, 2);
  reporter->OnCounter("long_line", "train.log", 7);
  reporter->End(SampleRun(), nullptr, SampleVerdict());
  const Lines lines(out.text);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines.type(0), "begin");
  EXPECT_EQ(Minified(lines.data(0)["inputs"]), R"(["train.log","-"])");
  EXPECT_EQ(Minified(lines.data(0)["schema"]), "1");
  EXPECT_EQ(lines.type(1), "block");
  EXPECT_EQ(Minified(lines.data(2)), R"({"source":"train.log","kind":"long_line","line":7})");
  EXPECT_EQ(lines.type(3), "verdict");
  EXPECT_EQ(lines.type(4), "summary");
}

TEST(JsonReporter, BlockCountsItsRowsAndFindsTheFastest) {
  Captured out;
  MakeJsonReporter(out.Sink())->OnBlock(SampleBlock());
  const Lines lines(out.text);
  const element block = lines.data(0);
  EXPECT_EQ(Minified(block["choices_shown"]), "3");
  EXPECT_EQ(Minified(block["num_choices"]), "20");
  EXPECT_EQ(Minified(block["failed_choices"]), "1");
  EXPECT_EQ(Minified(block["backends"]), R"(["ATEN","TRITON"])");
  EXPECT_EQ(Minified(block["best"]), R"({"name":"mm","ms":0.0058,"line":18})");
  EXPECT_EQ(Minified(block["shapes"]), R"(["1024x256","256x512",""])");
  EXPECT_EQ(Minified(block["strides"]), R"([[256,1],[1,"s0"],[]])");
  EXPECT_EQ(Minified(block["status"]), R"("complete")");
  EXPECT_EQ(Minified(block["choices"].at(2)["ms"]), R"("inf")");
}

TEST(JsonReporter, AbsentFactsAreNullAndNeverLeftOut) {
  Captured out;
  Block block;
  block.op = "mm";
  MakeJsonReporter(out.Sink())->OnBlock(block);
  const Lines lines(out.text);
  for (const char* key : {"process", "rank", "pod", "strides", "dtypes", "num_choices", "num_choices_stats",
                          "num_triton_choices", "stats_line", "best", "mode", "benchmark_seconds", "precompile_seconds",
                          "prescreen_seconds", "footer_line", "torch_range", "inputs_key", "inputs_key_guess"}) {
    EXPECT_EQ(Minified(lines.data(0)[key]), "null") << key;
  }
  EXPECT_EQ(Minified(lines.data(0)["status"]), R"("truncated")");
  EXPECT_EQ(Minified(lines.data(0)["candidate_set"]), R"({"key":null,"basis":null,"shown":0,"total":null})");
}

TEST(JsonReporter, SymbolsThatLookLikeNumbersStayWhatTheyAre) {
  Block block = SampleBlock();
  block.strides = {{{"-1", "9223372036854775808", "", "-", "2*s0"}}};
  Captured out;
  MakeJsonReporter(out.Sink())->OnBlock(block);
  EXPECT_EQ(Minified(Lines(out.text).data(0)["strides"]), R"([[-1,"9223372036854775808","","-","2*s0"]])");
}

TEST(JsonReporter, OrphansSayWhatTheyAre) {
  Captured out;
  auto reporter = MakeJsonReporter(out.Sink());
  Orphan footer;
  footer.kind = Orphan::Kind::kFooter;
  footer.line = 3;
  footer.num_choices = 20;
  footer.mode = "SubProcess";
  reporter->OnOrphan(footer);
  Orphan row;
  row.row = MakeChoice("mm", 0.5, "ATEN", 4);
  row.line = 4;
  reporter->OnOrphan(row);
  const Lines lines(out.text);
  EXPECT_EQ(Minified(lines.data(0)["kind"]), R"("footer")");
  EXPECT_EQ(Minified(lines.data(0)["row"]), "null");
  EXPECT_EQ(Minified(lines.data(0)["mode"]), R"("SubProcess")");
  EXPECT_EQ(Minified(lines.data(1)["kind"]), R"("row")");
  EXPECT_EQ(Minified(lines.data(1)["row"]["name"]), R"("mm")");
}

TEST(JsonReporter, VerdictHasEveryFieldOfASuspect) {
  Captured out;
  MakeJsonReporter(out.Sink())->End(SampleRun(), nullptr, SampleVerdict());
  const Lines lines(out.text);
  const element verdict = lines.data(0);
  EXPECT_EQ(Minified(verdict["state"]), R"("mismatch")");
  const element suspect = verdict["suspects"].at(0);
  EXPECT_EQ(Minified(suspect["manifest"]), R"("ATEN")");
  EXPECT_EQ(Minified(suspect["manifest_line"]), "31");
  EXPECT_EQ(Minified(suspect["observed"]), R"("ATEN,TRITON")");
  EXPECT_EQ(Minified(suspect["log_line"]), "12");
  EXPECT_EQ(Minified(suspect["confidence"]), "0.97");
  EXPECT_EQ(Minified(suspect["basis"]), R"("observed")");
  EXPECT_EQ(Minified(verdict["equal"].at(0)),
            R"({"setting":"torch","value":"2.11.0+cu130","manifest_line":21,"log_line":2})");
  EXPECT_EQ(Minified(verdict["not_observed"]), R"(["triton","python"])");
}

TEST(JsonReporter, HostileTextIsValidJson) {
  Evidence evidence;
  evidence.setting = "evil";
  evidence.value = kHostile + std::string("\0end", 4);
  Captured out;
  MakeJsonReporter(out.Sink())->OnEvidence(evidence);
  const Lines lines(out.text);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(std::string(std::string_view(lines.data(0)["value"])), testing::EndsWith(std::string("\0end", 4)));
}

TEST(JsonReporter, QuietWritesTheVerdictAlone) {
  Captured out;
  ReportStyle style;
  style.quiet = true;
  auto reporter = MakeJsonReporter(out.Sink(), style);
  reporter->Begin({"train.log"});
  reporter->OnBlock(SampleBlock());
  reporter->End(SampleRun(), nullptr, SampleVerdict());
  const Lines lines(out.text);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines.type(0), "verdict");
}

TEST(JsonReporter, StopsWritingWhenTheReaderHasGone) {
  int writes = 0;
  auto reporter = MakeJsonReporter([&writes](std::string_view) { return ++writes < 2; });
  for (int i = 0; i < 5; ++i) reporter->OnBlock(SampleBlock());
  EXPECT_EQ(writes, 2);
}

TEST(JsonReporter, FactsAndProblems) {
  Captured out;
  auto reporter = MakeJsonReporter(out.Sink());
  Fact fact;
  fact.setting = "ck4inductor";
  fact.raw = "N/A";
  fact.not_set = true;
  fact.line = 20;
  Problem problem;
  problem.severity = Problem::Severity::kWarning;
  problem.message = "m";
  reporter->Facts("m.md", {fact}, {problem});
  const Lines lines(out.text);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines.type(0), "fact");
  EXPECT_EQ(Minified(lines.data(0)["value"]), "null");
  EXPECT_EQ(Minified(lines.data(0)["raw"]), R"("N/A")");
  EXPECT_EQ(lines.type(1), "problem");
  EXPECT_EQ(Minified(lines.data(1)["severity"]), R"("warning")");
  EXPECT_EQ(Minified(lines.data(1)["line"]), "null");
}

}  // namespace
}  // namespace autotune
