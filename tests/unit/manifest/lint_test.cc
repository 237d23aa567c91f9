#include "analyzer/manifest/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/facts_listing.h"

namespace autotune {
namespace {

TEST(LintRules, SamplesHold) {
  std::vector<Diag> diags;
  const absl::StatusOr<RuleSet> rules = LoadRules("", true, &diags);
  ASSERT_TRUE(rules.ok()) << (diags.empty() ? std::string() : Render(diags[0]));
  CheckLintSamples(*rules, &diags);
  for (const Diag& diag : diags)
    if (diag.level == Diag::Level::kError) ADD_FAILURE() << Render(diag);
  EXPECT_FALSE(rules->lint.empty());
}

TEST(SettingRules, NoRowIsClaimedTwice) {
  std::vector<Diag> diags;
  CheckSettingClashes(Rules().settings, Rules().files, &diags);
  for (const Diag& diag : diags) ADD_FAILURE() << Render(diag);
}

TEST(LintRules, AWrongSampleAndAnUnknownCheckAreReported) {
  RuleSet rules = Rules();
  LintRule rule;
  rule.id = "x";
  rule.check = "value";
  rule.settings = {"torch"};
  rule.pattern = "^2";
  rule.samples = {{"- Torch: 1.0", true}, {"- Torch: 2.0", false}};
  LintRule unknown = rule;
  unknown.check = "nonsense";
  unknown.samples.clear();
  rules.lint = {rule, unknown};
  std::vector<Diag> diags;
  CheckLintSamples(rules, &diags);
  ASSERT_EQ(diags.size(), 3u);
  EXPECT_EQ(diags[0].code, "R040");
  EXPECT_EQ(diags[1].code, "R040");
  EXPECT_EQ(diags[2].code, "R043");
}

TEST(LintManifest, MessagesNameBothSides) {
  const std::string text = "- GPU: NVIDIA A100 80GB PCIe\n- Architecture: gfx942\n";
  const std::vector<Problem> problems = LintManifest(ParseManifest("m.md", text, Rules()), text, Rules());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].line, 2u);
  EXPECT_EQ(problems[0].setting, "architecture");
  EXPECT_THAT(problems[0].message, testing::HasSubstr("gfx942"));
  EXPECT_THAT(problems[0].message, testing::HasSubstr("NVIDIA A100 80GB PCIe (line 1)"));
  EXPECT_EQ(problems[0].message.find('{'), std::string::npos);
  EXPECT_FALSE(problems[0].fix.empty());
}

TEST(LintManifest, NoTemplateIsLeftUnfilled) {
  std::vector<Diag> diags;
  const absl::StatusOr<RuleSet> rules = LoadRules("", true, &diags);  // with the samples
  ASSERT_TRUE(rules.ok());
  for (const LintRule& rule : rules->lint) {
    for (const LintRule::Sample& sample : rule.samples) {
      for (const Problem& p : LintManifest(ParseManifest("m.md", sample.manifest, *rules), sample.manifest, *rules))
        EXPECT_EQ((p.message + p.fix).find('{'), std::string::npos) << p.id << ": " << p.message << " / " << p.fix;
    }
  }
}

TEST(LintManifest, WhatCannotBeJudgedIsNotJudged) {
  EXPECT_EQ(ProblemsOf("- GPU: Some New Card 9000\n- Architecture: xyz1234\n- Torch: 2.11.0a0+git1234\n"), "");
  EXPECT_EQ(ProblemsOf("- Torch: 3.1.0\n- Triton: 9.0.0\n"), "");
  EXPECT_EQ(ProblemsOf("# H100 and MI300X compared\n- GPU: NVIDIA H100\n"), "") << "a title of two GPUs names none";
  EXPECT_EQ(
      ProblemsOf("- GPU: NVIDIA H100\n- Architecture: hopper\n- CUDA: 12.8\n- Torch: 2.8.0+cu128\n- Triton: 3.4.0\n"),
      "");
  EXPECT_EQ(ProblemsOf("- GPU: NVIDIA A10\n- Architecture: Ampere (8.6)\n"), "");
}

}  // namespace
}  // namespace autotune
