#include "analyzer/machine/folder_check.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "analyzer/base/text.h"
#include "analyzer/cache/inspect.h"
#include "analyzer/manifest/manifest.h"
#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

// The folder that a job here uses: the variable's where it is set, else the recorded one.
struct Folder {
  std::string path;   // as written
  std::string plain;  // "~" and $HOME filled in
  const Fact* fact = nullptr;
};

Folder FolderOf(const FolderCheck& check, const SettingRule& setting) {
  Folder folder;
  folder.fact = FindFact(check.manifest, setting.name);
  folder.path = check.machine.Read(setting).value.value_or("");
  if (folder.path.empty() && folder.fact && !folder.fact->not_set) folder.path = folder.fact->value;
  folder.plain = folder.path;
  const std::string home = check.machine.environment().Value("HOME");
  for (const std::string_view name : {"${HOME}", "$HOME", "~"}) {
    if (folder.plain.compare(0, name.size(), name) == 0 && (!home.empty() || !check.machine.root().is_this_machine()))
      folder.plain.replace(0, name.size(), home.empty() ? "/root" : home);
  }
  return folder;
}

CheckItem ItemFor(const SettingRule& setting, const Fact* fact, std::string name) {
  CheckItem item;
  item.item = std::move(name);
  item.setting = setting.name;
  item.harmless = setting.effect == "none";
  if (fact) {
    item.manifest = fact->not_set ? "" : fact->value;
    item.manifest_line = fact->line;
  }
  return item;
}

void Add(const FolderCheck& check, CheckItem item, CheckItem::State state, std::string message, std::string fix = "") {
  item.state = state;
  item.message = std::move(message);
  item.fix = std::move(fix);
  check.items->push_back(std::move(item));
}

// --- is it there, can it be used ------------------------------------------------------------------------------------

// What this process may do; in another root, whose users are not ours, what anybody may.
struct Access {
  bool read = false, write = false;
};

Access AccessTo(const Root& root, const std::string& here) {
  if (root.is_this_machine()) return {access(here.c_str(), R_OK | X_OK) == 0, access(here.c_str(), W_OK) == 0};
  struct stat status {};
  if (stat(here.c_str(), &status) != 0) return {};
  return {(status.st_mode & 0444) != 0 && (status.st_mode & 0111) != 0, (status.st_mode & 0222) != 0};
}

// The rules of `manifest lint` say which folders a restart wipes.
std::optional<Problem> LintFolder(const FolderCheck& check, const SettingRule& setting, const std::string& path) {
  Manifest alone;
  Fact fact;
  fact.setting = setting.name;
  fact.value = fact.raw = path;
  alone.facts.push_back(std::move(fact));
  for (Problem& problem : LintManifest(alone, "", check.rules)) {
    if (problem.setting == setting.name) return std::move(problem);
  }
  return std::nullopt;
}

bool SpeaksOfAVolume(const Fact* fact) {
  static const RE2& words = *new RE2(R"((?i)\b(?:pvc|pv|persistent|volume|nfs|lustre|ceph|efs|ebs|filestore|weka)\b)");
  return fact != nullptr && RE2::PartialMatch(fact->raw, words);
}

std::string MountWords(const Mount& mount) {
  return fmt::format("on {} ({}, mounted at {})", mount.IsLayer() ? "the container's own layer" : mount.device,
                     mount.type, mount.folder);
}

// Whether the file system outlives a restart; `item` is filled in and reported when it does not.
bool IsKept(const FolderCheck& check, const SettingRule& setting, const Folder& folder, const std::string& inside,
            const std::optional<Mount>& mount, CheckItem* item) {
  const std::string& recorded = folder.fact ? folder.fact->value : folder.path;
  if (mount && mount->InMemory()) {
    Add(check, std::move(*item), CheckItem::State::kDiffers,
        fmt::format("{} lies {}: a file system in memory is empty after a restart", inside, MountWords(*mount)),
        fmt::format("mount a volume at {}, or unpack the recorded cache there at each start", folder.path));
    return false;
  }
  const bool volume = mount && !mount->IsLayer() && mount->folder != "/";
  for (const std::string& path : {folder.path, inside}) {
    const std::optional<Problem> wiped = LintFolder(check, setting, path);
    if (!wiped || (volume && wiped->severity == Problem::Severity::kError)) continue;
    Add(check, std::move(*item), CheckItem::State::kDiffers, wiped->message, wiped->fix);
    return false;
  }
  if (mount && !volume && SpeaksOfAVolume(folder.fact)) {
    Add(check, std::move(*item), CheckItem::State::kDiffers,
        fmt::format("the manifest says \"{}\", and {} lies {}", folder.fact->raw, inside, MountWords(*mount)),
        fmt::format("mount the recorded volume so that {} is on it", recorded));
    return false;
  }
  return true;
}

