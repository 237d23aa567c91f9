#include "analyzer/cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "analyzer/report/printable.h"

namespace autotune {
namespace {

constexpr size_t kGather = 64 << 10;  // a pipe's default capacity: one write fills it
constexpr int kNarrowest = 40, kWidest = 110;

volatile sig_atomic_t interrupted = 0;

void OnInterrupt(int) {
  interrupted = 1;
  stop_reading.store(true, std::memory_order_relaxed);
  // A read that waits at a pipe is restarted by the kernel when we return (SA_RESTART) and then finds the end of input.
  const int saved = errno;
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    close(null);
  }
  errno = saved;
}

bool IsSet(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

bool WantsColor(ColorWhen when) {
  if (when != ColorWhen::kAuto) return when == ColorWhen::kAlways;
  if (!isatty(STDOUT_FILENO) || IsSet("NO_COLOR")) return false;
  const char* term = std::getenv("TERM");
  return term && *term && std::strcmp(term, "dumb") != 0;
}

}  // namespace

std::atomic<bool> stop_reading = false;

ReportStyle StdoutStyle(const Options& options) {
  ReportStyle style;
  style.quiet = options.quiet;
  style.color = WantsColor(options.color);
  winsize size{};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = std::clamp<int>(size.ws_col, kNarrowest, kWidest);
  }
  return style;
}

bool StdinIsTerminal() { return isatty(STDIN_FILENO); }

void CatchSignals() {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = OnInterrupt;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  // A shell's background job ignores SIGINT on purpose; that stays.
  struct sigaction before {};
  if (sigaction(SIGINT, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

bool Interrupted() { return interrupted; }

bool StdoutWriter::Write(std::string_view bytes) {
  if (gone_) return false;
  if (live_) return WriteAll(bytes);
  buffer_.append(bytes);
  return buffer_.size() < kGather || Flush();
}

bool StdoutWriter::Flush() {
  const bool written = gone_ ? false : WriteAll(buffer_);
  buffer_.clear();
  return written;
}

bool StdoutWriter::WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n >= 0) {
      bytes.remove_prefix(static_cast<size_t>(n));
    } else if (errno != EINTR) {
      if (errno != EPIPE) error_ = std::strerror(errno);
      gone_ = true;
      stop_reading.store(true, std::memory_order_relaxed);
      return false;
    }
  }
  return true;
}

Progress::Progress(bool wanted)
    : wanted_(wanted && isatty(STDERR_FILENO)), start_(Clock::now()), next_(start_ + std::chrono::milliseconds(500)) {}

void Progress::Update(uint64_t done, uint64_t total) {
  if (!wanted_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double megabytes = static_cast<double>(done) / 1e6;
  std::string line = fmt::format("\r\033[Kreading: {:.0f} MB, {:.0f} MB/s", megabytes, megabytes / seconds);
  if (total > 0) line += fmt::format(", {:.0f} %", 100.0 * static_cast<double>(done) / static_cast<double>(total));
  drawn_ = true;
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, line.data(), line.size());
}

void Progress::Clear() {
  if (!drawn_) return;
  drawn_ = false;
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, "\r\033[K", 4);
}

void Complain(std::string_view message) {
  const std::string line = "autotune-scan: " + Printable(message) + "\n";
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace autotune
