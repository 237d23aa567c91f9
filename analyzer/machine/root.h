// A root file system to look at: this machine's own, or another's below a folder (an image unpacked, a container's root
// below /proc/PID/root). Links are followed as a process inside that root would follow them, so an absolute link never
// leads out of the folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

class Root {
 public:
  // "" and "/" are this machine.
  explicit Root(std::string folder = "");

  bool is_this_machine() const { return folder_.empty(); }
  const std::string& folder() const { return folder_; }

  // Where `path` of the root lies, with links followed; both are empty when there is no such thing.
  struct Place {
    std::string inside;  // "/data/cache" in the root
    std::string here;    // the same as this process opens it
  };
  std::optional<Place> Find(std::string_view path) const;

  bool IsFile(std::string_view path) const;
  bool IsFolder(std::string_view path) const;
  // A text file's content; nothing when it is not there, not readable or larger than `most` bytes.
  std::optional<std::string> Read(std::string_view path, size_t most = 4 << 20) const;
  // Names in a folder, sorted, without hidden ones; empty when there is none.
  std::vector<std::string> List(std::string_view path) const;
  // Paths that match a pattern in which "*" stands for a part of one name: "/opt/*/lib/python3*/site-packages".
  std::vector<std::string> Glob(std::string_view pattern) const;

 private:
  std::string folder_;
};

// Whether `text` fits a pattern with "*" for any bytes.
bool FitsGlob(std::string_view pattern, std::string_view text);

}  // namespace autotune
