#include "analyzer/rule/literals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <random>

#include "analyzer/rule/pattern.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(LiteralsTest, JoinsWhatStandsTogether) {
  EXPECT_THAT(RequiredLiterals(R"(\bTORCHINDUCTOR_(?:CACHE_DIR|CK_DIR)=(?P<value>\S*))"),
              UnorderedElementsAre("TORCHINDUCTOR_CACHE_DIR", "TORCHINDUCTOR_CK_DIR"));
  EXPECT_THAT(RequiredLiterals(R"((?:fx|FX) graph (?P<s>hit|miss) for key)"),
              UnorderedElementsAre("FX graph hit for key", "FX graph miss for key", "fx graph hit for key",
                                   "fx graph miss for key"));
  EXPECT_THAT(RequiredLiterals("Limi[tT] reached"), UnorderedElementsAre("LimiT reached", "Limit reached"));
  EXPECT_THAT(RequiredLiterals("versions?: x"), UnorderedElementsAre("version: x", "versions: x"));
  EXPECT_THAT(RequiredLiterals("(?:ab){2}cd"), ElementsAre("ababcd"));
  EXPECT_THAT(RequiredLiterals(R"(\Qa.b+c\E done)"), ElementsAre("a.b+c done"));
}

TEST(LiteralsTest, TakesTheRarestOfSeveral) {
  EXPECT_THAT(RequiredLiterals(R"(torch/_inductor/\w+\.py.*Hardware limit:\d+)"), ElementsAre("Hardware limit:"));
  EXPECT_THAT(RequiredLiterals(R"(torch.*XNACK_ZZZ.*error)"), ElementsAre("XNACK_ZZZ"));
}

TEST(LiteralsTest, LeavesOutWhatAnotherOneCovers) {
  EXPECT_THAT(RequiredLiterals("CK_DIRECTORY|CK_DIR"), ElementsAre("CK_DIR"));
}

TEST(LiteralsTest, BreaksAtBytesThatJsonEscapes) {
  EXPECT_THAT(RequiredLiterals("'TRITON_DIR': \"(\\w+)\""), ElementsAre("TRITON_DIR"));
  EXPECT_THAT(RequiredLiterals("SIZE=ABCD<LONGER_TEXT"), ElementsAre("LONGER_TEXT"));
  EXPECT_THAT(RequiredLiterals("caf\xC3\xA9 NAMES"), ElementsAre(" NAMES"));
}

TEST(LiteralsTest, DrawsNothingThatNeedNotBeThere) {
  for (const char* pattern : {"", ".*", "a|longer", "(?i)longer", "(?:longer)?", "(?:longer)*", "[a-z]{8}", "abc",
                              "(?:longer|\\w+)", "[x]{0}abc", "\\x41\\x42\\x43\\x44", "\\101bc", "(?i:longer)",
                              "\\Qlonger\\E*", "x(\\Qab\\E*)|foobar", "[^l]ong", "\\pLabc", "\\p{Greek}abc"}) {
    EXPECT_THAT(RequiredLiterals(pattern), IsEmpty()) << pattern;
  }
  EXPECT_THAT(RequiredLiterals("longer?"), UnorderedElementsAre("longe"));
  EXPECT_THAT(RequiredLiterals("(?i)X_(?-i)LONG_1(?i)abcd"), ElementsAre("_LONG_1"));
  EXPECT_THAT(RequiredLiterals("(?:(?i)abc|def)LONG_1"), ElementsAre("LONG_1"));
  EXPECT_THAT(RequiredLiterals("a{2,3}bcde{x}"), ElementsAre("bcde{x}"));
}

