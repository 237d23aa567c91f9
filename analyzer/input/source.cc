#include "analyzer/input/source.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

// read(2) that outlives signals and descriptors somebody left non-blocking. 0 at the end, -1 with errno set on failure.
ssize_t ReadSome(int fd, char* buffer, size_t size) {
  while (true) {
    const ssize_t n = read(fd, buffer, size);
    if (n >= 0) return n;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    pollfd wait = {fd, POLLIN, 0};
    poll(&wait, 1, -1);
  }
}

absl::Status OpenError(const std::string& path, int error) {
  if (error == ENOENT) return absl::NotFoundError(absl::StrCat(path, ": no such file; check the path"));
  if (error == EACCES) {
    return absl::PermissionDeniedError(absl::StrCat(path, ": permission denied; make it readable for this user"));
  }
  return absl::UnavailableError(absl::StrCat(path, ": cannot be opened: ", std::strerror(error)));
}

// A file descriptor closed with its owner. Standard input is not ours to close.
class Descriptor {
 public:
  Descriptor(int fd, bool owned) : fd_(fd), owned_(owned) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)), owned_(other.owned_) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned_ && fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
  bool owned_;
};

// Bytes as they lie: those already taken to look for a compression format, then the descriptor's.
class PlainSource : public Source {
 public:
  PlainSource(std::string name, Descriptor fd, std::string taken, bool regular)
      : name_(std::move(name)), fd_(std::move(fd)), taken_(std::move(taken)), regular_(regular) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    if (!taken_.empty()) {
      const size_t n = std::min(size, taken_.size());
      std::memcpy(buffer, taken_.data(), n);
      taken_.erase(0, n);
      return n;
    }
    const ssize_t n = ReadSome(fd_.get(), buffer, size);
    if (n < 0) return ReadError(name_, errno);
    return static_cast<size_t>(n);
  }
  const std::string& name() const override { return name_; }
  bool compressed() const override { return false; }
  int fd() const override { return regular_ ? fd_.get() : -1; }
  bool may_wait() const override { return !regular_; }

 private:
  const std::string name_;
  const Descriptor fd_;
  std::string taken_;
  const bool regular_;
};

// A compression format by its first bytes, and how libarchive is told to expect it and nothing else.
struct Format {
  const char* name;
  std::string_view magic;
  int (*enable)(archive*);
};

// RFC 1952 2.3.1 (method 8 is the only one), RFC 8878 3.1.1, xz-file-format.txt 2.1.1.1, bzip2 ("BZh", then a level
// digit: checked below), lz4_Frame_format.md and its legacy form.
constexpr Format kFormats[] = {
    {"gzip", std::string_view("\x1f\x8b\x08", 3), archive_read_support_filter_gzip},
    {"zstd", std::string_view("\x28\xb5\x2f\xfd", 4), archive_read_support_filter_zstd},
    {"xz",
     std::string_view("\xfd"
                      "7zXZ\0",
                      6),
     archive_read_support_filter_xz},
    {"bzip2", std::string_view("BZh", 3), archive_read_support_filter_bzip2},
    {"lz4", std::string_view("\x04\x22\x4d\x18", 4), archive_read_support_filter_lz4},
    {"lz4", std::string_view("\x02\x21\x4c\x18", 4), archive_read_support_filter_lz4},
};
// "BZh9" could begin a line of text; the block header behind it could not.
constexpr size_t kTakeAtMost = 10;

enum class Match { kNo, kYes, kNeedsMore };

Match Matches(const Format& format, std::string_view head) {
  const size_t n = std::min(head.size(), format.magic.size());
  if (head.substr(0, n) != format.magic.substr(0, n)) return Match::kNo;
  if (head.size() < format.magic.size()) return Match::kNeedsMore;
  if (format.magic != "BZh") return Match::kYes;
  if (head.size() > 3 && (head[3] < '1' || head[3] > '9')) return Match::kNo;
  // A block (pi), or of an empty input the end of the stream (the square root of pi).
  for (const std::string_view next :
       {std::string_view("\x31\x41\x59\x26\x53\x59", 6), std::string_view("\x17\x72\x45\x38\x50\x90", 6)}) {
    const std::string_view rest = head.substr(std::min<size_t>(4, head.size()));
    if (next.substr(0, rest.size()) == rest.substr(0, next.size())) {
      return head.size() >= kTakeAtMost ? Match::kYes : Match::kNeedsMore;
    }
  }
  return Match::kNo;
}

