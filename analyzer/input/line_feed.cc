#include "analyzer/input/line_feed.h"

#include <absl/strings/str_cat.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "analyzer/base/cores.h"
#include "analyzer/input/chunk.h"
#include "analyzer/input/chunk_ring.h"
#include "analyzer/input/dense_run.h"
#include "analyzer/input/newlines.h"
#include "analyzer/input/open_line.h"
#include "analyzer/input/prefilter.h"

namespace autotune {
namespace {

// Puts chunks together to lines and hands those over that can matter.
class Feeder {
 public:
  Feeder(const FeedOptions& options, uint64_t total, LineConsumer* consumer)
      : options_(options),
        prefilter_(options.prefilter != nullptr && !options.prefilter->passes_all() ? options.prefilter : nullptr),
        total_(total),
        consumer_(consumer),
        open_(options.max_line),
        wants_(consumer->wants(1)) {}

  // `hits`: what FindAllHits() says of the chunk, when somebody has asked it already.
  void Feed(std::string_view chunk, const ChunkHits* hits) {
    result_.bytes += chunk.size();
    const ChunkEnds ends = FindEnds(chunk);
    if (!ends.any) {
      open_.Append(chunk);
    } else {
      EndOpenLine(chunk.substr(0, ends.first));
      if (prefilter_ == nullptr) {
        EveryLine(chunk, ends.first + 1, ends.last + 1);
      } else if (hits != nullptr) {
        KnownLines(chunk, ends.first + 1, ends.last + 1, *hits);
      } else {
        SoughtLines(chunk, ends.first + 1, ends.last + 1);
      }
      open_.Append(chunk.substr(ends.last + 1));
    }
    Progress();
  }

  FeedResult Finish(absl::Status status) {
    result_.ended_whole = open_.empty();
    if (!open_.empty()) EndOpenLine({});
    result_.status = std::move(status);
    return result_;
  }

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  const Prefilter* prefilter() const { return prefilter_; }

 private:
  // `result_.lines` is the number of lines that have ended; the one at hand is the next.
  void Deliver(std::string_view line) {
    consumer_->Line(line, ++result_.lines);
    Ask();
  }

  void Ask() { wants_ = consumer_->wants(result_.lines + 1); }

  void EndOpenLine(std::string_view rest) {
    if (open_.empty()) {
      DeliverIfNeeded(rest);
      return;
    }
    open_.Append(rest);
    if (open_.is_long()) {
      ++result_.long_lines;
      consumer_->LongLine(result_.lines + 1);
      Deliver(open_.text());
    } else {
      DeliverIfNeeded(open_.text());
    }
    open_.Clear();
  }

  void DeliverIfNeeded(std::string_view line) {
    const bool wanted =
        wants_ == Wanted::kAll || (wants_ == Wanted::kWithPercent && line.find('%') != std::string_view::npos);
    if (wanted || prefilter_ == nullptr || prefilter_->Contains(line)) {
      Deliver(line);
    } else {
      ++result_.lines;
    }
  }

  // Delivers the line of the body that begins at `from`; where the next one does.
  size_t DeliverAt(std::string_view chunk, size_t from, size_t body_end) {
    const char* const begin = chunk.data() + from;
    const void* end = std::memchr(begin, '\n', body_end - from);
    const size_t length = static_cast<size_t>(static_cast<const char*>(end) - begin);
    Deliver(std::string_view(begin, length));
    return from + length + 1;
  }

  void EveryLine(std::string_view chunk, size_t from, size_t body_end) {
    while (from < body_end) from = DeliverAt(chunk, from, body_end);
  }

  // Where the first line with a '%' at or behind `from` begins, `body_end`: there is none. `known`: the last answer.
  static size_t PercentFrom(std::string_view chunk, size_t from, size_t body_end, size_t* known) {
    if (*known < from) *known = FindPercent(chunk, from, body_end);
    return *known;
  }
  static size_t FindPercent(std::string_view chunk, size_t from, size_t body_end) {
    const char* const start = chunk.data() + from;
    const auto* const percent = static_cast<const char*>(std::memchr(start, '%', body_end - from));
    if (percent == nullptr) return body_end;
    const void* const before = memrchr(start, '\n', static_cast<size_t>(percent - start));
    return before == nullptr ? from : static_cast<size_t>(static_cast<const char*>(before) + 1 - chunk.data());
  }

