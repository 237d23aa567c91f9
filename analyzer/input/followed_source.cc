#include "analyzer/input/followed_source.h"

#include <absl/strings/str_cat.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

// How long an idle follower sleeps between looks. A block is reported within 100 ms of its footer (with the judging).
constexpr std::chrono::milliseconds kLookAgain{25};

class FollowedSource : public Source {
 public:
  FollowedSource(std::string path, int fd, const std::atomic<bool>* stop)
      : path_(std::move(path)), fd_(fd), stop_(stop) {}
  ~FollowedSource() override { close(fd_); }

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    while (!stop_->load(std::memory_order_relaxed)) {
      const ssize_t n = read(fd_, buffer, size);
      if (n > 0) {
        read_ += static_cast<uint64_t>(n);
        return static_cast<size_t>(n);
      }
      if (n < 0 && errno != EINTR) {
        return absl::UnavailableError(ToAbsl(path_ + ": cannot be read: " + std::strerror(errno)));
      }
      if (n == 0 && !Rotated()) std::this_thread::sleep_for(kLookAgain);
    }
    return size_t{0};
  }
  const std::string& name() const override { return path_; }
  bool compressed() const override { return false; }
  int fd() const override { return -1; }
  bool may_wait() const override { return true; }

 private:
  // At the end of what is open: whether there is another place to read from now.
  bool Rotated() {
    // The name first: what is written to the old file before it is looked at below is still read from it.
    struct stat open_file, named;
    const bool there = stat(path_.c_str(), &named) == 0;
    if (fstat(fd_, &open_file) != 0) return false;
    if (static_cast<uint64_t>(open_file.st_size) < read_) {  // truncated: it begins anew
      read_ = 0;
      lseek(fd_, 0, SEEK_SET);
      return true;
    }
    if (static_cast<uint64_t>(open_file.st_size) > read_) return true;
    if (!there || (named.st_ino == open_file.st_ino && named.st_dev == open_file.st_dev)) return false;
    const int next = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (next < 0) return false;
    close(fd_);
    fd_ = next;
    read_ = 0;
    return true;
  }

  const std::string path_;
  int fd_;
  uint64_t read_ = 0;  // of the file that is open
  const std::atomic<bool>* stop_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Source>> OpenFollowed(const std::string& path, const std::atomic<bool>* stop) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return absl::NotFoundError(
        absl::StrCat(ToAbsl(path), ": cannot be opened to be followed: ", std::strerror(errno), "; check the path"));
  }
  return std::make_unique<FollowedSource>(path, fd, stop);
}

}  // namespace autotune
