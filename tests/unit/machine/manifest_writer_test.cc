// Manifests written from the recorded builds of corpus/lab, judged as good as those that were written by hand.
#include "analyzer/machine/manifest_writer.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "analyzer/manifest/manifest.h"
#include "tests/unit/machine/fake_root.h"
#include "tests/unit/scan/lab_labels.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Sources {
  bool log = true, cache = true;
  const FakeRoot* root = nullptr;  // null: an empty one
};

WrittenManifest WriteLab(const fs::path& build, const Sources& from) {
  const FakeRoot empty;
  const Machine machine((from.root ? *from.root : empty).folder(), EmbeddedRules());
  const std::string cache_path = (build / "cache.tar.zst").string();
  ScanRequest request;
  request.logs = {(build / "train.log").string()};
  if (from.cache) request.cache = cache_path;
  SilentReporter reporter;
  const ScanResult result = Scan(request, EmbeddedRules(), &reporter);
  const absl::StatusOr<CacheReport> report = InspectCache(cache_path, nullptr, EmbeddedRules());
  const CacheReading cache = ReadCache(cache_path, {});
  EXPECT_TRUE(report.ok());
  BuildSources sources;
  if (from.log) sources.log = &result.run;
  if (from.cache) {
    sources.cache = &cache;
    sources.cache_report = &*report;
    sources.cache_path = cache_path;
  }
  sources.machine = &machine;
  sources.generated = "2026-07-21T05:53:03Z";
  return WriteManifest(sources, EmbeddedRules());
}

// The machine of a build as it was when its manifest was written by hand: its torch and its environment.
void MakeMachineOf(const fs::path& build, FakeRoot* root) {
  const absl::StatusOr<Manifest> by_hand = ReadManifest((build / "manifest.md").string(), EmbeddedRules());
  ASSERT_TRUE(by_hand.ok());
  std::vector<std::string> variables = {"VIRTUAL_ENV=/venv"};
  for (const Fact& fact : by_hand->facts) {
    const SettingRule* rule = EmbeddedRules().Setting(fact.setting);
    if (rule && rule->environment && !fact.not_set) variables.push_back(fact.setting + "=" + fact.value);
    if (fact.setting == "python") root->Write("/venv/pyvenv.cfg", "version = " + fact.value + "\n");
    if (fact.setting == "torch")
      root->Write("/venv/lib/python3.12/site-packages/torch/version.py", "__version__ = '" + fact.value + "'\n");
  }
  root->Config(variables);
}

