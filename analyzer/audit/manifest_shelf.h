// The manifests of an audit: one for all runs, or for each run the nearest Markdown file that reads as one.
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
  // Reads every Markdown file that was found. A document that only mentions a setting or two is no manifest: at least
  // kLeastSettings distinct ones must stand in it, or its name must say that it is one.
  ManifestShelf(const FoundFiles& found, const RuleSet& rules);

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

  static constexpr size_t kLeastSettings = 3;

 private:
  std::map<std::string, std::vector<std::string>> by_folder_;
  std::map<std::string, Manifest> manifests_;
};

}  // namespace autotune
