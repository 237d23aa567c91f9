// From a Source's bytes to the lines that can matter, with their numbers.
//
//   MyConsumer consumer;                                   // Line("AUTOTUNE mm(8x8, 8x8)", 4711)
//   FeedResult read = FeedLines(**OpenSource("train.log"), {.prefilter = &prefilter}, &consumer);
//
// A line is what stands before a '\n'; numbers count '\n' from 1. The view a consumer gets is without its '\n' (a '\r'
// stays) and lives only during the call. What a pipe holds is looked at at once: a line is handed over when its '\n'
// has come, however little that was.
//
// Lines longer than `max_line` are handed over cut, so that memory stays bounded: of a progress bar that redraws itself
// with lone '\r' only the last drawing counts (a header glued behind the bar is kept), and of that the first `max_line`
// bytes. They are always handed over, whatever the prefilter says, and LongLine is told.
//
// A regular plain file is read and searched by all cores in chunks, a compressed one is decompressed beside the search;
// the consumer sees the same lines in the same order whatever the number of threads.
#pragma once

#include <absl/status/status.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "analyzer/input/source.h"

namespace autotune {

class Prefilter;

// Which of the next lines must be handed over, whatever the prefilter says.
enum class Wanted : uint8_t { kNone, kWithPercent, kAll };

class LineConsumer {
 public:
  virtual ~LineConsumer() = default;
  virtual void Line(std::string_view raw, uint64_t number) = 0;
  // Asked at the start, after each line that was handed over, and now and then else; `number` is that of the next line.
  virtual Wanted wants(uint64_t number) const = 0;
  // Before Line() of a line that is handed over cut.
  virtual void LongLine(uint64_t number) { static_cast<void>(number); }
};

struct FeedOptions {
  const Prefilter* prefilter = nullptr;  // nullptr: every line is handed over
  int threads = 0;                       // 0: as many as the machine has
  size_t max_line = size_t{1} << 20;
  size_t chunk = size_t{256} << 10;  // bytes read at a time; at most max_line is used
  // Called now and then with the bytes read so far and the total (0: not known, as of a pipe).
  std::function<void(uint64_t done, uint64_t total)> progress;
  // Set from a signal handler or another thread: reading ends soon, as if the input did.
  const std::atomic<bool>* stop = nullptr;
};

struct FeedResult {
  uint64_t bytes = 0;  // after decompression
  uint64_t lines = 0;  // a last one without '\n' counts
  uint64_t long_lines = 0;
  bool ended_whole = true;  // the input ended with '\n' (or was empty)
  absl::Status status;      // what broke the reading; everything before it was handed over
};

// Reads `source` to its end. Calls the consumer from the calling thread alone, in line order.
FeedResult FeedLines(Source& source, const FeedOptions& options, LineConsumer* consumer);

}  // namespace autotune
