#include "analyzer/input/source.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "analyzer/input/decoder.h"
#include "analyzer/input/peeked_source.h"

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

// RFC 1952 2.3.1 (method 8 is the only one), RFC 8878 3.1.1, xz-file-format.txt 2.1.1.1, bzip2 (a level digit and a
// block follow: checked below), lz4_Frame_format.md and its legacy form.
struct Magic {
  Compression compression;
  std::string_view bytes;
};
constexpr Magic kMagics[] = {
    {Compression::kGzip, std::string_view("\x1f\x8b\x08", 3)},
    {Compression::kZstd, std::string_view("\x28\xb5\x2f\xfd", 4)},
    {Compression::kXz, std::string_view("\xfd\x37\x7a\x58\x5a\x00", 6)},
    {Compression::kBzip2, std::string_view("BZh", 3)},
    {Compression::kLz4, std::string_view("\x04\x22\x4d\x18", 4)},
    {Compression::kLz4, std::string_view("\x02\x21\x4c\x18", 4)},
};
// "BZh9" could begin a line of text; the block header behind it could not.
constexpr size_t kHeadBytes = 10;

enum class Match { kNo, kYes, kNeedsMore };

Match Matches(const Magic& magic, std::string_view head) {
  const size_t n = std::min(head.size(), magic.bytes.size());
  if (head.substr(0, n) != magic.bytes.substr(0, n)) return Match::kNo;
  if (head.size() < magic.bytes.size()) return Match::kNeedsMore;
  if (magic.compression != Compression::kBzip2) return Match::kYes;
  if (head.size() > 3 && (head[3] < '1' || head[3] > '9')) return Match::kNo;
  // A block (the digits of pi), or of an empty input the end of the stream (those of its square root).
  const std::string_view rest = head.substr(std::min<size_t>(4, head.size()));
  for (const std::string_view next : {"\x31\x41\x59\x26\x53\x59", "\x17\x72\x45\x38\x50\x90"}) {
    if (next.substr(0, rest.size()) != rest.substr(0, next.size())) continue;
    return head.size() >= kHeadBytes ? Match::kYes : Match::kNeedsMore;
  }
  return Match::kNo;
}

// How an input that begins with `head` is compressed. `undecided`: more bytes could tell.
Compression Detect(std::string_view head, bool* undecided) {
  *undecided = false;
  for (const Magic& magic : kMagics) {
    const Match match = Matches(magic, head);
    if (match == Match::kYes) return magic.compression;
    if (match == Match::kNeedsMore) *undecided = true;
  }
  return Compression::kNone;
}

class CompressedSource : public Source {
 public:
  CompressedSource(std::unique_ptr<Source> raw, Compression compression)
      : raw_(std::move(raw)), decoder_(MakeDecoder(compression, raw_.get())) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override { return decoder_->Read(buffer, size); }
  const std::string& name() const override { return raw_->name(); }
  bool compressed() const override { return true; }
  int fd() const override { return -1; }
  bool may_wait() const override { return raw_->may_wait(); }

 private:
  const std::unique_ptr<Source> raw_;
  const std::unique_ptr<Decoder> decoder_;
};

}  // namespace

std::unique_ptr<Source> Decompressed(std::unique_ptr<Source> raw) {
  auto peeked = std::make_unique<PeekedSource>(std::move(raw), kHeadBytes);
  bool undecided = false;
  const Compression compression = Detect(peeked->head(), &undecided);
  if (compression == Compression::kNone) return peeked;
  return std::make_unique<CompressedSource>(std::move(peeked), compression);
}

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
  const off_t start = regular && standard_input ? lseek(fd.get(), 0, SEEK_CUR) : 0;
  char head[kHeadBytes];
  size_t taken = 0;
  bool undecided = true;
  Compression compression = Compression::kNone;
  while (undecided && taken < sizeof head) {
    const ssize_t n = regular ? pread(fd.get(), head + taken, sizeof head - taken, start + static_cast<off_t>(taken))
                              : ReadSome(fd.get(), head + taken, sizeof head - taken);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ReadError(path, errno);
    if (n == 0) break;
    taken += static_cast<size_t>(n);
    compression = Detect(std::string_view(head, taken), &undecided);
  }
  constexpr off_t kReadAtOnce = 128 << 10;  // the system reads as much ahead unasked
  if (regular && info.st_size > kReadAtOnce) posix_fadvise(fd.get(), start, 0, POSIX_FADV_SEQUENTIAL);
  auto plain = std::make_unique<PlainSource>(path, std::move(fd), std::string(head, regular ? 0 : taken), regular);
  if (compression == Compression::kNone) return plain;
  return std::make_unique<CompressedSource>(std::move(plain), compression);
}

}  // namespace autotune
