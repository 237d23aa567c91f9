// The compressions and archive formats that are read in place. Named one by one: libarchive's "all" would run programs
// of the host for some magic numbers.
#pragma once

#include <archive.h>

namespace autotune {

inline void SupportFilters(archive* handle) {
  archive_read_support_filter_none(handle);
  archive_read_support_filter_gzip(handle);
  archive_read_support_filter_zstd(handle);
  archive_read_support_filter_xz(handle);
  archive_read_support_filter_lzma(handle);
  archive_read_support_filter_lz4(handle);
  archive_read_support_filter_bzip2(handle);
  archive_read_support_filter_compress(handle);
  archive_read_support_filter_lzip(handle);
}

inline void SupportFormats(archive* handle) {
  archive_read_support_format_tar(handle);
  archive_read_support_format_zip(handle);
}

}  // namespace autotune
