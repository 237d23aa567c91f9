// The files of a recorded cache, one after the other: a folder, or an archive (tar plain or compressed with gzip, zstd,
// xz, lz4, bzip2, compress or lzip; zip) read in place. Nothing is unpacked, nothing is written: names of members are
// data. One file is in memory at a time, and of that only what the visitor asks for, so an archive of any size costs
// the same.
//
// Errors: no such path, no permission, not an archive; an archive that is cut or damaged ends the walk with a status
// after all members before the damage were visited.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace autotune {

// One file. `name` has '/' between its parts and no "./" before it; it may hold any byte but NUL.
class CacheFile {
 public:
  virtual ~CacheFile() = default;
  virtual const std::string& name() const = 0;
  virtual uint64_t size() const = 0;  // as the folder or archive states it
  // The content, read now; at most once a file. An error when it is larger than `limit` bytes, cut or unreadable.
  absl::Status Read(size_t limit, std::string* content);
  // The same in pieces, for content of any size.
  virtual absl::Status Stream(const std::function<void(std::string_view piece)>& use) = 0;
};

// `visit` returns false to end the walk (which is no error). Files of a folder come in name order, those of an archive
// in its own; links and special files are left out.
absl::Status WalkCache(const std::string& path, const std::function<bool(CacheFile&)>& visit);

}  // namespace autotune