std::string UnpackFix(const Folder& folder) {
  return fmt::format("unpack the recorded cache to {}, or mount the volume that holds it there", folder.path);
}

// The folder where it is and can be used; nothing when that is not so, which is then reported.
std::optional<Root::Place> UsableFolder(const FolderCheck& check, const SettingRule& setting, const Folder& folder) {
  const Root& root = check.machine.root();
  CheckItem item = ItemFor(setting, folder.fact, setting.name + " folder");
  item.observed = folder.path;
  using State = CheckItem::State;
  if (folder.plain.empty() || folder.plain[0] != '/') {
    item.observed.reset();
    const std::optional<Problem> fault = LintFolder(check, setting, folder.plain);
    const bool relative = fault && folder.plain.find('$') == std::string::npos;
    Add(check, std::move(item), relative ? State::kDiffers : State::kUntold,
        relative ? fault->message : fmt::format("which folder \"{}\" is cannot be told here", folder.path),
        relative ? fault->fix : "");
    return std::nullopt;
  }
  const std::optional<Root::Place> place = root.Find(folder.plain);
  const std::optional<Mount> mount = check.machine.mounts().Of(place ? place->inside : folder.plain);
  if (place) item.where = place->inside;
  if (!IsKept(check, setting, folder, place ? place->inside : folder.plain, mount, &item)) return place;
  if (!place || !root.IsFolder(folder.plain)) {
    const char* elsewhere =
        root.is_this_machine() ? "" : "; a volume that is mounted when the pod starts is not seen here";
    Add(check, std::move(item), State::kDiffers,
        place ? fmt::format("{} is no folder", folder.path) : fmt::format("there is no {}{}", folder.path, elsewhere),
        UnpackFix(folder));
    return std::nullopt;
  }
  if (root.List(folder.plain).empty()) {
    const bool mounted = mount && mount->folder == place->inside;
    Add(check, std::move(item), State::kDiffers,
        fmt::format(
            "{} is empty{}", folder.path,
            mounted ? fmt::format(": {} is mounted over it and hides what the image holds", mount->device) : ""),
        UnpackFix(folder));
    return std::nullopt;
  }
  const Access access = AccessTo(root, place->here);
  if (!access.read || !access.write || (mount && mount->read_only)) {
    Add(check, std::move(item), State::kDiffers,
        fmt::format("{} cannot be {}{}", folder.path, access.read ? "written" : "read",
                    access.read && mount && mount->read_only ? ": its volume is mounted read-only"
                    : access.read ? ": what this run compiles is not kept, and torch may fail to write its locks"
                                  : ""),
        fmt::format("chmod -R u+rwX {}  # as its owner, or chown it to the user of the job", folder.path));
    if (!access.read) return std::nullopt;
    return place;
  }
  std::string note = mount ? MountWords(*mount) : "";
  if (mount && mount->IsLayer()) note += "; what the image holds is back after a restart, what was written is not";
  if (place->inside != folder.plain)
    note = fmt::format("a link to {}{}{}", place->inside, note.empty() ? "" : ", ", note);
  Add(check, std::move(item), State::kOk, note);
  return place;
}

// --- what it holds --------------------------------------------------------------------------------------------------

