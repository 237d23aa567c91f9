#include "analyzer/rule/rule_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <tuple>
#include <type_traits>

#include "analyzer/base/text.h"
#include "analyzer/rule/line_program.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

// One decoded file into its family's list. A decoder gives one rule (optional) or those of a file (vector).
template <class Decoder, class Checker, class Rule>
void Load(Decoder decode, Checker check, const RuleFile& file, const RuleNode& root, bool check_samples,
          std::vector<Rule>* rules, std::vector<Diag>* diags) {
  auto decoded = decode(file, root, diags);
  using Decoded = decltype(decoded);
  if constexpr (std::is_same_v<Decoded, std::optional<Rule>>) {
    if (!decoded) return;
    if (check_samples) check(*decoded, file, diags);
    rules->push_back(*std::move(decoded));
  } else {
    if (check_samples && !decoded.empty()) check(decoded, file, diags);
    std::move(decoded.begin(), decoded.end(), std::back_inserter(*rules));
  }
}

using Loader = void (*)(const RuleFile&, const RuleNode&, bool check_samples, RuleSet*, std::vector<Diag>*);

struct Family {
  const char* name;  // of the folder
  Loader load;
};

#define AUTOTUNE_FAMILY(name, decode, check, list)                                                                 \
  {                                                                                                                \
    name, [](const RuleFile& file, const RuleNode& root, bool samples, RuleSet* rules, std::vector<Diag>* diags) { \
      Load(decode, check, file, root, samples, &rules->list, diags);                                               \
    }                                                                                                              \
  }

// What `manifest lint` finds needs a manifest parsed: the samples of lint rules are run by that room's tests.
void NoCheck(const LintRule&, const RuleFile&, std::vector<Diag>*) {}

constexpr Family kFamilies[] = {
    AUTOTUNE_FAMILY("backends", DecodeBackendRule, CheckBackendSamples, backends),
    AUTOTUNE_FAMILY("causes", DecodeCauseRules, CheckCauseSamples, causes),
    AUTOTUNE_FAMILY("devices", DecodeDeviceRules, CheckDeviceSamples, devices),
    AUTOTUNE_FAMILY("evidence", DecodeEvidenceRule, CheckEvidenceSamples, evidence),
    AUTOTUNE_FAMILY("extern_keys", DecodeExternRule, CheckExternSamples, externs),
    AUTOTUNE_FAMILY("layouts", DecodeLayoutRule, CheckLayoutSamples, layouts),
    AUTOTUNE_FAMILY("lint", DecodeLintRule, NoCheck, lint),
    AUTOTUNE_FAMILY("secrets", DecodeSecretRule, CheckSecretSamples, secrets),
    AUTOTUNE_FAMILY("settings", DecodeSettingRules, CheckSettingSamples, settings),
    AUTOTUNE_FAMILY("wrappers", DecodeWrapperRule, CheckWrapperSamples, wrappers),
};
#undef AUTOTUNE_FAMILY

const Family* FindFamily(const std::string& name) {
  for (const Family& family : kFamilies) {
    if (name == family.name) return &family;
  }
  return nullptr;
}

Diag FileDiag(std::string path, std::string code, std::string message, std::string fix) {
  Diag diag;
  diag.file = std::move(path);
  diag.code = std::move(code);
  diag.message = std::move(message);
  diag.fix = std::move(fix);
  return diag;
}

void UnknownFamily(const std::string& path, const std::string& name, std::vector<Diag>* diags) {
  const std::vector<std::string> known = RuleFamilies();
  const std::string nearest = Nearest(name, known);
  diags->push_back(FileDiag(
      path, "R004",
      name.empty() ? "this rule stands in no family's folder" : fmt::format("\"{}\" is no family of rules", name),
      nearest.empty() ? fmt::format("move it to a folder named {}", fmt::join(known, ", "))
                      : fmt::format("rename the folder to \"{}\"", nearest)));
}

