// Two thousand past runs whose causes are known: recorded runs in the wrappers that their logs travel in, some cut.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "audit_runs.h"

namespace autotune {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kRuns = 150;
#else
constexpr int kRuns = 2000;
#endif

// Makes a file of real size out of one line after the other.
using Wrapper = std::function<std::string(std::string_view line, size_t number)>;

std::string Clock(size_t number) {
  return fmt::format("{:02}:{:02}:{:02}", 9 + number / 3600 % 12, number / 60 % 60, number % 60);
}

std::string InJson(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\t' ? std::string("\\t") : std::string(1, c);
  }
  return out;
}

const std::vector<Wrapper>& Wrappers() {
  static const auto& wrappers = *new std::vector<Wrapper>{
      [](std::string_view line, size_t) { return std::string(line); },
      [](std::string_view line, size_t) { return fmt::format("[pod/trainer-0/main] {}", line); },
      [](std::string_view line, size_t) { return fmt::format("[rank0]: {}", line); },
      [](std::string_view line, size_t) { return fmt::format("trainer-1  | {}", line); },
      [](std::string_view line, size_t n) { return fmt::format("2026-11-30T{}.123456789Z {}", Clock(n), line); },
      [](std::string_view line, size_t n) {
        return fmt::format("2026-11-30T{}.123456789Z stdout F [default0]:{}", Clock(n), line);
      },
      [](std::string_view line, size_t n) { return fmt::format("Nov 30 {} node7 trainer[2211]: {}", Clock(n), line); },
      [](std::string_view line, size_t n) {
        return fmt::format(R"({{"log":"{}\n","stream":"stdout","time":"2026-11-30T{}.5Z"}})", InJson(line), Clock(n));
      },
      [](std::string_view line, size_t) { return std::string(line) + "\r"; },
  };
  return wrappers;
}

struct LabelledRun {
  std::string name, built_by, state, log;
  std::set<std::string> accepted;  // whatever else the reader is given
};

std::vector<LabelledRun> LabelledRuns() {
  std::vector<LabelledRun> runs;
  simdjson::dom::parser parser;
  for (const fs::directory_entry& entry : fs::directory_iterator(kLab)) {
    simdjson::dom::element root;
    std::string_view built_by, state;
    if (!fs::exists(entry.path() / "label.json")) continue;
    if (parser.load((entry.path() / "label.json").string()).get(root)) continue;
    if (root["built_by"].get(built_by) || root["expect"]["state"].get(state)) continue;
    LabelledRun run{entry.path().filename().string(),
                    std::string(built_by),
                    std::string(state),
                    Tree::ReadFile((entry.path() / "train.log").string()),
                    {}};
    simdjson::dom::object accept;
    if (!root["expect"]["accept"].get(accept)) {
      for (auto [tier, names] : accept) {
        for (simdjson::dom::element name : names) run.accepted.emplace(std::string_view(name));
      }
    }
    if (fs::exists(kLab / run.built_by / "manifest.md")) runs.push_back(std::move(run));
  }
  std::sort(runs.begin(), runs.end(), [](const LabelledRun& a, const LabelledRun& b) { return a.name < b.name; });
  return runs;
}

std::string Wrap(std::string_view log, const Wrapper& wrapper) {
  std::string text;
  size_t number = 0;
  while (!log.empty()) {
    const size_t end = std::min(log.find('\n'), log.size());
    text += wrapper(log.substr(0, end), number++);
    text += '\n';
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return text;
}

TEST(LabelledRuns, NoneIsBlamedWrongly) {
  const std::vector<LabelledRun> labelled = LabelledRuns();
  ASSERT_GT(labelled.size(), 30u);
  Tree tree;
  struct Made {
    const LabelledRun* run;
    bool cut;
  };
  std::map<std::string, Made> made;
  std::mt19937 random(20261130);
  for (int i = 0; i < kRuns; ++i) {
    const LabelledRun& run = labelled[random() % labelled.size()];
    std::string log = Wrap(run.log, Wrappers()[random() % Wrappers().size()]);
    const bool cut = random() % 8 == 0;
    if (cut) log.resize(random() % log.size() + 1);
    const std::string name = fmt::format("{}/{:04}-{}.log", run.built_by, i, run.name);
    tree.Write(name, log);
    made[tree.Path(name)] = {&run, cut};
  }
  for (const LabelledRun& run : labelled) {
    tree.Write(run.built_by + "/manifest.md", Tree::ReadFile((kLab / run.built_by / "manifest.md").string()));
  }

  const Outcome outcome = RunAudit(tree.Path("") + " --format json");
  EXPECT_EQ(outcome.code, 1);
  const std::map<std::string, Row> rows = Rows(outcome.out);
  EXPECT_EQ(rows.size(), made.size());
  int named = 0;
  for (const auto& [path, one] : made) {
    const auto row = rows.find(fs::path(path).lexically_normal().string());
    ASSERT_NE(row, rows.end()) << path;
    if (!one.cut) {
      EXPECT_EQ(row->second.state, one.run->state) << path;
    }
    if (one.cut && one.run->state == "clean") {
      EXPECT_NE(row->second.state, "mismatch") << path;
    }
    if (row->second.cause.empty()) continue;
    ++named;
    EXPECT_EQ(one.run->accepted.count(row->second.cause), 1u) << path << " blames " << row->second.cause;
  }
  EXPECT_GT(named, kRuns / 8) << "a silent audit blames nobody wrongly, and helps nobody";
}

}  // namespace
}  // namespace autotune
