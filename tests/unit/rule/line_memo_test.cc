#include "analyzer/rule/line_memo.h"

#include <gtest/gtest.h>

#include <string>

namespace autotune {
namespace {

TEST(LineMemo, KnowsALineThatWasKeptAndNoOther) {
  LineMemo<std::string> memo;
  EXPECT_EQ(memo.Find("E1130 torch a"), nullptr);
  memo.Keep("E1130 torch a", "first");
  ASSERT_NE(memo.Find("E1130 torch a"), nullptr);
  EXPECT_EQ(*memo.Find("E1130 torch a"), "first");
  EXPECT_EQ(memo.Find("E1130 torch b"), nullptr);
  EXPECT_EQ(memo.Find("E1130 torch a "), nullptr);
  EXPECT_EQ(memo.Find(""), nullptr);
}

TEST(LineMemo, AnAnswerNeverBelongsToAnotherLine) {
  LineMemo<std::string> memo;  // far more lines than it keeps
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 20000; ++i) {
      const std::string line = "line " + std::to_string(i);
      if (const std::string* answer = memo.Find(line)) {
        ASSERT_EQ(*answer, std::to_string(i));
      } else {
        memo.Keep(line, std::to_string(i));
      }
    }
  }
}

TEST(LineMemo, KeepsNoLongLine) {
  LineMemo<std::string> memo;
  const std::string line(100000, 'x');
  EXPECT_EQ(memo.Find(line), nullptr);
  memo.Keep(line, "answer");
  EXPECT_EQ(memo.Find(line), nullptr);
}

}  // namespace
}  // namespace autotune
