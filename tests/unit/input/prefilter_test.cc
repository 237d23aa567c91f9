#include "analyzer/input/prefilter.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "analyzer/input/newlines.h"
#include "tests/unit/input/test_input.h"

namespace autotune {
namespace {

using test::ChanceLog;
using test::Words;

bool Naive(const std::string& line, const std::vector<std::string>& literals) {
  for (const std::string& literal : literals) {
    if (line.find(literal) != std::string::npos) return true;
  }
  return false;
}

// The numbers of lines with a literal, found the way the feed does.
std::vector<size_t> Lines(const Prefilter& prefilter, const std::string& text) {
  std::vector<size_t> numbers;
  const char *p = text.data(), *end = p + text.size();
  while (const char* at = prefilter.Find(p, end)) {
    EXPECT_GE(at, p);
    EXPECT_LT(at, end);
    numbers.push_back(static_cast<size_t>(std::count(text.data(), at, '\n')));
    p = std::find(at, end, '\n');
    if (p == end) break;
    ++p;
  }
  return numbers;
}

std::vector<size_t> NaiveLines(const std::string& text, const std::vector<std::string>& literals) {
  std::vector<size_t> numbers;
  size_t number = 0;
  for (size_t begin = 0; begin <= text.size(); ++number) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (Naive(text.substr(begin, end - begin), literals)) numbers.push_back(number);
    begin = end + 1;
  }
  return numbers;
}

class PrefilterTest : public testing::TestWithParam<Prefilter::Isa> {};

std::string IsaName(const testing::TestParamInfo<Prefilter::Isa>& info) {
  constexpr const char* kNames[] = {"Portable", "Ssse3", "Avx2", "Avx512", "Neon"};
  return kNames[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Isas, PrefilterTest, testing::ValuesIn(Prefilter::Supported()), IsaName);

TEST_P(PrefilterTest, FindsTheLinesThatANaiveSearchFinds) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    const std::string text = ChanceLog(seed, 400, Words(), seed % 2 == 0 ? 3 : 40);
    EXPECT_EQ(Lines(Prefilter(Words(), GetParam()), text), NaiveLines(text, Words())) << "seed " << seed;
  }
}

// Few letters, so that literals and parts of them are everywhere; any number of literals of any length and any bytes.
TEST_P(PrefilterTest, FindsTheLinesThatANaiveSearchFindsInDenseNonsense) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const std::string letters = seed % 3 == 0   ? std::string("ab\n", 3)
                                : seed % 3 == 1 ? std::string("abcdAB_\x80\xff\n\0", 11)
                                                : std::string("a \n=:AUTO");
    const auto letter = [&] { return letters[random() % letters.size()]; };
    std::vector<std::string> literals(1 + random() % (seed % 5 == 0 ? 300 : 12));
    for (std::string& literal : literals) {
      literal.resize((seed % 4 == 0 ? 1 : 4) + random() % 9);
      for (char& c : literal) c = letter();
    }
    std::string text(random() % 3000, 0);
    for (char& c : text) c = random() % 2 ? letter() : static_cast<char>(random());
    std::vector<std::string> in_a_line;
    for (const std::string& literal : literals) {
      if (literal.find('\n') == std::string::npos) in_a_line.push_back(literal);
    }
    EXPECT_EQ(Lines(Prefilter(literals, GetParam()), text), NaiveLines(text, in_a_line)) << "seed " << seed;
  }
}

TEST_P(PrefilterTest, FindsALiteralAtEveryOffsetAndAtBothEnds) {
  const Prefilter prefilter(Words(), GetParam());
  for (const std::string& word : Words()) {
    for (size_t length = word.size(); length < 150; ++length) {
      for (size_t at = 0; at + word.size() <= length; ++at) {
        // On the heap to the byte, so that a sanitizer sees a read outside.
        std::vector<char> text(length, '.');
        std::copy(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at));
        const char* found = prefilter.Find(text.data(), text.data() + length);
        ASSERT_NE(found, nullptr) << word << " at " << at << " of " << length;
        ASSERT_GE(found, text.data() + at);
        ASSERT_LT(found, text.data() + at + word.size());
        // Cut by one byte at either side it is not there.
        ASSERT_EQ(prefilter.Find(text.data(), text.data() + at + word.size() - 1), nullptr);
        ASSERT_EQ(prefilter.Find(text.data() + at + 1, text.data() + length), nullptr);
      }
    }
  }
}

TEST_P(PrefilterTest, WithoutLiteralsNothingIsFound) {
  const Prefilter prefilter(std::vector<std::string>{}, GetParam());
  EXPECT_FALSE(prefilter.passes_all());
  EXPECT_FALSE(prefilter.Contains(ChanceLog(1, 100, Words(), 2)));
}

TEST_P(PrefilterTest, AnEmptyLiteralPassesAll) {
  const Prefilter prefilter({"AUTOTUNE ", ""}, GetParam());
  EXPECT_TRUE(prefilter.passes_all());
  EXPECT_TRUE(prefilter.Contains(""));
}

TEST(PrefilterAnnounceTest, GivesTheSameLinesBeforeAndAfter) {
  const Prefilter prefilter(Words());
  const std::string text = ChanceLog(77, 4000, Words(), 10);
  const std::vector<size_t> before = Lines(prefilter, text);
  EXPECT_EQ(before, NaiveLines(text, Words()));
  prefilter.Announce(uint64_t{1} << 30);
  EXPECT_EQ(Lines(prefilter, text), before);
}

TEST(NewlinesTest, EveryWayCountsTheSame) {
  std::mt19937 random(5);
  std::string text(200000, 'x');
  for (char& c : text) c = random() % 3 == 0 ? '\n' : static_cast<char>(random());
  const std::string only(100000, '\n');
  for (const CountNewlinesFunction count : CountNewlinesWays()) {
    EXPECT_EQ(count(only.data(), only.data() + only.size()), only.size());
    for (size_t length : {0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 4096, 16384, 100000, 200000}) {
      for (size_t from = 0; from < 40 && from <= length; from += 13) {
        EXPECT_EQ(count(text.data() + from, text.data() + length),
                  static_cast<uint64_t>(std::count(text.data() + from, text.data() + length, '\n')));
      }
    }
  }
}

}  // namespace
}  // namespace autotune
