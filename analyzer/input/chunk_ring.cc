#include "analyzer/input/chunk_ring.h"

#include <utility>

namespace autotune {
namespace {
// No round ever has it: wakes who waits for a slot when all is over.
constexpr uint32_t kOver = ~0u;
}  // namespace

ChunkRing::ChunkRing(size_t slots, size_t chunk_size, int workers, bool help, Fill fill)
    : fill_(std::move(fill)), help_(help), slots_(slots) {
  for (Slot& slot : slots_) slot.chunk.buffer.reset(new char[chunk_size]);
  for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { Work(); });
}

ChunkRing::~ChunkRing() {
  stop_.store(true, std::memory_order_release);
  for (Slot& slot : slots_) {
    slot.state.store(kOver, std::memory_order_release);
    slot.state.notify_all();
  }
  for (std::thread& worker : workers_) worker.join();
}

bool ChunkRing::FillSlot(uint64_t index) {
  Slot& slot = SlotOf(index);
  fill_(index, &slot.chunk);
  const bool last = slot.chunk.last;  // once it is published, the chunk belongs to others
  slot.state.store(Filled(index), std::memory_order_release);
  slot.state.notify_all();
  return last;
}

void ChunkRing::Work() {
  while (true) {
    const uint64_t index = claimed_.fetch_add(1, std::memory_order_relaxed);
    Slot& slot = SlotOf(index);
    while (true) {
      const uint32_t state = slot.state.load(std::memory_order_acquire);
      if (stop_.load(std::memory_order_acquire)) return;
      if (state == Free(index)) break;
      slot.state.wait(state, std::memory_order_acquire);
    }
    if (FillSlot(index)) return;
  }
}

// Takes the next chunk that nobody fills yet when its slot is free at once.
bool ChunkRing::ClaimFree(uint64_t* index) {
  *index = claimed_.load(std::memory_order_relaxed);
  while (SlotOf(*index).state.load(std::memory_order_acquire) == Free(*index)) {
    if (claimed_.compare_exchange_weak(*index, *index + 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

const Chunk& ChunkRing::Next() {
  if (next_ > 0) {
    Slot& before = SlotOf(next_ - 1);
    before.state.store(Free(next_ - 1 + slots_.size()), std::memory_order_release);
    before.state.notify_all();
  }
  Slot& slot = SlotOf(next_);
  while (true) {
    const uint32_t state = slot.state.load(std::memory_order_acquire);
    if (state == Filled(next_)) break;
    uint64_t index;
    if (help_ && ClaimFree(&index)) {
      FillSlot(index);
    } else {
      slot.state.wait(state, std::memory_order_acquire);
    }
  }
  ++next_;
  return slot.chunk;
}

}  // namespace autotune
