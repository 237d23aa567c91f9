#include "analyzer/parse/part.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

namespace autotune {
namespace {

// The fast reading of short decimals must give the very double that the printed digits stand for.
TEST(PartTest, NumbersOfARowAreThoseOfStrtod) {
  std::mt19937_64 random(11);
  const auto digits = [&random](size_t most) {
    std::string text;
    for (size_t size = 1 + random() % most; text.size() < size;) text += static_cast<char>('0' + random() % 10);
    return text;
  };
  for (int round = 0; round < 20000; ++round) {
    const std::string ms = digits(9) + "." + digits(17), pct = digits(3) + "." + digits(2);
    Part part;
    ASSERT_EQ(ScanPart("  triton_mm_7 " + ms + " ms " + pct + "% BLOCK_K=16", &part), Part::Kind::kRow) << ms;
    EXPECT_EQ(part.row.ms, std::strtod(ms.c_str(), nullptr)) << ms;
    EXPECT_EQ(*part.row.pct, std::strtod(pct.c_str(), nullptr)) << pct;
  }
}

TEST(PartTest, NumbersOfEverySpelling) {
  const auto ms_of = [](const std::string& ms) {
    Part part;
    return ScanPart("mm " + ms + " ms 98.7%", &part) == Part::Kind::kRow ? part.row.ms : -1;
  };
  EXPECT_EQ(ms_of("710"), 710);
  EXPECT_EQ(ms_of("1e-05"), 1e-05);
  EXPECT_EQ(ms_of("1.5e-05"), 1.5e-05);
  EXPECT_EQ(ms_of("8.913267612457275"), 8.913267612457275);
  EXPECT_EQ(ms_of("12345678.25"), 12345678.25);
  EXPECT_EQ(ms_of(".5"), -1);
  EXPECT_EQ(ms_of("-0.5"), -1);
  EXPECT_EQ(ms_of("1.2.3"), -1);
}

TEST(PartTest, StridesAreCountedAsTheyAreSplit) {
  std::mt19937 random(3);
  for (const std::string list : {"[4096, 1], [1, 4096]", "[s0, 1]", "[], [1]", "[Max(1, s0), 1], [[2], 3]"}) {
    EXPECT_EQ(CountStrides(list), SplitStrides(list).size()) << list;
  }
  for (int round = 0; round < 5000; ++round) {
    std::string list;
    for (size_t size = random() % 12; list.size() < size;) list += "[](), 1"[random() % 7];
    EXPECT_EQ(CountStrides(list), SplitStrides(list).size()) << list;
  }
}

}  // namespace
}  // namespace autotune