std::vector<std::string> Builds() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "corpus/lab")) {
    if (fs::exists(entry.path() / "cache.tar.zst")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class WrittenManifestOf : public testing::TestWithParam<std::string> {};

TEST_P(WrittenManifestOf, IsValidAndExact) {
  const fs::path build = fs::path(SOURCE_DIR) / "corpus/lab" / GetParam();
  const WrittenManifest written = WriteLab(build, {});
  const Manifest manifest = ParseManifest("written.md", written.text, EmbeddedRules());
  for (const Problem& problem : LintManifest(manifest, written.text, EmbeddedRules()))
    ADD_FAILURE() << "lint, line " << problem.line << ": " << problem.message << "\n" << written.text;
  const CacheReading cache = ReadCache((build / "cache.tar.zst").string(), {});
  ASSERT_EQ(manifest.identities.problems.size(), cache.cache.problems.size()) << written.text;
  for (size_t i = 0; i < cache.cache.problems.size(); ++i) {
    const Identities::Problem& read = manifest.identities.problems[i];
    const RecordedProblem& recorded = cache.cache.problems[i];
    EXPECT_EQ(read.op, recorded.op);
    EXPECT_EQ(read.precision, recorded.precision);
    EXPECT_EQ(read.inputs_key, recorded.inputs);
    EXPECT_EQ(read.choices, static_cast<int64_t>(recorded.choices.size()));
    EXPECT_EQ(read.candidate_set_key.substr(0, 1), "c");
    EXPECT_THAT(read.backends, Not(IsEmpty()));
  }
  ASSERT_EQ(manifest.identities.systems.size(), cache.cache.systems.size());
  for (size_t i = 0; i < cache.cache.systems.size(); ++i)
    EXPECT_EQ(manifest.identities.systems[i].hash, cache.cache.systems[i].name);
  EXPECT_EQ(written.text, WriteLab(build, {}).text);
  // `cache` finds nothing that the two disagree on.
  const absl::StatusOr<CacheReport> report =
      InspectCache((build / "cache.tar.zst").string(), &manifest, EmbeddedRules());
  ASSERT_TRUE(report.ok());
  for (const Problem& problem : report->problems) {
    EXPECT_NE(problem.id, "cache-file-count") << problem.message;
    EXPECT_NE(problem.id, "cache-not-as-recorded") << problem.message;
  }
}
INSTANTIATE_TEST_SUITE_P(Builds, WrittenManifestOf, testing::ValuesIn(Builds()), TestName);

// At least as right as with the hand-made manifest: that one is held against the same labels (scan/lab_verdict_test).
class LabVerdictByWritten : public testing::TestWithParam<std::string> {};

TEST_P(LabVerdictByWritten, IsWhatTheLabelAccepts) {
  const fs::path lab = fs::path(SOURCE_DIR) / "corpus/lab", run = lab / GetParam();
  const std::optional<Label> label = ReadLabel(run / "label.json");
  ASSERT_TRUE(label);
  const fs::path build = lab / label->built_by;
  if (!fs::exists(build / "cache.tar.zst")) GTEST_SKIP() << "the build left no cache";
  static std::map<std::string, std::string>& written = *new std::map<std::string, std::string>;
  std::string& text = written[label->built_by];
  if (text.empty()) {
    // A build with one candidate a problem prints no table and caches no tuning: only its machine knows the back ends.
    const bool tells = !ReadCache((build / "cache.tar.zst").string(), {}).cache.problems.empty();
    FakeRoot root;
    if (!tells) MakeMachineOf(build, &root);
    Sources sources;
    sources.root = &root;
    text = WriteLab(build, sources).text;
  }
  const fs::path path = fs::path(testing::TempDir()) / ("written-" + GetParam() + ".md");
  std::ofstream(path, std::ios::binary) << text;
  ExpectAccepted(run, build, *label, path.string());
  fs::remove(path);
}
INSTANTIATE_TEST_SUITE_P(Runs, LabVerdictByWritten, testing::ValuesIn(LabelledRuns()), TestName);

TEST(ManifestWriter, AMachineAloneIsWrittenAndCheckedAgainstItself) {
  FakeRoot root;
  MakeNvidia(&root);
  const Machine machine(root.folder(), EmbeddedRules());
  BuildSources sources;
  sources.machine = &machine;
  sources.generated = "2026-07-21T05:53:03Z";
  const std::string text = WriteManifest(sources, EmbeddedRules()).text;
  const Manifest manifest = ParseManifest("m.md", text, EmbeddedRules());
  EXPECT_THAT(text, HasSubstr("# Compile Cache — H200"));
  EXPECT_THAT(text, HasSubstr("| Torch | 2.11.0+cu130 |"));
  EXPECT_THAT(text, HasSubstr("| HIP / ROCm | N/A |"));
  EXPECT_THAT(text, HasSubstr("- Architecture: sm\\_90 (NVIDIA Hopper)"));
  EXPECT_THAT(text, HasSubstr("== `/workspace/inductor_cache`"));
  for (const Problem& problem : LintManifest(manifest, text, EmbeddedRules()))
    ADD_FAILURE() << problem.message << "\n" << text;
}

TEST(ManifestWriter, AnotherMachineThanTheBuildsIsLeftOut) {
  FakeRoot root;
  MakeRocm(&root);
  Sources sources;
  sources.root = &root;
  const fs::path build = fs::path(SOURCE_DIR) / "corpus/lab/base-cold";
  const WrittenManifest written = WriteLab(build, sources);
  EXPECT_EQ(written.text, WriteLab(build, {}).text);
  EXPECT_THAT(written.remarks, Not(IsEmpty()));
}

TEST(ManifestWriter, TheMachineOfTheBuildAddsWhatItsLogDoesNotState) {
  FakeRoot root;
  MakeNvidia(&root);
  Sources sources;
  sources.root = &root;
  const WrittenManifest written = WriteLab(fs::path(SOURCE_DIR) / "corpus/lab/base-cold", sources);
  EXPECT_THAT(written.text, HasSubstr("| TORCHINDUCTOR\\_COMPILE\\_THREADS | `16` |"));
  EXPECT_THAT(written.text, HasSubstr("- GPU count (world_size): 1 (1)"));
}

TEST(ManifestWriter, TheCacheAloneOrTheLogAloneIsEnough) {
  const fs::path build = fs::path(SOURCE_DIR) / "corpus/lab/base-cold";
  Sources log, cache;
  log.cache = false;
  cache.log = false;
  const std::string of_cache = WriteLab(build, cache).text, of_log = WriteLab(build, log).text;
  EXPECT_EQ(ParseManifest("m", of_cache, EmbeddedRules()).identities.problems.size(), 3u) << of_cache;
  const Manifest by_log = ParseManifest("m", of_log, EmbeddedRules());
  EXPECT_EQ(by_log.identities.problems.size(), 3u) << of_log;
  EXPECT_EQ(by_log.identities.problems[0].inputs_key,
            ParseManifest("m", of_cache, EmbeddedRules()).identities.problems[0].inputs_key);
}

}  // namespace
}  // namespace autotune
