// The page of one run: what it tells, and what a hostile log can do to it (nothing).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "analyzer/report/html_page.h"
#include "sample.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string PageOf(const Run& run, const Manifest* manifest, const Verdict& verdict, const std::vector<Block>& blocks,
                   const std::vector<std::string>& inputs = {"train.log"}) {
  Captured captured;
  const std::unique_ptr<Reporter> reporter = MakeHtmlReporter(captured.Sink());
  reporter->Begin(inputs);
  for (const Block& block : blocks) reporter->OnBlock(block);
  EXPECT_EQ(captured.writes, 0) << "the page is written whole, at the end";
  reporter->End(run, manifest, verdict);
  return captured.text;
}

Fact MakeFact(std::string setting, std::string value, uint64_t line) {
  Fact fact;
  fact.setting = std::move(setting);
  fact.value = std::move(value);
  fact.line = line;
  return fact;
}

TEST(HtmlReporter, TellsTheVerdictTheCauseTheManifestAndTheRows) {
  Manifest manifest = SampleManifest();
  manifest.facts = {MakeFact("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN", 31),
                    MakeFact("torch", "2.11.0+cu130", 21), MakeFact("triton", "3.6.0", 22),
                    MakeFact("model", "Net", 40)};
  const std::string page = PageOf(SampleRun(), &manifest, SampleVerdict(), {SampleBlock()});
  EXPECT_THAT(page, HasSubstr("MISMATCH"));
  EXPECT_THAT(page, HasSubstr("train.log against m.md"));
  EXPECT_THAT(page, HasSubstr("<h3>TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS <span>97 %, the log states another value"));
  EXPECT_THAT(page, HasSubstr("train.log:12, m.md:31"));
  EXPECT_THAT(page, HasSubstr("<pre class=\"fix\">export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN</pre>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"result differs\">differs</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"result equal\">equal</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"result absent\">not stated in the log</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"result none\">not compared</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"code\">triton_mm_3</td><td class=\"n\">0.0061</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"n\">inf</td>"));
  EXPECT_THAT(page, HasSubstr("line 14"));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

TEST(HtmlReporter, EscapesEverythingThatALogSays) {
  autotune::Run run = SampleRun();
  Block block = SampleBlock();
  block.op = block.source = block.torch_range = kHostile;
  block.shapes = {kHostile};
  block.dtypes = {{kHostile}};
  block.strides = {{{kHostile}}};
  block.labels = {kHostile, 1, kHostile};
  block.choices[0].name = block.choices[0].description = block.choices[0].backend = kHostile;
  block.inputs_key = block.candidate_set.key = block.candidate_set.basis = kHostile;
  run.problems[0].first = block;
  run.problems[0].winners = {{kHostile, 1}, {"other", 2}};
  run.processes = {kHostile, "other"};
  run.stated.push_back({kHostile, kHostile, "rule", 1, 2, kHostile, {kHostile}});
  run.counters[kHostile] = 1;
  Manifest manifest = SampleManifest();
  manifest.path = kHostile;
  manifest.facts = {MakeFact(kHostile, kHostile, 1)};
  Verdict verdict = SampleVerdict();
  Suspect& suspect = verdict.suspects[0];
  suspect.setting = suspect.why = suspect.fix = suspect.log_source = kHostile;
  suspect.manifest = suspect.observed = kHostile;
  verdict.harmless = {{kHostile, kHostile, kHostile, kHostile, 1, 2, kHostile}};
  verdict.notes = verdict.next_checks = {kHostile};
  Block other = SampleBlock();
  const std::string page = PageOf(run, &manifest, verdict, {block, other}, {kHostile, "b.log"});
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, Not(HasSubstr("\xe2\x80\xae"))) << "no text is turned round";
  EXPECT_THAT(page, Not(HasSubstr("href=")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("script-src"))) << "the page has no script, and none may run in it";
}

TEST(HtmlReporter, KeepsTheFirstBlocksOfAnEndlessLogAndCountsTheRest) {
  constexpr uint64_t kBlocks = 3000;
  autotune::Run run = SampleRun();
  run.blocks = kBlocks;
  const std::string page = PageOf(run, nullptr, Verdict(), std::vector<Block>(kBlocks, SampleBlock()));
  EXPECT_THAT(page, HasSubstr("and 2500 more blocks"));
  EXPECT_LT(page.size(), 2'000'000u);
}

TEST(HtmlReporter, SaysSoWhereNothingWasTuned) {
  autotune::Run run;
  run.lines = 12;
  Verdict verdict;
  verdict.state = Verdict::State::kClean;
  const std::string page = PageOf(run, nullptr, verdict, {});
  EXPECT_THAT(page, HasSubstr("CLEAN"));
  EXPECT_THAT(page, HasSubstr("This run did not tune."));
  EXPECT_THAT(page, Not(HasSubstr("<h2>Tuned</h2>")));
}

TEST(PageFile, IsPutInPlaceWholeOrNotAtAll) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "autotune-page-test";
  std::filesystem::create_directories(folder);
  const std::string path = folder / "a.html";
  EXPECT_TRUE(CheckPageFile(path).ok());
  ASSERT_TRUE(WritePageFile(path, "<html>").ok());
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "<html>");
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  EXPECT_FALSE(CheckPageFile(folder / "missing/a.html").ok());
  EXPECT_FALSE(CheckPageFile(folder).ok()) << "a folder is no page";
  EXPECT_FALSE(WritePageFile(folder / "missing/a.html", "<html>").ok());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace autotune
