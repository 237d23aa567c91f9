// Which files an audit reads, and which manifest lies nearest to each: folders walked in name order.
//
// Left out of a folder: hidden names (.git and its like), what `.autotuneignore` files say (gitignore's language: `#`
// comments, `!` takes back, a trailing `/` means folders, a `/` elsewhere ties the pattern to the file's own folder,
// `*` `?` `[...]` within one name, `**` across folders; the last matching line counts, nearer files after farther
// ones), and pipes, sockets and devices. A symbolic link is followed unless what it points at was found already. What
// is named on the command line is read whatever its name.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace autotune {

struct FoundFile {
  std::string path;    // as it is shown: the given path, and the way down from it
  std::string folder;  // key of `markdown` where the search for the nearest one begins
  std::string top;     // and where it ends: the given folder
  uint64_t bytes = 0;
  bool named = false;  // on the command line, or in a list of paths
};

struct FoundFiles {
  std::vector<FoundFile> files;                              // in byte order of their paths, none twice
  std::map<std::string, std::vector<std::string>> markdown;  // folder -> the *.md files in it, in name order
  std::vector<absl::Status> errors;                          // what could not be opened
  uint64_t ignored = 0;                                      // names left out by the rules above
};

FoundFiles FindFiles(const std::vector<std::string>& paths);

// Whether one line of an ignore file (without its "!") matches a path relative to the folder of that file.
bool IgnorePatternMatches(const std::string& pattern, const std::string& relative_path, bool is_folder);

}  // namespace autotune