// A random pattern and a text that it matches, built together.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  // Appends a pattern to `re` and one of its matches to `text`.
  void Make(int depth, std::string* re, std::string* text) {
    const int parts = 1 + Pick(4);
    for (int i = 0; i < parts; ++i) Part(depth, re, text);
  }

 private:
  int Pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void Part(int depth, std::string* re, std::string* text) {
    static const char* const kWords[] = {"LONG_NAME", "torch", "hit", "x", " ",      "\\.",
                                         "=",         "\"",    "ab-", "{", "\\[0\\]"};
    static const char* const kTexts[] = {"LONG_NAME", "torch", "hit", "x", " ", ".", "=", "\"", "ab-", "{", "[0]"};
    switch (Pick(depth > 0 ? 12 : 7)) {
      case 0:
      case 1:
      case 2: {
        const int i = Pick(11);
        *re += std::string("(?:") + kWords[i] + ")";
        *text += kTexts[i];
        return;
      }
      case 3:
        *re += "[A-Z_]+";
        *text += "QX_";
        return;
      case 4:
        *re += "[kK]";
        *text += Pick(2) ? "k" : "K";
        return;
      case 5:
        *re += "\\bLONG\\b ";
        *text += " LONG ";
        re->insert(re->size() - 9, " ");
        return;
      case 6:
        *re += ".*";
        *text += Pick(2) ? "" : "filler LONG";
        return;
      case 7: {  // alternation, with the arm that is taken first or last
        std::string other, unused, arm;
        Make(depth - 1, &other, &unused);
        Make(depth - 1, &arm, text);
        *re += Pick(2) ? "(?:" + other + "|" + arm + ")"
                       : "(?P<g" + std::to_string(names_++) + ">" + arm + "|" + other + ")";
        return;
      }
      case 8: {
        std::string arm, match;
        Make(depth - 1, &arm, &match);
        const int kind = Pick(6);
        static const char* const kRepeat[] = {"?", "*", "+", "{2}", "{0,2}", "{1,}"};
        static const int kCopies[] = {0, 0, 1, 2, 1, 2};
        *re += "(?:" + arm + ")" + kRepeat[kind] + (Pick(3) ? "" : "?");
        for (int i = 0; i < kCopies[kind]; ++i) *text += match;
        return;
      }
      case 9: {
        std::string arm, match;
        Make(depth - 1, &arm, &match);
        *re += "(?i:" + arm + ")";
        for (char& c : match) c = static_cast<char>(Pick(2) ? std::tolower(c) : c);
        *text += match;
        return;
      }
      default:
        Make(depth - 1, re, text);
    }
  }

  std::mt19937 random_;
  int names_ = 0;
};

TEST(LiteralsTest, EveryMatchHoldsOne) {
  int drawn = 0, matched = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    std::string pattern, text;
    Maker(seed).Make(3, &pattern, &text);
    const RE2 re(ToRe2(pattern), LinePatternOptions());
    ASSERT_TRUE(re.ok()) << pattern << ": " << re.error();
    if (!RE2::PartialMatch(ToRe2(text), re)) continue;  // a word boundary that fell on two letters
    ++matched;
    const std::vector<std::string> literals = RequiredLiterals(pattern);
    if (literals.empty()) continue;
    ++drawn;
    const bool holds = std::any_of(literals.begin(), literals.end(),
                                   [&](const std::string& literal) { return text.find(literal) != std::string::npos; });
    ASSERT_TRUE(holds) << pattern << "\n" << text << "\n" << testing::PrintToString(literals);
  }
  // The generator makes what the test is about.
  EXPECT_GT(matched, 15000);
  EXPECT_GT(drawn, 5000);
}

TEST(LiteralsTest, EveryEmbeddedEvidencePatternHasSome) {
  std::vector<Diag> diags;
  const auto rules = LoadRules("", false, &diags);
  ASSERT_TRUE(rules.ok());
  for (const EvidenceRule& rule : rules->evidence) {
    for (const EvidencePattern& pattern : rule.patterns) EXPECT_FALSE(PatternLiterals(pattern).empty()) << pattern.re;
  }
}

TEST(LiteralsTest, RarestBytesAreTheFingerprint) {
  size_t offset = 99;
  EXPECT_GT(LiteralRarity("TORCHINDUCTOR_CK_DIR", &offset), LiteralRarity("torch/_inductor"));
  EXPECT_LT(offset, std::string("TORCHINDUCTOR_CK_DIR").size() - 3);
  EXPECT_EQ(LiteralRarity("abc"), 0);
}

}  // namespace
}  // namespace autotune
