// Every log of corpus/cases against its expectations, whole and with the lines left out that the prefilter leaves out.
#include <simdjson.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "tests/unit/parse/parse_fixture.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

std::vector<fs::path> Logs() {
  std::vector<fs::path> logs;
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "corpus" / "cases")) {
    if (entry.path().extension() == ".log") logs.push_back(entry.path());
  }
  std::sort(logs.begin(), logs.end());
  return logs;
}

std::string Text(const element& e) { return simdjson::minify(e); }
std::string Quote(const std::string& s) { return "\"" + s + "\""; }
template <class T>
std::string Number(const std::optional<T>& v) {
  if (!v) return "null";
  std::ostringstream out;
  out.precision(17);
  out << *v;
  return out.str();
}

bool SameNumber(const element& expected, const std::optional<double>& got) {
  double value = 0;
  if (expected.is_null() || !got) return expected.is_null() && !got;
  return expected.get(value) == simdjson::SUCCESS && std::abs(value - *got) <= 1e-9 * std::max(1.0, std::abs(value));
}

void ExpectBlock(const element& expected, const Block& b) {
  const auto field = [&](const char* name) { return Text(expected[name]); };
  EXPECT_EQ(field("op"), Quote(b.op));
  EXPECT_EQ(field("end_line"), std::to_string(b.end_line));
  std::vector<std::string> shapes, backends;
  for (const element& s : expected["shapes"].get_array()) shapes.emplace_back(std::string_view(s));
  EXPECT_EQ(shapes, b.shapes);
  std::string strides = b.strides ? "[" : "null";
  if (b.strides) {
    for (size_t i = 0; i < b.strides->size(); ++i) {
      strides += i ? ",[" : "[";
      for (size_t j = 0; j < (*b.strides)[i].size(); ++j) strides += (j ? "," : "") + (*b.strides)[i][j];
      strides += "]";
    }
    strides += "]";
  }
  EXPECT_EQ(field("strides"), strides);
  std::string dtypes = b.dtypes ? "[" : "null";
  if (b.dtypes) {
    for (size_t i = 0; i < b.dtypes->size(); ++i) dtypes += (i ? "," : "") + Quote((*b.dtypes)[i]);
    dtypes += "]";
  }
  EXPECT_EQ(field("dtypes"), dtypes);
  EXPECT_EQ(field("num_choices"), Number(b.num_choices));
  EXPECT_EQ(field("num_choices_stats"), Number(b.num_choices_stats));
  EXPECT_EQ(field("num_triton_choices"), Number(b.num_triton_choices));
  EXPECT_EQ(field("stats_line"), Number(b.stats_line));
  EXPECT_EQ(field("footer_line"), Number(b.footer_line));
  EXPECT_EQ(field("mode"), b.mode ? Quote(*b.mode) : "null");
  EXPECT_TRUE(SameNumber(expected["benchmark_seconds"], b.benchmark_seconds));
  EXPECT_TRUE(SameNumber(expected["precompile_seconds"], b.precompile_seconds));
  EXPECT_TRUE(SameNumber(expected["prescreen_seconds"], b.prescreen_seconds));
  EXPECT_EQ(field("status"), b.complete ? "\"complete\"" : "\"truncated\"");
  EXPECT_EQ(field("process"), b.labels.process ? Quote(*b.labels.process) : "null");
  EXPECT_EQ(field("rank"), Number(b.labels.rank));
  element pod;
  EXPECT_EQ(expected["pod"].get(pod) == simdjson::SUCCESS ? Text(pod) : "null",
            b.labels.pod ? Quote(*b.labels.pod) : "null");
  const simdjson::dom::array rows = expected["choices"].get_array();
  ASSERT_EQ(rows.size(), b.choices.size());
  for (size_t i = 0; i < b.choices.size(); ++i) {
    const element row = rows.at(i);
    const Choice& c = b.choices[i];
    EXPECT_EQ(std::string_view(row["name"]), c.name);
    if (row["ms"].is_string()) {
      EXPECT_TRUE(std::isinf(c.ms));
    } else {
      EXPECT_TRUE(SameNumber(row["ms"], c.ms));
    }
    EXPECT_TRUE(SameNumber(row["pct"], c.pct)) << c.name;
    EXPECT_EQ(std::string_view(row["backend"]), c.backend);
    EXPECT_EQ(Text(row["line"]), std::to_string(c.line));
  }
}

class CasesTest : public ::testing::TestWithParam<fs::path> {};

TEST_P(CasesTest, AsExpected) {
  const fs::path log = GetParam();
  fs::path expectation = log;
  expectation.replace_extension(".expect.json");
  simdjson::dom::parser parser;
  const std::string json = ReadFileText(expectation.string());
  element expected;
  ASSERT_EQ(parser.parse(json).get(expected), simdjson::SUCCESS);
  const std::string text = ReadFileText(log.string());
  const Kept kept = ReadText(text);

  std::map<uint64_t, const Block*> blocks;
  for (const Block& block : kept.blocks)
    EXPECT_TRUE(blocks.emplace(block.line, &block).second) << "twice: " << block.line;
  size_t count = 0;
  for (const element& block : expected["blocks"].get_array()) {
    ++count;
    SCOPED_TRACE("block at line " + Text(block["line"]));
    const auto found = blocks.find(uint64_t(block["line"]));
    ASSERT_NE(found, blocks.end()) << "missing";
    ExpectBlock(block, *found->second);
  }
  EXPECT_EQ(count, kept.blocks.size());

  std::multiset<std::pair<std::string, uint64_t>> orphans, expected_orphans;
  constexpr const char* kKinds[] = {"row", "footer", "stats"};
  for (const Orphan& orphan : kept.orphans) orphans.emplace(kKinds[static_cast<int>(orphan.kind)], orphan.line);
  element list;
  if (expected["orphans"].get(list) == simdjson::SUCCESS) {
    for (const element& o : list.get_array())
      expected_orphans.emplace(std::string_view(o["kind"]), uint64_t(o["line"]));
  }
  EXPECT_EQ(orphans, expected_orphans);
}

TEST_P(CasesTest, LinesLeftOutChangeNothing) {
  const std::string text = ReadFileText(GetParam().string());
  EXPECT_EQ(Describe(ReadText(text, true)), Describe(ReadText(text)));
}

// The wanted lines at the start of a log must not be what makes the test above pass.
TEST_P(CasesTest, LinesLeftOutChangeNothingLaterInALog) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += "2026-11-30 20:43:01,383 INFO trainer.py:412 step=" + std::to_string(i) + " loss=2.96678 tok/s=9535\n";
  text += ReadFileText(GetParam().string());
  EXPECT_EQ(Describe(ReadText(text, true)), Describe(ReadText(text)));
}

INSTANTIATE_TEST_SUITE_P(Corpus, CasesTest, ::testing::ValuesIn(Logs()), [](const auto& test) {
  std::string name = test.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace autotune
