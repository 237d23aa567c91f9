// A few chunks that are filled by several threads and handed over by one, in order: the memory of a parallel read.
//
// Chunk i lives in slot i % slots. Whoever fills it waits until the slot is free; whoever takes it waits until it is
// filled. Slots are few, so that the bytes are still in the second-level cache when they are looked at, and so that
// memory is bounded however far ahead the workers are.
#pragma once

#include <absl/status/status.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "analyzer/input/chunk.h"

namespace autotune {

struct Chunk {
  std::unique_ptr<char[]> buffer;
  size_t size = 0;
  bool last = false;    // nothing follows: the end, or `status`
  absl::Status status;  // what broke the reading behind these bytes
  ChunkHits hits;       // when `scanned`
  bool scanned = false;

  std::string_view bytes() const { return std::string_view(buffer.get(), size); }
};

class ChunkRing {
 public:
  // `fill(index, chunk)` reads chunk `index`; called from `workers` threads, and when `help` from the one that calls
  // Next(). It must say `last` for the last chunk and for all behind it.
  using Fill = std::function<void(uint64_t index, Chunk* chunk)>;
  ChunkRing(size_t slots, size_t chunk_size, int workers, bool help, Fill fill);
  ~ChunkRing();  // stops the workers; may wait for a read that is going on
  ChunkRing(const ChunkRing&) = delete;
  ChunkRing& operator=(const ChunkRing&) = delete;

  // The next chunk in order; the one before becomes free.
  const Chunk& Next();

 private:
  struct Slot {
    // 2 * round: free for that round's chunk; 2 * round + 1: filled with it.
    std::atomic<uint32_t> state{0};
    Chunk chunk;
  };
  uint32_t Free(uint64_t index) const { return static_cast<uint32_t>(index / slots_.size() * 2); }
  uint32_t Filled(uint64_t index) const { return Free(index) + 1; }
  Slot& SlotOf(uint64_t index) { return slots_[index % slots_.size()]; }

  void Work();
  bool FillSlot(uint64_t index);  // true: it was the last
  bool ClaimFree(uint64_t* index);

  const Fill fill_;
  const bool help_;
  std::vector<Slot> slots_;
  std::atomic<uint64_t> claimed_{0};
  std::atomic<bool> stop_{false};
  uint64_t next_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace autotune
