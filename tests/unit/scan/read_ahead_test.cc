#include "analyzer/read_ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "analyzer/scan.h"
#include "tests/unit/embedded_rules.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

class ReadAheadTest : public testing::Test {
 protected:
  ReadAheadTest() {
    std::string pattern = (fs::temp_directory_path() / "autotune-ahead-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~ReadAheadTest() override { fs::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  // So many logs, each with a statement and a block of its own; among them an empty one, a big one, and one that is
  // missing.
  std::vector<std::string> Pile(size_t count) const {
    std::vector<std::string> paths;
    for (size_t i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      std::string text = "export TORCHINDUCTOR_CACHE_DIR=/cache/" + n + "\nAUTOTUNE mm(" + n +
                         "x8, 8x8)\n  mm 0.0100 ms 100.0%\n" +
                         "SingleProcess AUTOTUNE benchmarking takes 0.5 seconds and 0.2 seconds precompiling\n";
      if (i == 3) text.clear();
      if (i == 5) text += std::string(300 << 10, '.') + "\n" + text;
      paths.push_back(Write("log" + n, text));
      if (i == 7) fs::remove(paths.back());
    }
    return paths;
  }

  fs::path folder_;
};

std::string Json(const std::vector<std::string>& logs, int threads, std::vector<std::string>* errors) {
  std::string text;
  const auto reporter = MakeJsonReporter([&text](std::string_view s) { return text.append(s), true; });
  ScanRequest request;
  request.logs = logs;
  request.threads = threads;
  const ScanResult result = Scan(request, EmbeddedRules(), reporter.get());
  for (const absl::Status& error : result.errors) errors->push_back(error.ToString());
  return text;
}

TEST_F(ReadAheadTest, ManyThreadsSayWhatOneSays) {
  for (const size_t count : {1, 15, 16, 17, 70}) {
    const std::vector<std::string> logs = Pile(count);
    std::vector<std::string> errors_of_one, errors;
    const std::string one = Json(logs, 1, &errors_of_one);
    for (const int threads : {2, 7}) {
      errors.clear();
      EXPECT_EQ(Json(logs, threads, &errors), one) << count;
      EXPECT_EQ(errors, errors_of_one);
    }
    EXPECT_EQ(errors_of_one.size(), count > 7 ? 1u : 0u);
  }
}

// Who stops taking is not kept waiting, wherever the readers are.
TEST_F(ReadAheadTest, MayEndBeforeAllIsTaken) {
  const std::vector<std::string> logs = Pile(200);
  for (const size_t taken : {0, 1, 8, 9, 64, 199}) {
    std::atomic<size_t> read = 0;
    {
      ReadAhead ahead(logs, 3, OpenSource,
                      [&read](Source&, LogSink*, autotune::Run*) { return ++read, absl::OkStatus(); });
      autotune::Run run;
      for (size_t i = 0; i < taken; ++i) EXPECT_EQ(ahead.Take(nullptr, &run).ok(), i != 7);
    }
    EXPECT_GE(read + 1, taken);
    EXPECT_LE(read, taken + 64) << "memory is bounded by what is read ahead";
  }
}

}  // namespace
}  // namespace autotune
