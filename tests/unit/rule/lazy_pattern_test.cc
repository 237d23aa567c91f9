#include "analyzer/rule/lazy_pattern.h"

#include <gtest/gtest.h>

namespace autotune {
namespace {

// With literals and without, it answers as RE2 does.
TEST(LazyPattern, AnswersAsRe2Does) {
  for (const char* pattern :
       {R"(triton_\w+)", R"(b?mm)", R"((?i)token=\w+)", R"((?:cuda|xpu)_cutlass_\w+)", "^$", ""}) {
    const LazyPattern lazy(pattern);
    const RE2 re(pattern);
    for (const char* text : {"", "mm", "bmm", "triton_mm_1", "a triton_mm_1", "xpu_cutlass_gemm_3", "cutlass_1",
                             "--Token=abc", "triton_"}) {
      EXPECT_EQ(lazy.FullMatch(text), RE2::FullMatch(text, re)) << pattern << " " << text;
      EXPECT_EQ(lazy.PartialMatch(text), RE2::PartialMatch(text, re)) << pattern << " " << text;
    }
  }
}

TEST(PatternShelf, GivesOnePatternForOneText) {
  const PatternShelf shelf;
  const LazyPattern& first = shelf.Of("triton_mm_[0-9]+");
  shelf.Of("a").FullMatch("a");
  EXPECT_EQ(&shelf.Of("triton_mm_[0-9]+"), &first);
  EXPECT_TRUE(first.FullMatch("triton_mm_12"));
  EXPECT_FALSE(first.FullMatch("triton_bmm_12"));
}

}  // namespace
}  // namespace autotune
