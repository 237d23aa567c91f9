#include "analyzer/input/line_feed.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace autotune {
namespace {

// The line that is still without its '\n' at the end of what was read.
class OpenLine {
 public:
  explicit OpenLine(size_t max) : max_(max) {}

  void Append(std::string_view piece) {
    if (piece.empty()) return;
    any_ = true;
    if (!long_ && text_.size() + piece.size() <= max_) {
      text_.append(piece);
      return;
    }
    if (!long_) {
      long_ = true;
      const std::string before = std::exchange(text_, std::string());
      Redraw(before);
    }
    Redraw(piece);
  }

  bool empty() const { return !any_; }
  bool is_long() const { return long_; }
  std::string_view text() const { return text_; }
  void Clear() {
    text_.clear();
    any_ = long_ = ended_in_return_ = false;
  }

 private:
  // Appends to a long line: what stands before a '\r' that something else follows is overwritten.
  void Redraw(std::string_view piece) {
    if (piece.empty()) return;
    const size_t last_shown = piece.find_last_not_of('\r');
    if (last_shown != std::string_view::npos) {
      const size_t back = piece.rfind('\r', last_shown);
      if (back != std::string_view::npos) {
        text_.clear();
        text_.append(piece.substr(back + 1, max_));
      } else {
        if (ended_in_return_) text_.clear();
        text_.append(piece.substr(0, max_ - text_.size()));
      }
    } else {
      text_.append(piece.substr(0, max_ - text_.size()));
    }
    ended_in_return_ = piece.back() == '\r';
  }

  const size_t max_;
  std::string text_;
  bool any_ = false, long_ = false, ended_in_return_ = false;
};

class Feeder {
 public:
  Feeder(const FeedOptions& options, LineConsumer* consumer) : consumer_(consumer), open_(options.max_line) {}

  void Chunk(std::string_view bytes) {
    result_.bytes += bytes.size();
    while (!bytes.empty()) {
      const void* found = std::memchr(bytes.data(), '\n', bytes.size());
      if (found == nullptr) {
        open_.Append(bytes);
        return;
      }
      const size_t length = static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
      if (open_.empty()) {
        Deliver(bytes.substr(0, length));
      } else {
        open_.Append(bytes.substr(0, length));
        DeliverOpen();
      }
      bytes.remove_prefix(length + 1);
    }
  }

  FeedResult Finish(absl::Status status) {
    result_.ended_whole = open_.empty();
    if (!open_.empty()) DeliverOpen();
    result_.status = std::move(status);
    return result_;
  }
  uint64_t bytes() const { return result_.bytes; }

 private:
  void Deliver(std::string_view line) { consumer_->Line(line, ++result_.lines); }
  void DeliverOpen() {
    if (open_.is_long()) {
      ++result_.long_lines;
      consumer_->LongLine(result_.lines + 1);
    }
    Deliver(open_.text());
    open_.Clear();
  }

  LineConsumer* const consumer_;
  OpenLine open_;
  FeedResult result_;
};

}  // namespace

FeedResult FeedLines(Source& source, const FeedOptions& options, LineConsumer* consumer) {
  const size_t chunk = std::max<size_t>(1, std::min(options.chunk, options.max_line));
  const std::unique_ptr<char[]> buffer(new char[chunk]);
  Feeder feeder(options, consumer);
  while (true) {
    absl::StatusOr<size_t> n = source.Read(buffer.get(), chunk);
    if (!n.ok()) return feeder.Finish(n.status());
    if (*n == 0) return feeder.Finish(absl::OkStatus());
    feeder.Chunk(std::string_view(buffer.get(), *n));
    if (options.progress) options.progress(feeder.bytes(), 0);
  }
}

}  // namespace autotune
