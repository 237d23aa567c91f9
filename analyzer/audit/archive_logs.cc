#include "analyzer/audit/archive_logs.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

constexpr size_t kReadAtATime = size_t{1} << 18;

using Archive = std::unique_ptr<archive, int (*)(archive*)>;

std::string Why(archive* handle) {
  const char* what = archive_error_string(handle);
  return what ? what : "unknown format";
}

class MemberSource : public Source {
 public:
  MemberSource(archive* handle, std::string name) : handle_(handle), name_(std::move(name)) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    while (rest_.empty()) {
      const void* block = nullptr;
      size_t length = 0;
      la_int64_t offset = 0;
      const int result = archive_read_data_block(handle_, &block, &length, &offset);
      if (result == ARCHIVE_EOF) return 0;
      if (result == ARCHIVE_RETRY) continue;
      if (result < ARCHIVE_WARN) {
        return absl::DataLossError(ToAbsl(
            fmt::format("{}: the archive is cut or damaged ({}); what came before it was used", name_, Why(handle_))));
      }
      rest_ = std::string_view(static_cast<const char*>(block), length);
    }
    const size_t n = std::min(size, rest_.size());
    std::memcpy(buffer, rest_.data(), n);
    rest_.remove_prefix(n);
    return n;
  }
  const std::string& name() const override { return name_; }
  bool compressed() const override { return true; }
  int fd() const override { return -1; }
  bool may_wait() const override { return false; }

 private:
  archive* handle_;
  const std::string name_;
  std::string_view rest_;  // libarchive's own memory, good until the next block is asked for
};

std::string MemberName(archive_entry* entry) {
  const char* name = archive_entry_pathname(entry);
  if (!name) name = archive_entry_pathname_utf8(entry);
  std::string out = name ? name : "";
  while (out.compare(0, 2, "./") == 0) out.erase(0, 2);
  return out;
}

}  // namespace

bool IsArchive(std::string_view head) {
  // A zip begins with a member, or with its directory when it has none; POSIX and GNU tar carry a word at 257.
  return head.substr(0, 4) == "PK\x03\x04" || head.substr(0, 4) == "PK\x05\x06" ||
         (head.size() >= 512 && head.substr(257, 5) == "ustar");
}

absl::Status ForEachMember(const std::string& path, const std::function<bool(std::unique_ptr<Source>)>& visit) {
  const Archive handle(archive_read_new(), &archive_read_free);
  archive* const a = handle.get();
  if (!a) return absl::UnavailableError(ToAbsl(path + ": archives cannot be read here; install libarchive"));
  // By name: libarchive's "all" would run programs of the host for some magic numbers.
  archive_read_support_filter_none(a);
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_zstd(a);
  archive_read_support_filter_xz(a);
  archive_read_support_filter_lz4(a);
  archive_read_support_filter_bzip2(a);
  archive_read_support_format_tar(a);
  archive_read_support_format_zip(a);
  if (archive_read_open_filename(a, path.c_str(), kReadAtATime) != ARCHIVE_OK) {
    return absl::DataLossError(ToAbsl(fmt::format("{}: no archive that can be read: {}", path, Why(a))));
  }
  while (true) {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(a, &entry);
    if (result == ARCHIVE_EOF) return absl::OkStatus();
    if (result == ARCHIVE_RETRY) continue;
    if (result < ARCHIVE_WARN) {
      return absl::DataLossError(
          ToAbsl(fmt::format("{}: the archive is cut or damaged ({}); what stands before was read", path, Why(a))));
    }
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr) continue;
    auto member = std::make_unique<MemberSource>(a, path + "!" + MemberName(entry));
    if (!visit(Decompressed(std::move(member)))) return absl::OkStatus();
  }
}

}  // namespace autotune
