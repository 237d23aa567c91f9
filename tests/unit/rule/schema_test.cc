// rules/schema/<family>.json is for editors; the decoders decide. This keeps the two from drifting apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "analyzer/rule/rule_set.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

RuleNode Schema(const std::string& family) {
  std::ifstream in(SOURCE_DIR "/rules/schema/" + family + ".json", std::ios::binary);
  RuleFile file;
  file.path = family;
  file.text.assign(std::istreambuf_iterator<char>(in), {});
  RuleNode root;
  std::vector<Diag> diags;
  EXPECT_TRUE(ParseRuleFile(file, &root, &diags)) << family;
  return root;
}

// The keys that a family's decoder asks for, as its message about an unknown one lists them.
std::set<std::string> KnownKeys(const std::string& family) {
  const fs::path dir = fs::path(testing::TempDir()) / ("schema_of_" + family);
  fs::create_directories(dir / family);
  std::ofstream(dir / family / "x.json") << R"({ "id": "x", "title": "t", "no such key at all": 1 })";
  std::vector<Diag> diags;
  (void)LoadRules(dir.string(), false, &diags);
  fs::remove_all(dir);
  std::set<std::string> keys;
  constexpr std::string_view kLead = "known keys here: ";
  for (const Diag& diag : diags) {
    if (diag.code != "R012" || !diag.fix.starts_with(kLead)) continue;
    for (size_t at = kLead.size(); at < diag.fix.size();) {
      const size_t end = std::min(diag.fix.find(", ", at), diag.fix.size());
      keys.insert(diag.fix.substr(at, end - at));
      at = end + 2;
    }
  }
  return keys;
}

TEST(SchemaTest, EveryFamilyHasOneWithEveryKeyOfItsDecoder) {
  for (const std::string& family : RuleFamilies()) {
    const RuleNode schema = Schema(family);
    const RuleNode* properties = schema.Find("properties");
    ASSERT_NE(properties, nullptr) << family;
    const std::set<std::string> known = KnownKeys(family);
    EXPECT_FALSE(known.empty()) << family;
    for (const std::string& key : known) EXPECT_NE(properties->Find(key), nullptr) << family << " lacks " << key;
  }
}

TEST(SchemaTest, EveryKeyOfARuleIsInItsSchema) {
  std::vector<Diag> diags;
  const auto rules = LoadRules("", false, &diags);
  ASSERT_TRUE(rules.ok());
  for (RuleFile file : rules->files) {
    file.trusted = false;
    const RuleNode schema = Schema(file.family);
    RuleNode root;
    ASSERT_TRUE(ParseRuleFile(file, &root, &diags));
    for (const auto& [key, value] : root.members) {
      EXPECT_NE(schema.Find("properties")->Find(key), nullptr) << file.path << ": " << key;
    }
  }
}

}  // namespace
}  // namespace autotune
