#include "analyzer/read_ahead.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

namespace autotune {
namespace {

// Findings take more room than the lines they were read from, at times several times more.
constexpr off_t kMostBytes = 128 << 10;
// Logs that a thread reads at a time: waking another one costs as much as reading a log.
constexpr size_t kBatch = 8;
constexpr size_t kSlotsPerThread = 2;
constexpr size_t kWorthThreads = 2 * kBatch;  // logs

bool IsSmallFile(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= kMostBytes;
}

struct Counted {
  std::string kind;
  uint64_t line;
};
using Finding = std::variant<Block, Orphan, Evidence, Counted>;

class Keeper : public LogSink {
 public:
  explicit Keeper(std::vector<Finding>* findings) : findings_(findings) {}
  void OnBlock(Block block) override { findings_->emplace_back(std::move(block)); }
  void OnOrphan(Orphan orphan) override { findings_->emplace_back(std::move(orphan)); }
  void OnEvidence(const Evidence& evidence) override { findings_->emplace_back(evidence); }
  void OnCounter(std::string_view kind, uint64_t line) override {
    findings_->emplace_back(Counted{std::string(kind), line});
  }

 private:
  std::vector<Finding>* findings_;
};

struct Teller {
  LogSink* sink;
  void operator()(Block& block) const { sink->OnBlock(std::move(block)); }
  void operator()(Orphan& orphan) const { sink->OnOrphan(std::move(orphan)); }
  void operator()(const Evidence& evidence) const { sink->OnEvidence(evidence); }
  void operator()(const Counted& counted) const { sink->OnCounter(counted.kind, counted.line); }
};

}  // namespace

struct ReadAhead::Log {
  bool is_read = false;  // else it is read when it is taken
  std::vector<Finding> findings;
  absl::Status status;
  Run counts;
};

struct ReadAhead::Slot {
  bool is_full = false;
  std::array<Log, kBatch> logs;
};

ReadAhead::ReadAhead(const std::vector<std::string>& logs, int threads, Open open, Read read)
    : logs_(logs), open_(std::move(open)), read_(std::move(read)) {
  constexpr int kMostThreads = 16;
  threads = std::min(threads, kMostThreads);
  if (threads < 2 || logs.size() < kWorthThreads) return;
  slots_.resize(static_cast<size_t>(threads) * kSlotsPerThread);
  // The thread that takes has little to do: there are as many readers as cores.
  for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { Work(); });
}

ReadAhead::Slot& ReadAhead::SlotOf(size_t batch) { return slots_[batch % slots_.size()]; }

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  slot_free_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ReadAhead::Work() {
  while (true) {
    size_t batch;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      slot_free_.wait(lock, [this] { return over_ || claimed_ < taken_ / kBatch + slots_.size(); });
      if (over_ || claimed_ * kBatch >= logs_.size()) return;
      batch = claimed_++;
    }
    Slot& slot = SlotOf(batch);
    const size_t end = std::min((batch + 1) * kBatch, logs_.size());
    for (size_t i = batch * kBatch; i < end; ++i) Fill(logs_[i], &slot.logs[i % kBatch]);
    const std::lock_guard<std::mutex> lock(mutex_);
    slot.is_full = true;
    if (batch == taken_ / kBatch) slot_full_.notify_one();
  }
}

void ReadAhead::Fill(const std::string& path, Log* log) const {
  log->is_read = false;
  if (!IsSmallFile(path)) return;
  absl::StatusOr<std::unique_ptr<Source>> source = open_(path);
  // What a small compressed file holds may be a thousand times bigger.
  if (!source.ok() || (*source)->compressed()) return;
  Keeper keeper(&log->findings);
  log->status = read_(**source, &keeper, &log->counts);
  log->is_read = true;
}

absl::Status ReadAhead::ReadNow(const std::string& path, LogSink* sink, Run* run) const {
  absl::StatusOr<std::unique_ptr<Source>> source = open_(path);
  return source.ok() ? read_(**source, sink, run) : source.status();
}

absl::Status ReadAhead::Take(LogSink* sink, Run* run) {
  const size_t index = taken_;
  if (workers_.empty()) {
    ++taken_;
    return ReadNow(logs_[index], sink, run);
  }
  Slot& slot = SlotOf(index / kBatch);
  if (index % kBatch == 0) {
    std::unique_lock<std::mutex> lock(mutex_);
    slot_full_.wait(lock, [&] { return slot.is_full; });
  }
  const absl::Status status = Tell(logs_[index], &slot.logs[index % kBatch], sink, run);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (++taken_ % kBatch == 0) {
    slot.is_full = false;
    slot_free_.notify_one();
  }
  return status;
}

absl::Status ReadAhead::Tell(const std::string& path, Log* log, LogSink* sink, Run* run) const {
  if (!log->is_read) return ReadNow(path, sink, run);
  for (Finding& finding : log->findings) std::visit(Teller{sink}, finding);
  log->findings.clear();
  run->bytes += log->counts.bytes;
  run->lines += log->counts.lines;
  run->ended_early |= log->counts.ended_early;
  log->counts = Run();
  return log->status;
}

}  // namespace autotune