  // Looks for lines with a literal only where none is wanted anyway.
  void SoughtLines(std::string_view chunk, size_t from, size_t body_end) {
    HitLine hit;
    size_t percent = 0;
    Ask();
    while (from < body_end) {
      if (wants_ != Wanted::kAll && !dense_.TakeUnasked()) {
        const size_t stop = wants_ == Wanted::kWithPercent ? PercentFrom(chunk, from, body_end, &percent) : body_end;
        if (FindHitLine(chunk, stop, from, 0, *prefilter_, &hit)) {
          dense_.Asked(hit.breaks);
          result_.lines += hit.breaks;
          from = hit.begin;
        } else if (stop < body_end) {
          result_.lines += CountNewlines(chunk.data() + from, chunk.data() + stop);
          from = stop;
        } else {
          break;
        }
      }
      from = DeliverAt(chunk, from, body_end);
    }
    result_.lines += CountNewlines(chunk.data() + from, chunk.data() + body_end);
  }

  void KnownLines(std::string_view chunk, size_t from, size_t body_end, const ChunkHits& hits) {
    const uint64_t before = result_.lines - 1;  // the head's end is counted already, and in `breaks`
    auto hit = hits.lines.begin();
    size_t percent = 0;
    Ask();
    while (from < body_end) {
      if (wants_ != Wanted::kAll) {
        while (hit != hits.lines.end() && hit->begin < from) ++hit;
        const size_t next = hit != hits.lines.end() ? hit->begin : body_end;
        const size_t stop = wants_ == Wanted::kWithPercent ? PercentFrom(chunk, from, body_end, &percent) : next;
        if (stop < next) {
          result_.lines += CountNewlines(chunk.data() + from, chunk.data() + stop);
          from = stop;
        } else if (next < body_end) {
          result_.lines = before + hit->breaks;
          from = next;
        } else {
          break;
        }
      }
      from = DeliverAt(chunk, from, body_end);
    }
    result_.lines = before + hits.breaks;
  }

  void Progress() {
    constexpr uint64_t kEvery = 8 << 20;
    if (!options_.progress || result_.bytes - told_ < kEvery) return;
    told_ = result_.bytes;
    options_.progress(result_.bytes, total_);
  }

