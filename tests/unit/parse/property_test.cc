// What holds for any damage to any log of the corpus: no crash, no block that the whole log does not have, none made of
// two.
#include <filesystem>
#include <set>

#include "tests/unit/parse/parse_fixture.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Logs() {
  std::vector<std::string> logs;
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "corpus" / "cases")) {
    if (entry.path().extension() == ".log") logs.push_back(entry.path().string());
  }
  std::sort(logs.begin(), logs.end());
  return logs;
}

std::set<std::string> Rows(const Block& block) {
  std::set<std::string> rows;
  for (const Choice& c : block.choices) rows.insert(c.name + " " + std::to_string(c.ms) + " " + c.description);
  return rows;
}

// Whether `part` is some block of `whole`, at most with rows missing at its end.
bool IsOf(const Block& part, const Kept& whole) {
  return std::any_of(whole.blocks.begin(), whole.blocks.end(), [&](const Block& full) {
    const std::set<std::string> some = Rows(part), all = Rows(full);
    return full.op == part.op && full.shapes == part.shapes &&
           std::includes(all.begin(), all.end(), some.begin(), some.end());
  });
}

TEST(Property, ACutLogHasNoOtherBlocks) {
  for (const std::string& log : Logs()) {
    const std::string text = ReadFileText(log);
    const Kept whole = ReadText(text);
    const size_t step = (text.size() / 40) | 1;  // odd, so that cuts fall anywhere in lines
    for (size_t cut = 0; cut < text.size(); cut += step) {
      const Kept part = ReadText(text.substr(0, cut));
      EXPECT_LE(part.blocks.size(), whole.blocks.size()) << log << " cut at " << cut;
      for (const Block& block : part.blocks) {
        const bool found = std::any_of(whole.blocks.begin(), whole.blocks.end(), [&](const Block& full) {
          return full.line == block.line && full.op == block.op && full.shapes == block.shapes;
        });
        EXPECT_TRUE(found) << log << " cut at " << cut << ": line " << block.line;
      }
    }
  }
}

TEST(Property, ALogThatBeginsLaterHasNoOtherBlocks) {
  for (const std::string& log : Logs()) {
    const std::string text = ReadFileText(log);
    const Kept whole = ReadText(text);
    const size_t step = (text.size() / 40) | 1;
    for (size_t cut = 1; cut < text.size(); cut += step) {
      for (const Block& block : ReadText(text.substr(cut)).blocks)
        EXPECT_TRUE(IsOf(block, whole)) << log << " from " << cut;
    }
  }
}

TEST(Property, MixedLogsMakeNoBlockOfTwo) {
  const std::vector<std::string> logs = Logs();
  for (size_t i = 0; i < logs.size(); ++i) {
    for (size_t j : {i + 1, i + 3, i + 10}) {
      if (j >= logs.size()) continue;
      const std::string a = ReadFileText(logs[i]), b = ReadFileText(logs[j]);
      std::istringstream in_a(a), in_b(b);
      std::string mixed, line;
      for (bool more = true; more;) {
        more = false;
        if (std::getline(in_a, line)) mixed.append(line).append("\n"), more = true;
        if (std::getline(in_b, line)) mixed.append(line).append("\n"), more = true;
      }
      const Kept one = ReadText(a), other = ReadText(b), both = ReadText(mixed);
      for (const Block& block : both.blocks) {
        EXPECT_TRUE(IsOf(block, one) || IsOf(block, other)) << logs[i] << " + " << logs[j] << ": line " << block.line;
      }
      EXPECT_EQ(Describe(ReadText(mixed, true)), Describe(both)) << logs[i] << " + " << logs[j];
    }
  }
}

}  // namespace
}  // namespace autotune
