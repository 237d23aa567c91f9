// The recorded runs of corpus/lab with what their labels accept, for tests that judge them.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/report/reporter.h"
#include "analyzer/scan.h"
#include "tests/unit/embedded_rules.h"

namespace autotune {

namespace fs = std::filesystem;

// What is given beside the log; the names are those of label.json.
struct Tier {
  const char* name;
  bool baseline, cache, run_cache;
};
inline constexpr Tier kTiers[] = {{"log+manifest", false, false, false},
                                  {"+baseline", true, false, false},
                                  {"+cache", true, true, false},
                                  {"+run-cache", true, true, true}};

struct Label {
  std::string built_by, state;
  std::vector<std::pair<std::string, std::vector<std::string>>> accept;  // by tier
};

inline std::optional<Label> ReadLabel(const fs::path& path) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.load(path.string()).get(root)) {
    ADD_FAILURE() << path << " cannot be read";
    return std::nullopt;
  }
  Label label;
  std::string_view text;
  if (root["built_by"].get(text)) return std::nullopt;
  label.built_by = text;
  if (root["expect"]["state"].get(text)) return std::nullopt;
  label.state = text;
  simdjson::dom::object accept;
  if (root["expect"]["accept"].get(accept)) return label;
  for (auto [tier, names] : accept) {
    auto& [name, settings] = label.accept.emplace_back(std::string(tier), std::vector<std::string>());
    for (simdjson::dom::element one : names) settings.emplace_back(std::string(std::string_view(one)));
  }
  return label;
}

inline Verdict JudgeLab(const fs::path& run, const fs::path& build, const std::string& manifest, const Tier& tier) {
  ScanRequest request;
  request.logs = {(run / "train.log").string()};
  request.manifest = manifest;
  if (tier.baseline) request.baseline = (build / "train.log").string();
  if (tier.cache) request.cache = (build / "cache.tar.zst").string();
  if (tier.run_cache) request.run_cache = (run / "run_cache.tar.zst").string();
  SilentReporter reporter;
  const ScanResult result = Scan(request, EmbeddedRules(), &reporter);
  for (const absl::Status& error : result.errors) ADD_FAILURE() << error;
  return result.verdict;
}

// What the label accepts must lead at every tier whose files there are, what did not tune must be clean, and nothing
// that is shown equal may be blamed.
inline void ExpectAccepted(const fs::path& run, const fs::path& build, const Label& label,
                           const std::string& manifest) {
  for (const Tier& tier : kTiers) {
    SCOPED_TRACE(tier.name);
    std::vector<std::string> accepted;
    for (const auto& [name, settings] : label.accept) {
      if (name == tier.name) accepted = settings;
    }
    const bool clean = label.state == "clean";
    const bool files = (!tier.cache || fs::exists(build / "cache.tar.zst")) &&
                       (!tier.run_cache || fs::exists(run / "run_cache.tar.zst"));
    if (!files || (!clean && accepted.empty())) continue;
    const Verdict verdict = JudgeLab(run, build, manifest, tier);
    EXPECT_EQ(StateName(verdict.state), label.state);
    std::set<std::string> equal;
    for (const EqualSetting& one : verdict.equal) equal.insert(one.setting);
    for (const Suspect& suspect : verdict.suspects) {
      EXPECT_EQ(equal.count(suspect.setting), 0u) << suspect.setting << " is equal and blamed";
      EXPECT_FALSE(suspect.why.empty()) << suspect.setting;
      EXPECT_TRUE(suspect.confidence >= 0 && suspect.confidence <= 1) << suspect.setting;
      if (suspect.basis == Basis::kElimination) {
        EXPECT_LE(suspect.confidence, 0.6) << suspect.setting;
      }
    }
    if (clean) {
      EXPECT_TRUE(verdict.suspects.empty());
      continue;
    }
    EXPECT_FALSE(verdict.suspects.empty());
    if (verdict.suspects.empty()) continue;
    EXPECT_NE(std::find(accepted.begin(), accepted.end(), verdict.suspects[0].setting), accepted.end())
        << verdict.suspects[0].setting << " leads: " << verdict.suspects[0].why;
    EXPECT_FALSE(verdict.suspects[0].fix.empty());
  }
}

inline std::vector<std::string> LabelledRuns() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "corpus/lab")) {
    if (fs::exists(entry.path() / "label.json") && ReadLabel(entry.path() / "label.json"))
      names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

}  // namespace autotune