// The row of Cache Statistics for this folder: by its name, else by the kind of cache.
const Fact* CountOf(const Manifest& manifest, const std::string& path, std::string_view kind) {
  constexpr std::string_view kFiles = "cache_files:";
  const std::string normal = NormalPath(path);
  const std::string base = normal.substr(normal.rfind('/') + 1);
  const Fact* of_kind = nullptr;
  for (const Fact& fact : manifest.facts) {
    if (fact.not_set || fact.setting.compare(0, kFiles.size(), kFiles) != 0) continue;
    const std::string name = fact.setting.substr(kFiles.size());
    if (name == base) return &fact;
    if (name.find(kind) != std::string::npos && of_kind == nullptr) of_kind = &fact;
  }
  return of_kind;
}

void CheckCount(const FolderCheck& check, const SettingRule& setting, const Folder& folder, const CacheReport& report,
                bool inductor) {
  const Fact* recorded =
      CountOf(check.manifest, folder.fact ? folder.fact->value : folder.path, inductor ? "inductor" : "triton");
  const auto files =
      std::find_if(report.facts.begin(), report.facts.end(), [](const Fact& fact) { return fact.setting == "files"; });
  if (!recorded || files == report.facts.end()) return;
  const std::optional<int64_t> wanted = FirstInteger(recorded->value), found = FirstInteger(files->value);
  if (!wanted || !found) return;
  CheckItem item = ItemFor(setting, recorded, fmt::format("{} files", setting.name));
  item.observed = files->value;
  item.where = folder.path;
  using State = CheckItem::State;
  if (*found < *wanted) {
    return Add(check, std::move(item), State::kDiffers,
               fmt::format("{} holds {} of the {} files that were recorded", folder.path, *found, *wanted),
               UnpackFix(folder));
  }
  Add(check, std::move(item), State::kOk,
      *found == *wanted ? ""
                        : fmt::format("{} files more than recorded: runs since then wrote them", *found - *wanted));
}

// What `cache` warns of, but what makes every problem miss.
bool MakesMisses(const Problem& problem) {
  return problem.severity == Problem::Severity::kError || problem.id == "cache-no-tuning-file" ||
         problem.id == "cache-no-entries" || problem.id == "cache-not-as-recorded";
}

void CheckWhole(const FolderCheck& check, const SettingRule& setting, const Folder& folder, const CacheReport& report,
                bool inductor) {
  CheckItem item = ItemFor(setting, folder.fact, setting.name + " contents");
  item.observed = folder.path;
  item.where = folder.path;
  using State = CheckItem::State;
  if (!report.status.ok()) return Add(check, std::move(item), State::kUntold, std::string(report.status.message()));
  const Problem* worst = nullptr;
  size_t faults = 0, warnings = 0;
  for (const Problem& problem : report.problems) {
    // Triton's own folder holds no tuning results.
    if (!inductor && problem.severity != Problem::Severity::kError) continue;
    ++(MakesMisses(problem) ? faults : warnings);
    if (MakesMisses(problem) && worst == nullptr) worst = &problem;
  }
  if (worst != nullptr) {
    return Add(check, std::move(item), State::kDiffers,
               faults == 1 ? worst->message : fmt::format("{}; {} faults more", worst->message, faults - 1),
               worst->fix);
  }
  Add(check, std::move(item), State::kOk,
      warnings == 0 ? "" : fmt::format("{} warnings: autotune-scan cache {}", warnings, folder.path));
}

}  // namespace

void CheckCacheFolder(const FolderCheck& check, const SettingRule& setting, bool inductor) {
  const Folder folder = FolderOf(check, setting);
  // Neither set here nor recorded: torch's own folder, which the manifest then means.
  if (folder.path.empty()) return;
  const std::optional<Root::Place> place = UsableFolder(check, setting, folder);
  if (!place || !check.machine.root().IsFolder(folder.plain)) return;
  // Counts are of the archive that was recorded, this is one folder of it.
  Manifest machine_alone = check.manifest;
  machine_alone.facts.erase(
      std::remove_if(machine_alone.facts.begin(), machine_alone.facts.end(),
                     [](const Fact& fact) { return fact.setting.find(':') != std::string::npos; }),
      machine_alone.facts.end());
  const absl::StatusOr<CacheReport> report =
      InspectCache(place->here, inductor ? &machine_alone : nullptr, check.rules);
  if (!report.ok()) {
    CheckItem item = ItemFor(setting, folder.fact, setting.name + " contents");
    return Add(check, std::move(item), CheckItem::State::kUntold, std::string(report.status().message()));
  }
  CheckCount(check, setting, folder, *report, inductor);
  CheckWhole(check, setting, folder, *report, inductor);
}

