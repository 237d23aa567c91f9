#include "analyzer/base/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace autotune {
namespace {

std::string Quoted(std::string_view s) {
  std::string out;
  AppendJsonString(s, &out);
  return out;
}

std::string Text(double value) {
  std::string out;
  AppendJsonNumber(value, &out);
  return out;
}

TEST(JsonWriterTest, PutsCommasWhereTheyGo) {
  std::string out;
  JsonWriter w(&out);
  w.BeginObject().Key("op").String("mm").Key("lines").BeginArray().Int(3).Int(-4).EndArray();
  w.Key("empty").BeginObject().EndObject().Key("nothing").BeginArray().EndArray();
  w.Key("rows").BeginArray().BeginObject().Key("a").Bool(true).EndObject().BeginObject().EndObject().EndArray();
  w.Key("n").Null().Key("o").OptString(std::nullopt).Key("p").OptInt(7).Key("q").OptNumber(0.5).Key("r").OptLine(9);
  w.EndObject();
  EXPECT_EQ(out, R"({"op":"mm","lines":[3,-4],"empty":{},"nothing":[],"rows":[{"a":true},{}],)"
                 R"("n":null,"o":null,"p":7,"q":0.5,"r":9})");
}

TEST(JsonWriterTest, EscapesWhatJsonAsksFor) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("plain text / ' <"), R"("plain text / ' <")");
  EXPECT_EQ(Quoted("\"\\\n\r\t\b\f"), R"("\"\\\n\r\t\b\f")");
  EXPECT_EQ(Quoted(std::string_view("\0\x1B[0m\x1F", 6)), R"("\u0000\u001b[0m\u001f")");
  EXPECT_EQ(Quoted("\x7F"), "\"\x7F\"");
}

TEST(JsonWriterTest, KeepsUtf8AndReplacesWhatIsNone) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(Quoted("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"), "\"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80\"");
  EXPECT_EQ(Quoted("a\xFFz"), "\"a" + bad + "z\"");
  EXPECT_EQ(Quoted("\xE2\x82"), "\"" + bad + "\"");                            // cut: one character, one replacement
  EXPECT_EQ(Quoted("\xE2\x82\"x"), "\"" + bad + "\\\"x\"");                    // and what follows is not eaten
  EXPECT_EQ(Quoted("\xC0\xAF"), "\"" + bad + bad + "\"");                      // overlong
  EXPECT_EQ(Quoted("\xE0\x80\x80"), "\"" + bad + bad + bad + "\"");            // overlong
  EXPECT_EQ(Quoted("\xED\xA0\x80"), "\"" + bad + bad + bad + "\"");            // a surrogate
  EXPECT_EQ(Quoted("\xF4\x90\x80\x80"), "\"" + bad + bad + bad + bad + "\"");  // beyond U+10FFFF
  EXPECT_EQ(Quoted("\xF0\x9F\x98"), "\"" + bad + "\"");
  EXPECT_EQ(Quoted("\x80\xBF"), "\"" + bad + bad + "\"");
}

TEST(JsonWriterTest, NumbersReadBackAsThemselves) {
  for (const double value : {0.0, 0.1, 1.0 / 3, 1e-7, 123456789.125, 1e300, 5e-324, -2.5}) {
    EXPECT_EQ(std::strtod(Text(value).c_str(), nullptr), value) << Text(value);
  }
  EXPECT_EQ(Text(0.4761), "0.4761");
  EXPECT_EQ(Text(1e22), "1e+22");
  EXPECT_EQ(Text(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(Text(std::nan("")), "null");
}

}  // namespace
}  // namespace autotune