std::vector<fs::path> SortedEntries(const fs::path& dir, std::error_code* error) {
  std::vector<fs::path> paths;
  for (fs::directory_iterator it(dir, *error), end; !*error && it != end; it.increment(*error)) {
    paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void ReadRuleFile(const fs::path& path, const std::string& family, std::vector<RuleFile>* files,
                  std::vector<Diag>* diags) {
  std::ifstream in(path, std::ios::binary);
  RuleFile file;
  file.path = path.string();
  file.family = family;
  file.id = path.stem().string();
  file.text.assign(std::istreambuf_iterator<char>(in), {});
  if (!in.is_open() || in.bad()) {
    diags->push_back(FileDiag(file.path, "R005", "cannot be read", "check that it is a file that you may read"));
    return;
  }
  files->push_back(std::move(file));
}

// DIR/<family>/<id>.json. "schema" is for editors; other files may stand beside the rules (README.md).
void ReadRuleFolder(const std::string& dir, std::vector<RuleFile>* files, std::vector<Diag>* diags) {
  std::error_code error;
  for (const fs::path& path : SortedEntries(dir, &error)) {
    if (!fs::is_directory(path)) {
      if (path.extension() == ".json") UnknownFamily(path.string(), "", diags);
      continue;
    }
    const std::string family = path.filename().string();
    if (family == "schema" || family.starts_with(".")) continue;
    if (!FindFamily(family)) {
      UnknownFamily(path.string(), family, diags);
      continue;
    }
    for (const fs::path& rule : SortedEntries(path, &error)) {
      if (rule.extension() == ".json") ReadRuleFile(rule, family, files, diags);
    }
  }
  if (error) {
    diags->push_back(FileDiag(dir, "R005", fmt::format("cannot read the rules there: {}", error.message()),
                              "give the folder that holds evidence/, settings/, ..."));
  }
}

// The embedded files and those of `dir`, which replace what has the same family and id, in order of family and id.
std::vector<RuleFile> CollectFiles(const std::string& dir, std::vector<Diag>* diags) {
  std::vector<RuleFile> files;
  if (!dir.empty()) ReadRuleFolder(dir, &files, diags);
  const std::span<const RuleFile> embedded = EmbeddedRuleFiles();
  files.insert(files.end(), embedded.begin(), embedded.end());
  const auto key = [](const RuleFile& file) { return std::tie(file.family, file.id); };
  // Stable: of two with one key the one from `dir` stands first and is kept.
  std::stable_sort(files.begin(), files.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  files.erase(std::unique(files.begin(), files.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
              files.end());
  return files;
}

bool CheckId(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  const RuleNode* id = root.Find("id");
  if (!id || id->kind != RuleNode::Kind::kString || id->string == file.id) return true;
  diags->push_back(RuleDiag(file, id->line, id->column, "R006",
                            fmt::format("id \"{}\" is not the file's name \"{}\"", id->string, file.id),
                            fmt::format("write \"id\": \"{}\", or rename the file", file.id)));
  return false;
}

}  // namespace

std::vector<std::string> RuleFamilies() {
  std::vector<std::string> names;
  for (const Family& family : kFamilies) names.push_back(family.name);
  return names;
}

const SettingRule* RuleSet::Setting(std::string_view name) const {
  for (const SettingRule& rule : settings) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

absl::StatusOr<RuleSet> LoadRules(const std::string& dir, bool check_samples, std::vector<Diag>* diags) {
  const size_t before = diags->size();
  RuleSet rules;
  rules.files = CollectFiles(dir, diags);
  for (RuleFile& file : rules.files) file.trusted = file.trusted && !check_samples;
  RuleNode root;
  for (const RuleFile& file : rules.files) {
    if (!ParseRuleFile(file, &root, diags) || !CheckId(file, root, diags)) continue;
    FindFamily(file.family)->load(file, root, check_samples || !file.trusted, &rules, diags);
  }
  if (check_samples || !dir.empty()) CheckSettingClashes(rules.settings, rules.files, diags);
  const auto errors = std::count_if(diags->begin() + static_cast<std::ptrdiff_t>(before), diags->end(),
                                    [](const Diag& diag) { return diag.level == Diag::Level::kError; });
  if (errors > 0) {
    return absl::InvalidArgumentError(
        ToAbsl(fmt::format("{} {} in the rules{}{}; see `autotune-scan rules check {}`", errors,
                           errors == 1 ? "error" : "errors", dir.empty() ? "" : " of ", dir, dir)));
  }
  rules.line_program = std::make_shared<const LineProgram>(rules);
  return rules;
}

}  // namespace autotune
