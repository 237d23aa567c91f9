// The rules in the binary are held to what a person's own rules are: patterns that compile, known keys, samples that
// come out as they say. At a start of the program they are trusted (rule_set.h); here nobody is.
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "analyzer/rule/rule_set.h"

namespace autotune {
namespace {

std::string RenderAll(const std::vector<Diag>& diags) {
  std::string text;
  for (const Diag& diag : diags) text += Render(diag);
  return text;
}

TEST(EmbeddedRulesTest, HoldTheirSamples) {
  std::vector<Diag> diags;
  const auto rules = LoadRules("", /*check_samples=*/true, &diags);
  EXPECT_TRUE(rules.ok()) << rules.status().ToString();
  EXPECT_TRUE(diags.empty()) << RenderAll(diags);
}

TEST(EmbeddedRulesTest, AreTheFilesOfTheSource) {
  std::vector<Diag> embedded_diags, folder_diags;
  const auto embedded = LoadRules("", false, &embedded_diags);
  const auto folder = LoadRules(SOURCE_DIR "/rules", false, &folder_diags);
  ASSERT_TRUE(embedded.ok()) << RenderAll(embedded_diags);
  ASSERT_TRUE(folder.ok()) << RenderAll(folder_diags);
  ASSERT_EQ(embedded->files.size(), folder->files.size());
  for (size_t i = 0; i < embedded->files.size(); ++i) {
    EXPECT_EQ(embedded->files[i].id, folder->files[i].id);
    EXPECT_EQ(embedded->files[i].text, folder->files[i].text) << embedded->files[i].path;
    EXPECT_TRUE(embedded->files[i].trusted);
    EXPECT_FALSE(folder->files[i].trusted);
  }
}

}  // namespace
}  // namespace autotune