void CheckCkFolder(const FolderCheck& check, const SettingRule& setting, const std::string& module) {
  const Folder folder = FolderOf(check, setting);
  if (folder.path.empty()) return;
  const Root& root = check.machine.root();
  CheckItem item = ItemFor(setting, folder.fact, setting.name + " folder");
  item.observed = folder.path;
  using State = CheckItem::State;
  const std::optional<std::string> installed = check.machine.packages().ModuleFolder(module);
  const std::optional<Root::Place> place = root.Find(folder.plain),
                                   package = installed ? root.Find(*installed) : std::nullopt;
  const std::string fix = installed ? fmt::format("export {}={}", setting.name, *installed)
                                    : fmt::format("install {}, and point {} at its folder", module, setting.name);
  if (place) item.where = place->inside;
  if (!place || !root.IsFolder(folder.plain))
    return Add(check, std::move(item), State::kDiffers, fmt::format("there is no folder {}", folder.path), fix);
  if (package && package->inside != place->inside) {
    return Add(check, std::move(item), State::kDiffers,
               fmt::format("{} is not the folder of the installed {} ({}): torch 2.5 to 2.9 then leave CK out",
                           folder.path, module, *installed),
               fix);
  }
  for (const char* part : {"/include", "/library"}) {
    if (root.IsFolder(folder.plain + part)) continue;
    return Add(check, std::move(item), State::kDiffers,
               fmt::format("{} has no folder {}: it is no root of Composable Kernel", folder.path, part + 1), fix);
  }
  Add(check, std::move(item), State::kOk, "");
}

void CheckLink(const FolderCheck& check, const SettingRule& setting, const std::string& module, const std::string& path,
               uint64_t line) {
  const Root& root = check.machine.root();
  const Fact* fact = FindFact(check.manifest, setting.name);
  CheckItem item = ItemFor(setting, fact, fmt::format("{} {}", module, path));
  if (line > 0) item.manifest_line = line;
  using State = CheckItem::State;
  const std::optional<std::string> installed = check.machine.packages().ModuleFolder(module);
  const bool wanted = fact != nullptr && !fact->not_set;
  if (!installed) {
    if (!check.machine.packages().found())
      return Add(check, std::move(item), State::kUntold, check.machine.packages().Version(module).why);
    if (wanted)
      return Add(check, std::move(item), State::kDiffers, fmt::format("{} is not installed", module),
                 fmt::format("install {} {} as the build had it", module, fact->value));
    if (line == 0) return;
    return Add(check, std::move(item), State::kOk, fmt::format("{} is not installed, and not recorded", module));
  }
  const std::string full = fmt::format("{}/{}", *installed, path);
  item.where = full;
  if (!root.Find(full)) {
    // Find() follows links, so a link that leads nowhere is looked for by its name.
    const std::vector<std::string> names = root.List(full.substr(0, full.rfind('/')));
    const bool dangling = std::find(names.begin(), names.end(), full.substr(full.rfind('/') + 1)) != names.end();
    return Add(check, std::move(item), State::kDiffers,
               dangling ? fmt::format("{} is a link that leads nowhere", full) : fmt::format("there is no {}", full),
               fmt::format("ln -sfn PATH_OF_COMPOSABLE_KERNEL/{} {}", path, full));
  }
  item.observed = full;
  if (!root.IsFolder(full) || root.List(full).empty()) {
    return Add(check, std::move(item), State::kDiffers,
               fmt::format("{} holds nothing, so that no instance of CK can be listed", full),
               fmt::format("ln -sfn PATH_OF_COMPOSABLE_KERNEL/{} {}", path, full));
  }
  Add(check, std::move(item), State::kOk, "");
}

}  // namespace autotune
