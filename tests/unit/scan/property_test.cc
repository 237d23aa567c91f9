// What must hold for any damage: a log cut at any byte, fed in pieces of one byte, or mixed line by line with another
// never crashes, never invents a block, and never blames a setting that the log shows equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "analyzer/scan.h"
#include "tests/unit/embedded_rules.h"
#include "tests/unit/scan/memory_source.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Keeps the blocks and the JSON text of one scan.
class Keeper : public Reporter {
 public:
  Keeper() : json_(MakeJsonReporter([this](std::string_view s) { return text.append(s), true; })) {}
  void Begin(const std::vector<std::string>& inputs) override { json_->Begin(inputs); }
  void OnBlock(const Block& block) override {
    blocks.push_back(block);
    json_->OnBlock(block);
  }
  void OnOrphan(const Orphan& orphan) override { json_->OnOrphan(orphan); }
  void OnEvidence(const Evidence& evidence) override { json_->OnEvidence(evidence); }
  void OnCounter(std::string_view kind, std::string_view source, uint64_t line) override {
    json_->OnCounter(kind, source, line);
  }
  void End(const Run& run, const Manifest* manifest, const Verdict& verdict) override {
    json_->End(run, manifest, verdict);
  }
  void Facts(std::string_view path, const std::vector<Fact>& facts, const std::vector<Problem>& problems) override {
    json_->Facts(path, facts, problems);
  }

  std::string text;
  std::vector<Block> blocks;

 private:
  std::unique_ptr<Reporter> json_;
};

ScanResult ScanText(const std::string& bytes, size_t piece, const std::string& manifest, Keeper* keeper) {
  ScanRequest request;
  request.logs = {"log"};
  request.manifest = manifest;
  request.threads = 1;
  request.open = [&](const std::string& path) -> absl::StatusOr<std::unique_ptr<Source>> {
    return std::make_unique<MemorySource>(path, bytes, piece);
  };
  return Scan(request, EmbeddedRules(), keeper);
}

std::set<std::string> RowsOf(const Block& block) {
  std::set<std::string> rows;
  for (const Choice& c : block.choices) rows.insert(c.name + " " + std::to_string(c.ms) + " " + c.description);
  return rows;
}

void ExpectNoEqualBlamed(const Verdict& verdict, const std::string& where) {
  std::set<std::string> equal;
  for (const EqualSetting& e : verdict.equal) equal.insert(e.setting);
  for (const Suspect& s : verdict.suspects) EXPECT_FALSE(equal.count(s.setting)) << where << ": " << s.setting;
}

struct Sample {
  std::string log, manifest;
};

std::vector<Sample> Samples() {
  const fs::path corpus = fs::path(SOURCE_DIR) / "corpus";
  std::vector<Sample> samples;
  for (const char* name : {"backends-added-triton", "cpu-2.14.1-seq320", "ddp2-tee-cold", "dtype-fp16"}) {
    const fs::path log = corpus / "lab" / name / "train.log";
    if (!fs::exists(log)) continue;
    samples.push_back({log.string(), (corpus / "lab" / "base-cold" / "manifest.md").string()});
  }
  for (const auto& entry : fs::directory_iterator(corpus / "cases")) {
    if (entry.path().extension() == ".log") samples.push_back({entry.path().string(), ""});
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.log < b.log; });
  return samples;
}

TEST(Property, PiecesOfAnySizeGiveTheSameOutput) {
  for (const Sample& sample : Samples()) {
    const std::string bytes = ReadFile(sample.log);
    Keeper whole;
    ScanText(bytes, bytes.size() + 1, sample.manifest, &whole);
    for (size_t piece : {1, 7, 4095}) {
      Keeper pieces;
      ScanText(bytes, piece, sample.manifest, &pieces);
      EXPECT_EQ(pieces.text, whole.text) << sample.log << " in pieces of " << piece;
    }
  }
}

// Each cut reads the log again; sanitizers make that an order of magnitude slower, and find what they are for in fewer.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kCutsOfALog = 16;
#else
constexpr size_t kCutsOfALog = 150;
#endif

TEST(Property, ACutLogHasNoOtherBlocks) {
  for (const Sample& sample : Samples()) {
    const std::string bytes = ReadFile(sample.log);
    Keeper whole;
    ScanText(bytes, bytes.size() + 1, sample.manifest, &whole);
    // The step is odd so that cuts fall anywhere in lines.
    const size_t step = (bytes.size() / kCutsOfALog) | 1;
    for (size_t cut = 0; cut < bytes.size(); cut += step) {
      Keeper part;
      const ScanResult result = ScanText(bytes.substr(0, cut), 1 << 16, sample.manifest, &part);
      const std::string where = sample.log + " cut at byte " + std::to_string(cut);
      EXPECT_LE(part.blocks.size(), whole.blocks.size()) << where;
      for (const Block& block : part.blocks) {
        bool found = false;
        for (const Block& full : whole.blocks)
          found |= full.line == block.line && full.op == block.op && full.shapes == block.shapes;
        EXPECT_TRUE(found) << where << ": " << block.op << " at line " << block.line;
      }
      ExpectNoEqualBlamed(result.verdict, where);
    }
  }
}

TEST(Property, MixedLogsMakeNoBlockOfTwo) {
  const std::vector<Sample> samples = Samples();
  for (size_t i = 0; i + 1 < samples.size(); ++i) {
    const std::string a = ReadFile(samples[i].log), b = ReadFile(samples[i + 1].log);
    std::string mixed;
    std::istringstream in_a(a), in_b(b);
    std::string line;
    for (bool more = true; more;) {
      more = false;
      if (std::getline(in_a, line)) mixed.append(line).append("\n"), more = true;
      if (std::getline(in_b, line)) mixed.append(line).append("\n"), more = true;
    }
    Keeper one, other, both;
    ScanText(a, a.size() + 1, "", &one);
    ScanText(b, b.size() + 1, "", &other);
    const ScanResult result = ScanText(mixed, 1 << 16, samples[i].manifest, &both);
    for (const Block& block : both.blocks) {
      bool of_one_log = false;
      for (const Keeper* keeper : {&one, &other}) {
        for (const Block& whole : keeper->blocks) {
          const std::set<std::string> rows = RowsOf(block), all = RowsOf(whole);
          of_one_log |= whole.op == block.op && whole.shapes == block.shapes &&
                        std::includes(all.begin(), all.end(), rows.begin(), rows.end());
        }
      }
      EXPECT_TRUE(of_one_log) << samples[i].log << " + " << samples[i + 1].log << ": " << block.op << " at line "
                              << block.line;
    }
    ExpectNoEqualBlamed(result.verdict, samples[i].log);
  }
}

}  // namespace
}  // namespace autotune