// The format of an input that begins with `head`, nullptr for plain text. `undecided`: more bytes could tell.
const Format* Detect(std::string_view head, bool* undecided) {
  *undecided = false;
  for (const Format& format : kFormats) {
    const Match match = Matches(format, head);
    if (match == Match::kYes) return &format;
    if (match == Match::kNeedsMore) *undecided = true;
  }
  return nullptr;
}

class CompressedSource : public Source {
 public:
  CompressedSource(std::unique_ptr<PlainSource> raw, const Format& format)
      : raw_(std::move(raw)), format_(format), archive_(archive_read_new(), archive_read_free) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    if (!status_.ok()) return status_;
    if (!opened_) Open();
    while (status_.ok() && block_.empty() && !ended_) NextBlock();
    if (block_.empty()) {
      if (!status_.ok()) return status_;
      return 0;
    }
    const size_t n = std::min(size, block_.size());
    std::memcpy(buffer, block_.data(), n);
    block_.remove_prefix(n);
    return n;
  }
  const std::string& name() const override { return raw_->name(); }
  bool compressed() const override { return true; }
  int fd() const override { return -1; }
  bool may_wait() const override { return raw_->may_wait(); }

 private:
  // libarchive asks for compressed bytes here.
  static la_ssize_t Feed(archive*, void* self, const void** bytes) {
    auto* source = static_cast<CompressedSource*>(self);
    absl::StatusOr<size_t> n = source->raw_->Read(source->input_, sizeof source->input_);
    if (!n.ok()) {
      source->input_status_ = n.status();
      return -1;
    }
    *bytes = source->input_;
    return static_cast<la_ssize_t>(*n);
  }

  void Open() {
    opened_ = true;
    archive_read_support_format_raw(archive_.get());
    archive_read_support_format_empty(archive_.get());
    format_.enable(archive_.get());
    archive_entry* entry = nullptr;
    if (archive_read_open(archive_.get(), this, nullptr, Feed, nullptr) != ARCHIVE_OK) return Fail();
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
    if (!input_status_.ok()) {
      status_ = input_status_;
      return;
    }
    const char* reason = archive_error_string(archive_.get());
    status_ = absl::DataLossError(absl::StrCat(name(), ": broken ", format_.name, " data",
                                               reason == nullptr ? "" : absl::StrCat(" (", reason, ")"),
                                               "; what could be read was used; fetch the file again for the rest"));
  }

  const std::unique_ptr<PlainSource> raw_;
  const Format& format_;
  const std::unique_ptr<archive, int (*)(archive*)> archive_;
  std::string_view block_;  // decompressed and not yet handed over; libarchive owns the bytes
  absl::Status status_, input_status_;
  bool opened_ = false, ended_ = false;
  char input_[64 << 10];
};

}  // namespace

absl::Status ReadError(const std::string& name, int error) {
  return absl::DataLossError(
      absl::StrCat(name, ": reading failed: ", std::strerror(error), "; what came before it was used"));
}

absl::StatusOr<std::unique_ptr<Source>> OpenSource(const std::string& path) {
  const bool standard_input = path == "-";
  Descriptor fd(standard_input ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC), !standard_input);
  if (fd.get() < 0) return OpenError(path, errno);
  struct stat info = {};
  if (fstat(fd.get(), &info) != 0) return OpenError(path, errno);
  if (S_ISDIR(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is a directory; give its log files (", path, path.back() == '/' ? "" : "/", "*)"));
  }

  // A regular file is only looked at, so that its offset still is where reading begins; a pipe's bytes are taken.
  const bool regular = S_ISREG(info.st_mode);
  const off_t start = regular ? lseek(fd.get(), 0, SEEK_CUR) : 0;
  char head[kTakeAtMost];
  size_t taken = 0;
  bool undecided = true;
  const Format* format = nullptr;
  while (undecided && taken < sizeof head) {
    const ssize_t n = regular ? pread(fd.get(), head + taken, sizeof head - taken, start + static_cast<off_t>(taken))
                              : ReadSome(fd.get(), head + taken, sizeof head - taken);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ReadError(path, errno);
    if (n == 0) break;
    taken += static_cast<size_t>(n);
    format = Detect(std::string_view(head, taken), &undecided);
  }
  if (regular) posix_fadvise(fd.get(), start, 0, POSIX_FADV_SEQUENTIAL);
  auto plain = std::make_unique<PlainSource>(path, std::move(fd), std::string(head, regular ? 0 : taken), regular);
  if (format == nullptr) return plain;
  return std::make_unique<CompressedSource>(std::move(plain), *format);
}

}  // namespace autotune
