#include "analyzer/rule/rule_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace autotune {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

// A folder of rules that goes with the test.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(fs::path(testing::TempDir()) / name) { fs::remove_all(path_); }
  ~Folder() { fs::remove_all(path_); }
  void Write(const std::string& name, const std::string& text) {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

constexpr char kMine[] = R"({
  "id": "my-cluster", "title": "Our launcher's banner", "why": "It is printed once a job.",
  "patterns": [ { "re": "our launcher: (?P<v>\\d+) nodes", "emit": [ { "setting": "nodes", "value": "{v}" } ] } ],
  "samples": [ { "text": "\u001b[1mour launcher: 4 nodes", "emits": [ { "setting": "nodes", "value": "4" } ] },
               { "text": "our launcher: no nodes", "emits": [] } ]
})";

TEST(RuleReportTest, ListsEveryRuleWithItsTitle) {
  Folder folder("list_rules");
  folder.Write("evidence/my-cluster.json", kMine);
  std::vector<Diag> diags;
  const auto rules = LoadRules(folder.path(), false, &diags);
  ASSERT_TRUE(rules.ok()) << rules.status().ToString();
  const std::string text = ListRules(*rules);
  EXPECT_THAT(text, testing::ContainsRegex("evidence +\\+my-cluster +Our launcher's banner\n"));
  EXPECT_THAT(text, testing::ContainsRegex("secrets +url-passwords +The password in a URL\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<int>(rules->files.size()));
}

TEST(RuleReportTest, ARuleIsItsOwnManualPage) {
  Folder folder("explain_rules");
  folder.Write("evidence/my-cluster.json", kMine);
  std::vector<Diag> diags;
  const auto rules = LoadRules(folder.path(), false, &diags);
  ASSERT_TRUE(rules.ok());
  const auto text = ExplainRule(*rules, "my-cluster");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text,
            "evidence/my-cluster\n"
            "Our launcher's banner\n"
            "\n"
            "It is printed once a job.\n"
            "\n"
            "patterns:\n"
            "  - re: our launcher: (?P<v>\\d+) nodes\n"
            "    emit:\n"
            "      - setting: nodes\n"
            "        value: {v}\n"
            "\n"
            "samples:\n"
            "  - text: \\x1b[1mour launcher: 4 nodes\n"
            "    emits:\n"
            "      - setting: nodes\n"
            "        value: 4\n"
            "  - text: our launcher: no nodes\n"
            "    emits: none\n"
            "\n"
            "file: " +
                folder.path() + "/evidence/my-cluster.json\n");
  EXPECT_EQ(*ExplainRule(*rules, "evidence/my-cluster"), *text);
  const auto unknown = ExplainRule(*rules, "my-clutser");
  EXPECT_THAT(unknown.status().ToString(), HasSubstr("did you mean \"my-cluster\"?"));
  EXPECT_THAT(ExplainRule(*rules, "nothing like it").status().ToString(), HasSubstr("rules list"));
}

TEST(RuleReportTest, EveryEmbeddedRuleCanBeExplained) {
  std::vector<Diag> diags;
  const auto rules = LoadRules("", false, &diags);
  ASSERT_TRUE(rules.ok());
  for (const RuleFile& file : rules->files) {
    const auto text = ExplainRule(*rules, file.family + "/" + file.id);
    ASSERT_TRUE(text.ok());
    EXPECT_THAT(*text, HasSubstr("\nsamples:\n")) << file.path;
  }
}

TEST(RuleReportTest, CheckSaysThatAllIsWell) {
  Folder folder("check_rules");
  folder.Write("evidence/my-cluster.json", kMine);
  folder.Write("README.md", "not a rule");
  folder.Write("schema/evidence.json", "{ not read");
  const RuleCheck check = CheckRules(folder.path());
  EXPECT_EQ(check.errors, 0u) << check.text;
  EXPECT_THAT(check.text, HasSubstr("1 rule in " + folder.path()));
  EXPECT_THAT(check.text, HasSubstr(": no fault\n"));
}

TEST(RuleReportTest, CheckTellsWhatIsReplaced) {
  Folder folder("replace_rules");
  folder.Write("secrets/url-passwords.json", R"json({
    "id": "url-passwords", "title": "t", "values": "pw=(?P<secret>\\d+)",
    "samples": [ { "text": "pw=1", "masked": "pw=****", "fires": true }, { "text": "pw=x" } ]
  })json");
  const RuleCheck check = CheckRules(folder.path());
  EXPECT_EQ(check.errors, 0u);
  EXPECT_THAT(check.text, HasSubstr("note R007: replaces the program's own rule secrets/url-passwords"));
}

TEST(RuleReportTest, CheckReportsFoldersThatAreNone) {
  Folder folder("wrong_rules");
  folder.Write("evidnce/a.json", "{}");
  folder.Write("stray.json", "{}");
  const RuleCheck check = CheckRules(folder.path());
  EXPECT_EQ(check.errors, 2u);
  EXPECT_THAT(check.text, HasSubstr("evidnce: error R004: \"evidnce\" is no family of rules\n"
                                    "fix: rename the folder to \"evidence\"\n"));
  EXPECT_THAT(check.text, HasSubstr("stray.json: error R004: this rule stands in no family's folder\n"));
  EXPECT_THAT(check.text, HasSubstr("2 errors, 0 warnings\n"));
  const RuleCheck missing = CheckRules(folder.path() + "/nowhere");
  EXPECT_EQ(missing.errors, 1u);
  EXPECT_THAT(missing.text, HasSubstr("error R005: cannot read the rules there: "));
}

TEST(RuleReportTest, TheProgramsOwnRulesPass) {
  const RuleCheck check = CheckRules("");
  EXPECT_EQ(check.errors + check.warnings, 0u) << check.text;
  EXPECT_THAT(check.text, HasSubstr("of the program: no fault\n"));
}

}  // namespace
}  // namespace autotune
