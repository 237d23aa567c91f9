#include "analyzer/audit/manifest_shelf.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "analyzer/manifest/manifest.h"

namespace autotune {
namespace {

std::string_view BaseName(std::string_view path) { return path.substr(path.find_last_of("/!") + 1); }

std::string_view Stem(std::string_view path) {
  const std::string_view name = BaseName(path);
  return name.substr(0, name.find('.'));
}

bool SaysManifest(std::string_view path) {
  std::string name(BaseName(path));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  return name.find("manifest") != std::string::npos;
}

bool ReadsAsManifest(const Manifest& manifest) {
  if (manifest.facts.empty()) return false;
  if (SaysManifest(manifest.path)) return true;
  std::set<std::string_view> settings;
  for (const Fact& fact : manifest.facts) {
    if (!fact.from_checklist) settings.insert(fact.setting);
  }
  return settings.size() >= ManifestShelf::kLeastSettings;
}

}  // namespace

ManifestShelf::ManifestShelf(const FoundFiles& found, const RuleSet& rules) {
  for (const auto& [folder, files] : found.markdown) {
    for (const std::string& path : files) {
      absl::StatusOr<Manifest> manifest = ReadManifest(path, rules);
      if (manifest.ok()) Put(folder, *std::move(manifest));
    }
  }
}

void ManifestShelf::Put(const std::string& folder, Manifest manifest) {
  if (!ReadsAsManifest(manifest)) return;
  by_folder_[folder].push_back(manifest.path);
  std::string path = manifest.path;
  manifests_.emplace(std::move(path), std::move(manifest));
}

absl::Status ManifestShelf::Add(const std::string& path, const RuleSet& rules) {
  absl::StatusOr<Manifest> manifest = ReadManifest(path, rules);
  if (!manifest.ok()) return manifest.status();
  manifests_.emplace(path, *std::move(manifest));
  return absl::OkStatus();
}

std::string ManifestShelf::Nearest(const FoundFile& file, bool* ambiguous) const {
  *ambiguous = false;
  std::string folder = file.folder;
  while (true) {
    const auto here = by_folder_.find(folder);
    if (here != by_folder_.end()) {
      const std::vector<std::string>& manifests = here->second;
      if (manifests.size() == 1) return manifests[0];
      for (const std::string& path : manifests) {
        if (Stem(path) == Stem(file.path)) return path;
      }
      *ambiguous = true;
      return "";
    }
    if (folder.size() <= file.top.size()) return "";
    const size_t slash = folder.rfind('/');
    folder.resize(slash == std::string::npos ? file.top.size() : std::max(slash, file.top.size()));
  }
}

}  // namespace autotune
