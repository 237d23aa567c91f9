#include "analyzer/rule/literal_finder.h"

#include <gtest/gtest.h>

#include <random>

namespace autotune {
namespace {

TEST(LiteralFinderTest, AgreesWithFindOnTextsOfTheLiteralsOwnBytes) {
  std::mt19937 random(7);
  for (const std::string literal : {"\t", "=\"", "it/s", "aab", "/_inductor/", "abcabcabd"}) {
    const LiteralFinder finder(literal);
    for (int round = 0; round < 2000; ++round) {
      std::string text;
      for (size_t size = random() % 24; text.size() < size;) {
        text += random() % 3 == 0 ? literal.substr(random() % literal.size())
                                  : std::string(1, literal[random() % literal.size()]);
      }
      EXPECT_EQ(finder.IsIn(text), text.find(literal) != std::string::npos) << literal << " in " << text;
    }
  }
}

TEST(LiteralFinderTest, FindsAtBothEnds) {
  const LiteralFinder finder("it/s");
  EXPECT_TRUE(finder.IsIn("it/s"));
  EXPECT_TRUE(finder.IsIn("it/s]"));
  EXPECT_TRUE(finder.IsIn("12.5it/s"));
  EXPECT_FALSE(finder.IsIn("it/"));
  EXPECT_FALSE(finder.IsIn("t/s"));
  EXPECT_FALSE(finder.IsIn(""));
}

}  // namespace
}  // namespace autotune
