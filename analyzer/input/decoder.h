// Takes the compression off a source's bytes.
//
// zlib, liblzma and libbz2 are used directly where their headers are there when we are built: logs that are cut short
// are the normal case here (a pod that was killed, a copy that broke off), and libarchive drops up to 64 KiB of output
// that it had decompressed already when it finds the end missing (archive_read_support_filter_gzip.c, _xz.c, _bzip2.c
// up to 3.7: the output block is filled before any of it is handed over), which may be the whole of a small log. It
// also takes a gzip member for good without looking at its checksum. zstd and lz4 are made of blocks that are of no use
// in part, so for these libarchive loses nothing, and it stands in for the others where their headers are missing.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>

#include "analyzer/input/source.h"

namespace autotune {

enum class Compression { kNone, kGzip, kZstd, kXz, kBzip2, kLz4 };

class Decoder {
 public:
  virtual ~Decoder() = default;
  // As Source::Read(), of the decompressed bytes. Members one after the other are one input. Bytes behind the last that
  // are no member and no padding are an error: they may be the rest of the log.
  virtual absl::StatusOr<size_t> Read(char* buffer, size_t size) = 0;
};

// `raw` must outlive the decoder and gives the bytes from the format's first one on. Not for kNone.
std::unique_ptr<Decoder> MakeDecoder(Compression compression, Source* raw);

// Of gzip, xz and bzip2; nullptr where it was built without their library.
std::unique_ptr<Decoder> MakeStreamDecoder(Compression compression, Source* raw);

// What a person reads of data that `raw` broke off in.
absl::Status BrokenData(const Source& raw, Compression compression, const char* reason);

}  // namespace autotune
