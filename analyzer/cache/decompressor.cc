#include "analyzer/cache/decompressor.h"

#include <archive.h>
#include <archive_entry.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "analyzer/cache/archive_support.h"

namespace autotune {
namespace {

constexpr size_t kPiece = size_t{256} << 10, kPiecesInFlight = 8;

}  // namespace

bool IsCompressed(const std::string& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  char bytes[6] = {};
  if (!file || std::fread(bytes, 1, sizeof bytes, file.get()) < 3) return false;
  std::string_view start(bytes, sizeof bytes);
  using namespace std::string_view_literals;
  for (std::string_view magic : {"\x1f\x8b"sv, "\x28\xb5\x2f\xfd"sv,
                                 "\xfd"
                                 "7zXZ"sv,
                                 "\x5d\x00\x00"sv, "BZh"sv, "\x04\x22\x4d\x18"sv, "LZIP"sv, "\x1f\x9d"sv}) {
    if (start.substr(0, magic.size()) == magic) return true;
  }
  return false;
}

Decompressor::Decompressor(std::string path) : path_(std::move(path)), thread_([this] { Run(); }) {}

Decompressor::~Decompressor() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::string_view Decompressor::Next() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return done_ || !pieces_.empty(); });
  current_.clear();
  if (pieces_.empty()) return current_;
  spare_.push_back(std::exchange(current_, std::move(pieces_.front())));
  pieces_.pop_front();
  changed_.notify_all();
  return current_;
}

std::string Decompressor::error() {
  std::lock_guard<std::mutex> lock(mutex_);
  return error_;
}

bool Decompressor::Push(std::string* piece) {
  if (piece->empty()) return true;
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return stop_ || pieces_.size() < kPiecesInFlight; });
  if (stop_) return false;
  pieces_.push_back(std::move(*piece));
  piece->clear();
  if (!spare_.empty()) {
    *piece = std::move(spare_.front());
    spare_.pop_front();
  }
  changed_.notify_all();
  return true;
}

void Decompressor::Run() {
  std::unique_ptr<archive, int (*)(archive*)> handle(archive_read_new(), &archive_read_free);
  std::string error, piece;
  bool wanted = handle != nullptr;
  if (handle) {
    SupportFilters(handle.get());
    archive_read_support_format_raw(handle.get());
    archive_entry* entry = nullptr;
    int result = archive_read_open_filename(handle.get(), path_.c_str(), kPiece);
    if (result == ARCHIVE_OK) result = archive_read_next_header(handle.get(), &entry);
    while (wanted && (result == ARCHIVE_OK || result == ARCHIVE_WARN || result == ARCHIVE_RETRY)) {
      const void* block = nullptr;
      size_t length = 0;
      la_int64_t offset = 0;
      result = archive_read_data_block(handle.get(), &block, &length, &offset);
      if (result != ARCHIVE_OK && result != ARCHIVE_WARN) continue;
      piece.append(static_cast<const char*>(block), length);
      if (piece.size() >= kPiece) wanted = Push(&piece);
    }
    if (wanted && result != ARCHIVE_EOF) {
      const char* what = archive_error_string(handle.get());
      error = what ? what : "damaged";
    }
  } else {
    error = "out of memory";
  }
  if (wanted) Push(&piece);
  std::lock_guard<std::mutex> lock(mutex_);
  error_ = std::move(error);
  done_ = true;
  changed_.notify_all();
}

}  // namespace autotune
