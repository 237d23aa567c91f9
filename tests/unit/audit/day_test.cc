#include "analyzer/audit/day.h"

#include <gtest/gtest.h>

namespace autotune {
namespace {

TEST(DayOf, ReadsTheDatesThatLogsCarry) {
  EXPECT_EQ(DayOf("2026-11-30T12:00:00.123Z stdout F AUTOTUNE mm(8x8, 8x8)\n"), "2026-11-30");
  EXPECT_EQ(DayOf("noise\n[2026-11-30 12:00:00,123] INFO x\n"), "2026-11-30");
  EXPECT_EQ(DayOf("2026/11/30 12:00 x\n"), "2026-11-30");
  EXPECT_EQ(DayOf("I1130 12:00:00.123000 1234 torch/_inductor/x.py:12] y\n"), "11-30");
  EXPECT_EQ(DayOf("[rank0]:V0203 01:02:03.5 1 x.py:1] y\n"), "02-03");
  EXPECT_EQ(DayOf("(EngineCore pid=5) INFO 11-30 12:00:00 [core.py:1] x\n"), "11-30");
  EXPECT_EQ(DayOf("Nov  3 12:00:00 node7 trainer[1]: x\n"), "11-03");
}

TEST(DayOf, AYearBeatsNone) { EXPECT_EQ(DayOf("I1130 12:00:00.1 1 x.py:1] y\n2026-12-01 00:00:01 z\n"), "2026-12-01"); }

TEST(DayOf, WhatIsNoDateStaysNone) {
  EXPECT_EQ(DayOf(""), "");
  EXPECT_EQ(DayOf("torch 2026-11-30 is a version\n"), "");
  EXPECT_EQ(DayOf("I9930 12:00:00.1 1 x.py:1] y\n"), "");
  EXPECT_EQ(DayOf("step 1130 12:00:00\n"), "");
  EXPECT_EQ(DayOf("2026-13-30 12:00 x\n"), "");
}

}  // namespace
}  // namespace autotune
