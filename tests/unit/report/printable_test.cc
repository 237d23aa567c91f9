#include "analyzer/report/printable.h"

#include <gtest/gtest.h>

#include "tests/unit/report/sample.h"

namespace autotune {
namespace {

TEST(Printable, PlainTextAndValidUtf8Stay) {
  EXPECT_EQ(Printable("ATEN,TRITON"), "ATEN,TRITON");
  EXPECT_EQ(Printable("模型 é €"), "模型 é €");
  EXPECT_EQ(Printable(""), "");
}

TEST(Printable, WhatMovesACursorBecomesVisible) {
  EXPECT_EQ(Printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(Printable(std::string_view("\0\x07\x7f", 3)), "\\x00\\x07\\x7f");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");  // C1 CSI, one code point
  EXPECT_EQ(Printable("\xe2\x80\xae"
                      "abc"),
            "\\u{202e}abc");                               // right-to-left override
  EXPECT_EQ(Printable("\xf3\xa0\x80\xa1"), "\\u{e0021}");  // tag character
}

TEST(Printable, LineBreaksBecomeOneBlank) {
  EXPECT_EQ(Printable("a\r\n\tb"), "a b");
  EXPECT_EQ(Printable("a\xe2\x80\xa8"
                      "b"),
            "a\\u{2028}b");
}

TEST(Printable, BytesThatAreNoUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ(Printable("a\xff"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(Printable("\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong '/'
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(Printable("\xf4\x90\x80\x80").substr(0, 3), "\xEF\xBF\xBD");         // above U+10FFFF
  EXPECT_EQ(Printable("\xe2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // cut short
}

TEST(Printable, NoByteSequenceLeavesAControlCharacter) {
  std::string all;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      all += static_cast<char>(a);
      all += static_cast<char>(b);
    }
  }
  const std::string safe = Printable(all + kHostile);
  for (size_t i = 0; i < safe.size(); ++i) {
    const auto byte = static_cast<unsigned char>(safe[i]);
    ASSERT_GE(byte, 0x20) << "at " << i;
    ASSERT_NE(byte, 0x7F) << "at " << i;
    if (byte == 0xC2) {
      ASSERT_GE(static_cast<unsigned char>(safe[i + 1]), 0xA0) << "C1 control at " << i;
    }
  }
}

TEST(PrintableLines, KeepsLineEndsAndNothingElse) {
  EXPECT_EQ(PrintableLines("a\n\x1b[1mb\n\nc"), "a\n\\x1b[1mb\n\nc");
  EXPECT_EQ(PrintableLines("a\n"), "a\n");
}

TEST(TerminalColumns, CountsWhatATerminalDraws) {
  EXPECT_EQ(TerminalColumns("abc"), 3);
  EXPECT_EQ(TerminalColumns("中文"), 4);
  EXPECT_EQ(TerminalColumns("e\xcc\x81"), 1);  // e and a combining accent
  EXPECT_EQ(TerminalColumns("🚀"), 2);
}

TEST(Shorten, KeepsBothEnds) {
  EXPECT_EQ(Shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(Shorten("/workspace/inductor_cache", 15), "/works..._cache");
  EXPECT_EQ(Shorten("abcdef", 3), "...");
}

TEST(Shorten, NeverCutsACharacterAndNeverGrowsTooWide) {
  const std::string text = "中文中文中文中文abc";
  for (int columns = 3; columns < 20; ++columns) {
    const std::string cut = Shorten(text, columns);
    EXPECT_LE(TerminalColumns(cut), columns) << cut;
    EXPECT_EQ(cut, Printable(cut)) << "cut inside a character";
  }
}

}  // namespace
}  // namespace autotune
