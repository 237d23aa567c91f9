// The program as a process of its own, with pipes or a terminal around it: what no call into a library can show.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

namespace autotune {

class Child {
 public:
  struct Setup {
    bool stdin_terminal = false;
    bool stdout_terminal = false;
    std::string stdout_file;               // instead of a pipe
    std::vector<std::string> environment;  // "NAME=value", on top of an empty one
  };

  explicit Child(std::vector<std::string> args) : Child(std::move(args), Setup()) {}
  Child(std::vector<std::string> args, const Setup& setup) {
    int in[2], out[2], err[2];
    setup.stdin_terminal ? Terminal(in, false) : Pipe(in);
    setup.stdout_terminal ? Terminal(out, true) : Pipe(out);
    Pipe(err);
    pid_ = fork();
    if (pid_ == 0) {
      const int file = setup.stdout_file.empty() ? out[1] : open(setup.stdout_file.c_str(), O_WRONLY);
      dup2(in[0], 0);
      dup2(file, 1);
      dup2(err[1], 2);
      std::vector<char*> argv = {const_cast<char*>(BINARY)};
      for (std::string& arg : args) argv.push_back(arg.data());
      argv.push_back(nullptr);
      std::vector<char*> env;
      for (const std::string& e : setup.environment) env.push_back(const_cast<char*>(e.c_str()));
      env.push_back(nullptr);
      execve(BINARY, argv.data(), env.data());
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    in_ = in[1];
    out_ = out[0];
    err_ = err[0];
  }
  Child(const Child&) = delete;
  ~Child() {
    CloseStdin();
    CloseStdout();
    close(err_);
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  void Write(std::string_view bytes) { ASSERT_EQ(write(in_, bytes.data(), bytes.size()), ssize_t(bytes.size())); }
  void CloseStdin() { Close(&in_); }
  void CloseStdout() { Close(&out_); }
  void Signal(int number) { kill(pid_, number); }

  // Reads standard output until it holds `text` or ten seconds have passed.
  bool WaitFor(std::string_view text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (stdout_.find(text) == std::string::npos) {
      if (std::chrono::steady_clock::now() > end || !ReadSome(out_, &stdout_, 100)) return false;
    }
    return true;
  }

  // Reads both outputs to their ends; the exit status, or minus the signal that ended the process.
  int Finish() {
    while (out_ >= 0 && ReadSome(out_, &stdout_, 10'000)) {
    }
    while (ReadSome(err_, &stderr_, 10'000)) {
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  const std::string& out() const { return stdout_; }
  const std::string& err() const { return stderr_; }

 private:
  static void Pipe(int* ends) { ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0); }
  // ends[0] is the reading side. The child holds the slave, we hold the master.
  static void Terminal(int* ends, bool child_writes) {
    int master, slave;
    winsize size{24, 80, 0, 0};
    ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, &size), 0);
    fcntl(master, F_SETFD, FD_CLOEXEC);
    fcntl(slave, F_SETFD, FD_CLOEXEC);
    ends[child_writes ? 1 : 0] = slave;
    ends[child_writes ? 0 : 1] = master;
  }
  static void Close(int* fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
  // False at the end of input (a terminal's end is an error, EIO). Waiting in vain is no end.
  static bool ReadSome(int fd, std::string* to, int wait_ms) {
    pollfd waiting{fd, POLLIN, 0};
    if (poll(&waiting, 1, wait_ms) == 0) return wait_ms < 1000;
    char buffer[4096];
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n > 0) to->append(buffer, static_cast<size_t>(n));
    return n > 0;
  }

  pid_t pid_ = 0;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string stdout_, stderr_;
};

}  // namespace autotune
