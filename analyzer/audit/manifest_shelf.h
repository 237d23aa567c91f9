// The manifests of an audit: one for all runs, or for each run the nearest Markdown file that reads as one. A log
// inside an archive has those of the archive before those that lie beside it.
#pragma once

#include <absl/status/status.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "analyzer/audit/walk.h"
#include "analyzer/model/evidence.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

class ManifestShelf {
 public:
  ManifestShelf() = default;
  // Reads every Markdown file that was found.
  ManifestShelf(const FoundFiles& found, const RuleSet& rules);

  // Keeps `manifest` for the logs in and below `folder`, if it is one: a document that only mentions a setting or two
  // is none. At least kLeastSettings distinct ones must stand in it, or its name must say that it is one.
  void Put(const std::string& folder, Manifest manifest);

  // The path of the manifest in the file's folder or the nearest above it, up to the given one; "" when there is none.
  // Several in one folder: the one called like the log ("train.md" of train.log), else none, and `ambiguous` is set: a
  // run judged by another's manifest would be blamed wrongly.
  std::string Nearest(const FoundFile& file, bool* ambiguous) const;

  // The one given for all runs; an error when it is none.
  absl::Status Add(const std::string& path, const RuleSet& rules);

  // What was read of it; null when `path` is no manifest.
  const Manifest* Find(const std::string& path) const {
    const auto found = manifests_.find(path);
    return found == manifests_.end() ? nullptr : &found->second;
  }

  size_t size() const { return manifests_.size(); }

  static constexpr size_t kLeastSettings = 3;

 private:
  std::map<std::string, std::vector<std::string>> by_folder_;
  std::map<std::string, Manifest> manifests_;
};

}  // namespace autotune
