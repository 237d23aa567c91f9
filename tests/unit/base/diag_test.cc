#include "analyzer/base/diag.h"

#include <gtest/gtest.h>

namespace autotune {
namespace {

TEST(DiagTest, RendersPlaceTextAndCaret) {
  Diag diag;
  diag.code = "R012";
  diag.file = "rules/evidence/env.json";
  diag.line = 7;
  diag.column = 5;
  diag.message = "unknown key \"patern\"; did you mean \"pattern\"?";
  diag.excerpt = "    \"patern\": \"^TORCH\",";
  diag.fix = "rename the key";
  EXPECT_EQ(Render(diag),
            "rules/evidence/env.json:7:5: error R012: unknown key \"patern\"; did you mean \"pattern\"?\n"
            "    \"patern\": \"^TORCH\",\n"
            "    ^\n"
            "fix: rename the key\n");
}

TEST(DiagTest, LeavesOutWhatIsNotKnown) {
  Diag diag;
  diag.level = Diag::Level::kWarning;
  diag.message = "nothing to see";
  EXPECT_EQ(Render(diag), "warning: nothing to see\n");
  diag.file = "m.md";
  diag.column = 3;
  EXPECT_EQ(Render(diag), "m.md: warning: nothing to see\n");
  diag.line = 2;
  diag.level = Diag::Level::kNote;
  EXPECT_EQ(Render(diag), "m.md:2:3: note: nothing to see\n");
  diag.excerpt = "   ";
  EXPECT_EQ(Render(diag), "m.md:2:3: note: nothing to see\n");
}

TEST(DiagTest, TheCaretStandsUnderTheByteMeant) {
  Diag diag;
  diag.file = "f";
  diag.line = 1;
  diag.excerpt = "\t\xC3\xA4\xE2\x82\xAC\x1B X";
  diag.column = 9;  // of X: a tab, a two-byte and a three-byte character, an escape, a blank
  EXPECT_EQ(Render(diag), "f:1:9: error: \n    \xC3\xA4\xE2\x82\xAC  X\n        ^\n");
}

TEST(DiagTest, CutsLongLinesAroundTheCaret) {
  Diag diag;
  diag.file = "f";
  diag.line = 1;
  diag.excerpt = std::string(500, 'a') + "X" + std::string(500, 'b');
  diag.column = 501;
  const std::string text = Render(diag);
  const size_t caret_line = text.rfind("\n    ", text.size() - 2);
  const std::string shown = text.substr(text.find('\n') + 1, caret_line - text.find('\n') - 1);
  const std::string caret = text.substr(caret_line + 1);
  EXPECT_LT(shown.size(), 110u);
  EXPECT_EQ(shown[caret.find('^')], 'X');
  EXPECT_EQ(shown.substr(0, 7), "    ...");
  EXPECT_EQ(shown.substr(shown.size() - 3), "...");
}

TEST(DiagTest, NearestKnowsTypingErrors) {
  const std::vector<std::string> known = {"pattern", "patterns", "when", "fix"};
  EXPECT_EQ(Nearest("patern", known), "pattern");
  EXPECT_EQ(Nearest("pattrens", known), "patterns");
  EXPECT_EQ(Nearest("whne", known), "when");
  EXPECT_EQ(Nearest("fixx", known), "fix");
  EXPECT_EQ(Nearest("fyxx", known), "");  // two errors in four letters are another word
  EXPECT_EQ(Nearest("samples", known), "");
  EXPECT_EQ(Nearest("", known), "");
}

}  // namespace
}  // namespace autotune
