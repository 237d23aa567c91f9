// A compressed file's bytes, decompressed by a thread of their own while the caller works on what came before: hashing
// a cache's kernels then costs no time of its own as long as the decompressor is the slower one.
//
// Memory: a few pieces in flight, whatever the size of the file. An error comes after all bytes that could be read.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace autotune {

// Whether the file begins as a compressed one does (gzip, zstd, xz, lzma, bzip2, lz4, lzip, compress).
bool IsCompressed(const std::string& path);

class Decompressor {
 public:
  explicit Decompressor(std::string path);
  ~Decompressor();  // ends the thread, wherever it is
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  // The next bytes, valid until the next call; empty at the end or when the stream is broken (see error()).
  std::string_view Next();
  // Why the stream ended early; "" when it did not, or has not been read to its end (until Next() returned nothing).
  std::string error();

 private:
  void Run();
  // Hands `piece` over and leaves an empty one that was read already in its place: buffers of this size cost page
  // faults whenever they are new. False when nobody reads any more.
  bool Push(std::string* piece);

  std::string path_, current_, error_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> pieces_, spare_;
  bool done_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace autotune