  const FeedOptions& options_;
  const Prefilter* const prefilter_;
  const uint64_t total_;
  LineConsumer* const consumer_;
  OpenLine open_;
  DenseRun dense_;
  Wanted wants_;
  uint64_t told_ = 0;
  FeedResult result_;
};

// One thread: read, look, hand over.
FeedResult FeedAlone(Source& source, size_t chunk_size, Feeder* feeder) {
  const std::unique_ptr<char[]> buffer(new char[chunk_size]);
  while (!feeder->stopped()) {
    absl::StatusOr<size_t> n = source.Read(buffer.get(), chunk_size);
    if (!n.ok()) return feeder->Finish(n.status());
    if (*n == 0) break;
    if (feeder->prefilter() != nullptr) feeder->prefilter()->Announce(*n);
    feeder->Feed(std::string_view(buffer.get(), *n), nullptr);
  }
  return feeder->Finish(absl::OkStatus());
}

FeedResult FeedRing(ChunkRing* ring, Feeder* feeder) {
  while (!feeder->stopped()) {
    const Chunk& chunk = ring->Next();
    if (feeder->prefilter() != nullptr) feeder->prefilter()->Announce(chunk.size);
    feeder->Feed(chunk.bytes(), chunk.scanned ? &chunk.hits : nullptr);
    if (chunk.last) return feeder->Finish(chunk.status);
  }
  return feeder->Finish(absl::OkStatus());
}

// A thread decompresses ahead while this one looks.
FeedResult FeedBeside(Source& source, size_t chunk_size, Feeder* feeder) {
  constexpr size_t kSlots = 4;
  ChunkRing ring(kSlots, chunk_size, 1, false, [&source, chunk_size](uint64_t, Chunk* chunk) {
    // What one Read() gives is a block of the decompressor; several fill a chunk better.
    chunk->size = 0;
    while (chunk->size < chunk_size) {
      absl::StatusOr<size_t> n = source.Read(chunk->buffer.get() + chunk->size, chunk_size - chunk->size);
      chunk->last = !n.ok() || *n == 0;
      if (!n.ok()) chunk->status = n.status();
      if (chunk->last) return;
      chunk->size += *n;
    }
  });
  return FeedRing(&ring, feeder);
}

// All cores read and search chunks of a plain file; this thread helps, and hands over.
FeedResult FeedSideBySide(Source& source, size_t chunk_size, int threads, off_t start, Feeder* feeder) {
  // Memory bandwidth is used up long before; and the ring grows with the threads.
  constexpr int kMostThreads = 8;
  threads = std::min(threads, kMostThreads);
  const int fd = source.fd();
  const Prefilter* const prefilter = feeder->prefilter();
  const std::string& name = source.name();
  ChunkRing ring(static_cast<size_t>(threads) * 2, chunk_size, threads - 1, true,
                 [fd, start, chunk_size, prefilter, &name](uint64_t index, Chunk* chunk) {
                   chunk->size = 0;
                   const off_t offset = start + static_cast<off_t>(index * chunk_size);
                   while (chunk->size < chunk_size) {
                     const ssize_t n = pread(fd, chunk->buffer.get() + chunk->size, chunk_size - chunk->size,
                                             offset + static_cast<off_t>(chunk->size));
                     if (n < 0 && errno == EINTR) continue;
                     if (n < 0) chunk->status = ReadError(name, errno);
                     chunk->last = n <= 0;
                     if (chunk->last) break;
                     chunk->size += static_cast<size_t>(n);
                   }
                   chunk->scanned = prefilter != nullptr;
                   if (chunk->scanned) FindAllHits(chunk->bytes(), *prefilter, &chunk->hits);
                 });
  return FeedRing(&ring, feeder);
}

// Bytes from the current offset of a plain file on; 0 where that is not known.
uint64_t BytesLeft(int fd, off_t* start) {
  struct stat info = {};
  if (fd < 0 || fstat(fd, &info) != 0) return 0;
  *start = std::max<off_t>(0, lseek(fd, 0, SEEK_CUR));
  return info.st_size > *start ? static_cast<uint64_t>(info.st_size - *start) : 0;
}

}  // namespace

FeedResult FeedLines(Source& source, const FeedOptions& options, LineConsumer* consumer) {
  off_t start = 0;
  const uint64_t total = BytesLeft(source.fd(), &start);
  // No line within a chunk can be too long then, only one that goes on from chunk to chunk.
  size_t chunk_size = std::max<size_t>(1, std::min(options.chunk, options.max_line));
  // A buffer for no more than a small file has: memory that malloc gives without asking the system each time.
  constexpr uint64_t kSmall = 64 << 10;
  if (total > 0) chunk_size = std::min<uint64_t>(chunk_size, std::max(total + 1, kSmall));
  Feeder feeder(options, total, consumer);
  constexpr uint64_t kWorthThreads = 4;  // chunks; starting a thread costs as much as reading one
  const bool beside = source.compressed() && !source.may_wait();
  const bool side_by_side = total >= kWorthThreads * chunk_size && feeder.prefilter() != nullptr;
  if (!beside && !side_by_side) return FeedAlone(source, chunk_size, &feeder);
  const int threads = options.threads > 0 ? options.threads : UsableCores();
  if (threads < 2) return FeedAlone(source, chunk_size, &feeder);
  if (beside) return FeedBeside(source, chunk_size, &feeder);
  feeder.prefilter()->Announce(total);
  return FeedSideBySide(source, chunk_size, threads, start, &feeder);
}

}  // namespace autotune
