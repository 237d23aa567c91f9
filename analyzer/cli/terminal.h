// What the program knows of the terminal and the signals around it: colour, width, a report that stops when nobody
// reads it, an interrupt that ends the reading and not the report, progress on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/cli/options.h"
#include "analyzer/report/reporter.h"

namespace autotune {

// Colour and width for standard output. A pipe or a file gets 80 columns, so that the same input gives the same bytes.
ReportStyle StdoutStyle(const Options& options);

bool StdinIsTerminal();

// Set when reading shall end: the first SIGINT, or a report that nobody reads any more.
extern std::atomic<bool> stop_reading;

// From here on the first SIGINT sets stop_reading and turns standard input into an empty one, so that a blocked read
// ends; a second SIGINT ends the program the ordinary way. SIGPIPE is ignored: writes say EPIPE instead.
void CatchSignals();
bool Interrupted();

// The report's way to standard output. `live`: every line is written at once (the input is a stream somebody waits at);
// otherwise lines are gathered into larger writes.
class StdoutWriter {
 public:
  explicit StdoutWriter(bool live) : live_(live) {}
  // False when the reader has gone or the write failed; sets stop_reading then.
  bool Write(std::string_view bytes);
  bool Flush();
  // Not empty when writing failed for a reason that is no closed pipe ("No space left on device").
  const std::string& error() const { return error_; }

 private:
  bool WriteAll(std::string_view bytes);

  bool live_;
  bool gone_ = false;
  std::string buffer_;
  std::string error_;
};

// One line on standard error that tells how far a long read is; nothing before half a second, nothing on a pipe.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { Clear(); }
  void Update(uint64_t done, uint64_t total);
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_;
  bool drawn_ = false;
  Clock::time_point start_, next_;
};

// A warning or an error to standard error, one line, control characters made harmless.
void Complain(std::string_view message);

}  // namespace autotune
