// Which file system a folder lies on, from /proc/self/mounts (of an unpacked root: its own proc/mounts, where it has
// one).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/machine/root.h"

namespace autotune {

struct Mount {
  std::string device, folder, type;  // "nas:/cache", "/workspace", "nfs4"
  bool read_only = false;

  // Emptied when the container goes, whoever filled it: memory.
  bool InMemory() const { return type == "tmpfs" || type == "ramfs"; }
  // The container's own layer: what its image holds is back after a restart, what was written is not.
  bool IsLayer() const { return type == "overlay" || type == "aufs" || type == "fuse.fuse-overlayfs"; }
};

class Mounts {
 public:
  explicit Mounts(const Root& root);
  // The mount that `path` (links followed) lies on; nothing when it cannot be told.
  std::optional<Mount> Of(std::string_view path) const;

 private:
  std::vector<Mount> mounts_;  // in the order of mounting: later ones hide earlier ones
};

}  // namespace autotune
