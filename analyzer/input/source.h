// Bytes of one input: a file, a pipe or standard input, decompressed by content (gzip, zstd, xz, bzip2, lz4), read in
// constant memory. No mmap: logs are truncated while they are read, and one path serves files and endless streams
// alike.
//
// What a format is called does not matter: the first bytes decide, so `train.log` may be zstd and `train.log.gz` plain
// text. Concatenated members (`cat a.gz b.gz`, rotated logs) are read through. libarchive does the decompression.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <string>

namespace autotune {

class Source {
 public:
  virtual ~Source() = default;
  // Up to `size` bytes into `buffer`; 0 at the end. Never waits for more than the first byte: what a pipe has is handed
  // over at once. An error (broken compressed data, I/O) comes after all bytes that could be read.
  virtual absl::StatusOr<size_t> Read(char* buffer, size_t size) = 0;
  virtual const std::string& name() const = 0;  // the path as given, "-" for standard input
  virtual bool compressed() const = 0;
  // Of an uncompressed regular file, from its current offset on (for parallel reads), else -1. Owned by the source.
  virtual int fd() const = 0;
  // Read() may wait for somebody else, as at a pipe. Only what never does is read ahead by another thread: a reader
  // that waits could not be stopped.
  virtual bool may_wait() const { return true; }
};

// `path` "-" is standard input. Waits for the first bytes of a pipe, which decide whether it is compressed. Errors: no
// such file, no permission, a directory; each says what, where and what to do.
absl::StatusOr<std::unique_ptr<Source>> OpenSource(const std::string& path);

// `raw` without the compression that its first bytes show: of a log inside an archive. `raw` itself where there is
// none.
std::unique_ptr<Source> Decompressed(std::unique_ptr<Source> raw);

// read(2) of `name` failed with `error` (errno).
absl::Status ReadError(const std::string& name, int error);

}  // namespace autotune
