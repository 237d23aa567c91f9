#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/report/markdown_text.h"
#include "tests/unit/report/sample.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(MarkdownText, NothingInItActs) {
  EXPECT_EQ(MarkdownText("a*b_c`d<e>[f](g)|h"), "a\\*b\\_c\\`d\\<e\\>\\[f\\]\\(g\\)\\|h");
  EXPECT_EQ(MarkdownText("@someone at a@b"), "@&#8203;someone at a@&#8203;b");
  EXPECT_EQ(MarkdownText("1. first"), "1\\. first");
  EXPECT_EQ(MarkdownText("- first"), "\\- first");
  EXPECT_EQ(MarkdownText("&amp; $x$"), "\\&amp; \\$x\\$");
}

TEST(MarkdownCode, NoBacktickEndsIt) {
  EXPECT_EQ(MarkdownCode("a"), "`a`");
  EXPECT_EQ(MarkdownCode("a`b"), "``a`b``");
  EXPECT_EQ(MarkdownCode("`a"), "`` `a ``");
  EXPECT_EQ(MarkdownCode("a|b", true), "`a\\|b`");
  EXPECT_EQ(MarkdownCode("a|b"), "`a|b`");
  EXPECT_EQ(MarkdownCode("a\nb"), "`a b`");
  EXPECT_EQ(MarkdownCode(""), "");
}

TEST(MarkdownFence, IsLongerThanAnyInside) {
  EXPECT_EQ(MarkdownFence("a\nb"), "```\na\nb\n```\n");
  EXPECT_EQ(MarkdownFence("```\nx"), "````\n```\nx\n````\n");
}

TEST(MarkdownReporter, AnswersFirst) {
  Captured out;
  auto reporter = MakeMarkdownReporter(out.Sink());
  const Manifest manifest = SampleManifest();
  reporter->Begin({"train.log"});
  reporter->OnBlock(SampleBlock());
  reporter->End(SampleRun(), &manifest, SampleVerdict());
  EXPECT_THAT(
      out.text,
      StartsWith("### MISMATCH: `train.log` against `m.md`\n"
                 "\n"
                 "**This run tuned 1 problem for 1.90 s because TORCHINDUCTOR\\_MAX\\_AUTOTUNE\\_GEMM\\_BACKENDS is "
                 "ATEN,TRITON where the manifest says ATEN.**\n"
                 "\n"
                 "- where: `train.log:12, m.md:31`\n"
                 "- sure: 97 %, the log states another value\n"
                 "- why: a back end was added: its candidates are not in the cache\n"
                 "\n"
                 "Fix:\n"
                 "\n"
                 "```\n"
                 "export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN\n"
                 "```\n"));
  EXPECT_THAT(out.text, HasSubstr("| 1.90 s | `mm(1024x256, 256x512, ) bfloat16` | 1 | 14 | ATEN, TRITON; "));
}

// A table's row stays one row of as many cells, and no HTML, link or mention comes out of a log.
TEST(MarkdownReporter, HostileTextStaysText) {
  Captured out;
  auto reporter = MakeMarkdownReporter(out.Sink());
  autotune::Run run = SampleRun();
  run.stated.push_back({kHostile, kHostile, kHostile, 3, 2, kHostile, {}});
  run.problems[0].first.op = kHostile;
  Verdict verdict = SampleVerdict();
  verdict.suspects[0].why = verdict.suspects[0].setting = kHostile;
  verdict.suspects.push_back(verdict.suspects[0]);
  verdict.equal = {{kHostile, kHostile, 1, 2}};
  verdict.notes = verdict.not_observed = {kHostile};
  reporter->Begin({kHostile});
  reporter->End(run, nullptr, verdict);
  int cells = 0;  // of the table that we are in
  for (size_t begin = 0; begin < out.text.size();) {
    const size_t end = out.text.find('\n', begin);
    const std::string line = out.text.substr(begin, end - begin);
    begin = end + 1;
    int pipes = 0;
    for (size_t i = 0; i < line.size(); ++i) pipes += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    if (line.empty() || line[0] != '|') {
      cells = 0;
    } else if (cells == 0) {
      cells = pipes;
    } else {
      EXPECT_EQ(pipes, cells) << line;
    }
    // Outside code spans, which our escaping opens with at least two backticks here, nothing acts.
    const size_t script = line.find("<script>");
    if (script != std::string::npos) {
      EXPECT_NE(line.rfind("``", script), std::string::npos) << line;
    }
  }
  EXPECT_THAT(out.text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace autotune
