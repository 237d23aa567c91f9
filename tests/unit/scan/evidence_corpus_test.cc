// What log lines state about settings, over the corpus: every evidence entry of the cases, each as often as it is
// expected, and nothing in the recorded runs that is not true of them.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"
#include "analyzer/parse/log_parser.h"
#include "tests/unit/embedded_rules.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class EvidenceKeeper : public LogSink {
 public:
  void OnBlock(Block) override {}
  void OnOrphan(Orphan) override {}
  void OnEvidence(const Evidence& evidence) override { all.push_back(evidence); }
  void OnCounter(std::string_view, uint64_t) override {}

  std::vector<Evidence> all;
};

std::vector<Evidence> ReadEvidence(const fs::path& log) {
  EvidenceKeeper keeper;
  LogParser parser(EmbeddedRules(), log.string(), &keeper);
  const std::string bytes = ReadFile(log);
  uint64_t number = 0;
  size_t start = 0;
  while (start < bytes.size()) {
    const size_t end = std::min(bytes.find('\n', start), bytes.size());
    parser.Line(std::string_view(bytes).substr(start, end - start), ++number);
    start = end + 1;
  }
  parser.Finish(!bytes.empty() && bytes.back() == '\n');
  return std::move(keeper.all);
}

using ValueAtLine = std::pair<std::string, uint64_t>;

// An expectation's values are JSON of any kind; numbers are compared as they are printed.
std::multiset<ValueAtLine> ExpectedEvidence(const fs::path& path) {
  std::multiset<ValueAtLine> expected;
  const simdjson::padded_string text(ReadFile(path));
  simdjson::dom::parser parser;
  simdjson::dom::array entries;
  if (parser.parse(text)["evidence"].get(entries)) return expected;
  for (const simdjson::dom::element entry : entries) {
    const simdjson::dom::element value = entry["value"];
    std::string_view spelled;
    const std::string plain = value.get(spelled) ? std::string(simdjson::minify(value)) : std::string(spelled);
    expected.emplace(plain, uint64_t(entry["line"]));
  }
  return expected;
}

std::vector<fs::path> FilesOf(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(EvidenceCorpusTest, EveryEntryOfTheCasesIsRead) {
  size_t entries = 0;
  for (const fs::path& log : FilesOf(SOURCE_DIR "/corpus/cases", ".log")) {
    SCOPED_TRACE(log.filename().string());
    std::multiset<ValueAtLine> read;
    for (const Evidence& evidence : ReadEvidence(log)) read.emplace(evidence.value, evidence.line);
    for (const ValueAtLine& entry : ExpectedEvidence(fs::path(log).replace_extension(".expect.json"))) {
      ++entries;
      const auto found = read.find(entry);
      EXPECT_NE(found, read.end()) << "line " << entry.second << ": " << entry.first;
      if (found != read.end()) read.erase(found);
    }
  }
  EXPECT_GT(entries, 0u) << "no expectations found";
}

// A recorded run's label says with what it was made. Versions that a run faked are in its "changed".
struct Truth {
  std::map<std::string, std::string> values;  // "torch", "triton", "python", "cuda", "gpu"
  std::map<std::string, std::string> environment;
};

Truth TruthOf(const fs::path& label) {
  Truth truth;
  const simdjson::padded_string text(ReadFile(label));
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(text).get(root)) return truth;
  const auto keep = [&](const char* key, const char* setting) {
    std::string_view value;
    if (!root["made_with"][key].get(value)) truth.values[setting] = value;
  };
  keep("torch", "torch");
  keep("triton", "triton");
  keep("cuda", "cuda");
  keep("python", "python");
  keep("device", "gpu");
  std::string_view before;
  if (!root["before_the_run"].get(before)) {  // a run that wrote another version into the installed files
    if (before.find("/version.py") != std::string_view::npos) truth.values["torch"] = "2.11.1+cu130";
    if (before.find("/__init__.py") != std::string_view::npos) truth.values["triton"] = "3.6.1";
  }
  simdjson::dom::object environment;
  if (!root["run_env"].get(environment)) {
    for (const auto& [name, value] : environment) {
      std::string_view spelled;
      if (!value.get(spelled)) truth.environment[std::string(name)] = spelled;
    }
  }
  return truth;
}

// Not spelled alike, but the same: a path names Python's minor version, and a CPU run says that there is no Triton.
bool Agrees(const std::string& setting, const std::string& read, const std::string& truth) {
  if (setting == "python") return read == truth || truth.compare(0, read.size() + 1, read + ".") == 0;
  if (setting == "triton" && read == "n/a") return truth.empty() || truth == "n/a" || truth == "N/A";
  return read == truth;
}

TEST(EvidenceCorpusTest, NothingUntrueIsReadOffRecordedRuns) {
  size_t compared = 0;
  const fs::path lab = SOURCE_DIR "/corpus/lab";
  ASSERT_TRUE(fs::exists(lab));
  for (const auto& run : fs::directory_iterator(lab)) {
    const fs::path log = run.path() / "train.log";
    if (!fs::exists(log) || !fs::exists(run.path() / "label.json")) continue;
    SCOPED_TRACE(run.path().filename().string());
    const Truth truth = TruthOf(run.path() / "label.json");
    for (const Evidence& evidence : ReadEvidence(log)) {
      const auto known = truth.values.find(evidence.setting);
      if (known != truth.values.end()) {
        ++compared;
        EXPECT_TRUE(Agrees(evidence.setting, evidence.value, known->second))
            << "line " << evidence.line << ": " << evidence.setting << " = " << evidence.value << ", not "
            << known->second << " (" << evidence.rule << ")";
      }
      const auto set = truth.environment.find(evidence.setting);
      if (set == truth.environment.end() || evidence.rule == "key-listing") continue;
      ++compared;
      EXPECT_EQ(evidence.value, set->second) << "line " << evidence.line << ": " << evidence.setting;
    }
  }
  EXPECT_GT(compared, 0u) << "no recorded runs found";
}

}  // namespace
}  // namespace autotune
