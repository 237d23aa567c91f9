// Many small logs, read by all cores and told in order.
//
// A log of a few KiB is too small to be read by several threads, but a pile of them is not: each is read whole by one
// thread, ahead of the one that sums up, and what was found in it is kept until its turn comes. Whoever takes the
// findings sees the same calls in the same order as without.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "analyzer/input/source.h"
#include "analyzer/model/run.h"
#include "analyzer/model/sink.h"

namespace autotune {

class ReadAhead {
 public:
  // Both are called on several threads; Read counts bytes and lines into a Run.
  using Open = std::function<absl::StatusOr<std::unique_ptr<Source>>(const std::string& path)>;
  using Read = std::function<absl::Status(Source& source, LogSink* sink, Run* run)>;

  // `logs` must outlive this. With fewer logs or cores than make it worth a thread, nothing is read ahead.
  ReadAhead(const std::vector<std::string>& logs, int threads, Open open, Read read);
  // Waits for the logs that are being read.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The findings of the next log, in order. Reads it here and now when it was not read ahead: no plain file,
  // compressed, or too big to keep what it says.
  absl::Status Take(LogSink* sink, Run* run);

 private:
  struct Log;
  struct Slot;  // a batch of logs

  void Work();
  void Fill(const std::string& path, Log* log) const;
  absl::Status Tell(const std::string& path, Log* log, LogSink* sink, Run* run) const;
  absl::Status ReadNow(const std::string& path, LogSink* sink, Run* run) const;
  Slot& SlotOf(size_t batch);

  const std::vector<std::string>& logs_;
  const Open open_;
  const Read read_;
  std::vector<Slot> slots_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable slot_free_, slot_full_;
  size_t claimed_ = 0;  // batches
  size_t taken_ = 0;    // logs
  bool over_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace autotune
