// Every manifest of corpus/manifests against its .expect file, as it stands and in the shapes that editors and pipes
// give it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "analyzer/base/text.h"
#include "tests/unit/manifest/facts_listing.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<fs::path> Manifests() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(SOURCE_DIR "/corpus/manifests"))
    if (entry.path().extension() == ".md" && entry.path().filename() != "README.md") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

class CorpusManifest : public testing::TestWithParam<fs::path> {
 protected:
  const std::string text_ = ReadFile(GetParam());
  const std::string expected_ = ReadFile(fs::path(GetParam()).replace_extension(".expect"));
};

TEST_P(CorpusManifest, SaysWhatIsExpected) {
  ASSERT_FALSE(expected_.empty()) << "no .expect beside " << GetParam();
  EXPECT_EQ(FactsOf(text_) + ProblemsOf(text_), expected_);
}

TEST_P(CorpusManifest, SaysTheSameWithWindowsLineEnds) {
  const std::string crlf = Replaced(text_, "\n", "\r\n");
  EXPECT_EQ(FactsOf(crlf) + ProblemsOf(crlf), expected_);
}

TEST_P(CorpusManifest, SaysTheSameBehindAByteOrderMark) {
  const std::string marked = "\xEF\xBB\xBF" + text_;
  EXPECT_EQ(FactsOf(marked) + ProblemsOf(marked), expected_);
}

TEST_P(CorpusManifest, SaysTheSameWithoutTheLastLineEnd) {
  std::string cut = text_;
  while (!cut.empty() && cut.back() == '\n') cut.pop_back();
  EXPECT_EQ(FactsOf(cut), FactsOf(text_));
}

// A fact's line is where its value stands.
TEST_P(CorpusManifest, FactsStandOnTheirLines) {
  const std::vector<std::string> lines = Lines(text_);
  for (const Fact& fact : ParseManifest("m.md", text_, Rules()).facts) {
    ASSERT_GE(fact.line, 1u);
    ASSERT_LE(fact.line, lines.size());
    const std::string word = fact.raw.substr(0, fact.raw.find_first_of(" ,|&\xC2"));
    const std::string& line = lines[fact.line - 1];
    const std::string& next = fact.line < lines.size() ? lines[fact.line] : line;  // an item may go on
    EXPECT_TRUE(line.find(word) != std::string::npos || next.find(word) != std::string::npos ||
                Replaced(line, "\\|", "|").find(word) != std::string::npos)
        << fact.setting << " = " << fact.raw << " on line " << fact.line << ": " << line;
  }
}

// Cut anywhere, what was whole before the cut's line is still said, with the same lines.
TEST_P(CorpusManifest, ACutManifestSaysNothingNew) {
  const Manifest whole = ParseManifest("m.md", text_, Rules());
  std::set<std::string> said;
  for (const Fact& fact : whole.facts) said.insert(fact.setting + std::to_string(fact.line));
  for (size_t cut = 0; cut <= text_.size(); cut += 7) {
    const std::string_view part = std::string_view(text_).substr(0, cut);
    const uint64_t last = static_cast<uint64_t>(std::count(part.begin(), part.end(), '\n')) + 1;
    const Manifest manifest = ParseManifest("m.md", part, Rules());
    LintManifest(manifest, part, Rules());
    for (const Fact& fact : manifest.facts) {
      // The cut line may read as another row; a table's first rows are a paragraph until its rule is there.
      if (fact.line + 2 > last) continue;
      EXPECT_TRUE(said.count(fact.setting + std::to_string(fact.line))) << fact.setting << " with " << cut << " bytes";
    }
  }
}

std::string NameOf(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, CorpusManifest, testing::ValuesIn(Manifests()), NameOf);

TEST(CorpusManifests, AreThere) { EXPECT_GE(Manifests().size(), 7u); }

}  // namespace
}  // namespace autotune
