// tests/bad_rules/<family>/<mistake>.json: one mistake each; beside it what a person reads about it, to the letter.
// UPDATE_GOLDEN=1 writes the texts anew (and fails nothing): look at the diff.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analyzer/rule/rule_set.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void WriteAll(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

std::vector<fs::path> BadRules() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(SOURCE_DIR "/tests/bad_rules")) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class BadRuleTest : public testing::TestWithParam<fs::path> {};

TEST_P(BadRuleTest, SaysWhatIsWrongAndWhere) {
  const fs::path& rule = GetParam();
  const fs::path family = rule.parent_path().filename();
  const fs::path dir = fs::path(testing::TempDir()) / ("bad_rule_" + family.string() + "_" + rule.stem().string());
  fs::remove_all(dir);
  fs::create_directories(dir / family);
  fs::copy_file(rule, dir / family / rule.filename());
  std::vector<Diag> diags;
  const auto rules = LoadRules(dir.string(), false, &diags);
  fs::remove_all(dir);
  std::string text;
  for (Diag& diag : diags) {
    diag.file = diag.file.substr(dir.string().size() + 1);
    text += Render(diag);
  }
  EXPECT_FALSE(diags.empty());
  const bool fatal =
      std::any_of(diags.begin(), diags.end(), [](const Diag& diag) { return diag.level == Diag::Level::kError; });
  EXPECT_EQ(rules.ok(), !fatal);
  fs::path expected = rule;
  expected.replace_extension(".expected");
  if (std::getenv("UPDATE_GOLDEN")) WriteAll(expected, text);
  EXPECT_EQ(text, ReadAll(expected));
}

INSTANTIATE_TEST_SUITE_P(All, BadRuleTest, testing::ValuesIn(BadRules()), [](const auto& param) {
  std::string name = param.param.parent_path().filename().string() + "_" + param.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace autotune
