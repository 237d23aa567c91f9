#include "analyzer/input/decoder.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

const char* Name(Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return "gzip";
    case Compression::kZstd:
      return "zstd";
    case Compression::kXz:
      return "xz";
    case Compression::kBzip2:
      return "bzip2";
    case Compression::kLz4:
      return "lz4";
    case Compression::kNone:
      break;
  }
  return "plain";
}

// libarchive with this one filter and no archive format.
class ArchiveDecoder : public Decoder {
 public:
  ArchiveDecoder(Compression compression, Source* raw)
      : raw_(raw), compression_(compression), archive_(archive_read_new(), archive_read_free) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    if (!opened_) Open();
    while (status_.ok() && block_.empty() && !ended_) NextBlock();
    if (!status_.ok()) return status_;
    const size_t n = std::min(size, block_.size());
    if (n > 0) std::memcpy(buffer, block_.data(), n);
    block_.remove_prefix(n);
    return n;
  }

 private:
  // libarchive asks for compressed bytes here.
  static la_ssize_t Feed(archive*, void* self, const void** bytes) {
    auto* decoder = static_cast<ArchiveDecoder*>(self);
    absl::StatusOr<size_t> n = decoder->raw_->Read(decoder->input_, sizeof decoder->input_);
    if (!n.ok()) {
      decoder->raw_status_ = n.status();
      return -1;
    }
    *bytes = decoder->input_;
    return static_cast<la_ssize_t>(*n);
  }

  int EnableFilter() {
    switch (compression_) {
      case Compression::kGzip:
        return archive_read_support_filter_gzip(archive_.get());
      case Compression::kZstd:
        return archive_read_support_filter_zstd(archive_.get());
      case Compression::kXz:
        return archive_read_support_filter_xz(archive_.get());
      case Compression::kBzip2:
        return archive_read_support_filter_bzip2(archive_.get());
      case Compression::kLz4:
        return archive_read_support_filter_lz4(archive_.get());
      case Compression::kNone:
        break;
    }
    return ARCHIVE_FATAL;
  }

  void Open() {
    opened_ = true;
    archive_read_support_format_raw(archive_.get());
    archive_read_support_format_empty(archive_.get());
    if (EnableFilter() != ARCHIVE_OK || archive_read_open(archive_.get(), this, nullptr, Feed, nullptr) != ARCHIVE_OK) {
      return Fail();
    }
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(archive_.get(), &entry);
    if (result == ARCHIVE_EOF) {
      ended_ = true;
    } else if (result != ARCHIVE_OK) {
      Fail();
    }
  }

  void NextBlock() {
    const void* bytes = nullptr;
    size_t size = 0;
    la_int64_t offset = 0;
    const int result = archive_read_data_block(archive_.get(), &bytes, &size, &offset);
    if (result == ARCHIVE_EOF) {
      ended_ = true;
    } else if (result == ARCHIVE_OK || result == ARCHIVE_WARN) {
      block_ = std::string_view(static_cast<const char*>(bytes), size);
    } else {
      Fail();
    }
  }

  void Fail() {
    status_ = raw_status_.ok() ? BrokenData(*raw_, compression_, archive_error_string(archive_.get())) : raw_status_;
  }

  Source* const raw_;
  const Compression compression_;
  const std::unique_ptr<archive, int (*)(archive*)> archive_;
  std::string_view block_;  // decompressed and not yet handed over; libarchive owns the bytes
  absl::Status status_, raw_status_;
  bool opened_ = false, ended_ = false;
  char input_[64 << 10];
};

}  // namespace

absl::Status BrokenData(const Source& raw, Compression compression, const char* reason) {
  return absl::DataLossError(absl::StrCat(raw.name(), ": broken ", Name(compression), " data",
                                          reason == nullptr ? "" : absl::StrCat(" (", reason, ")"),
                                          "; what could be read was used; fetch the file again for the rest"));
}

std::unique_ptr<Decoder> MakeDecoder(Compression compression, Source* raw) {
  std::unique_ptr<Decoder> decoder = MakeStreamDecoder(compression, raw);
  return decoder != nullptr ? std::move(decoder) : std::make_unique<ArchiveDecoder>(compression, raw);
}

}  // namespace autotune
