// A Chase-Lev deque that grows, whose thief takes a batch item by item, and two mistakes with the
// ring. Replaced rings live as long as the deque.
//
// ring_read_once (B01): the thief keeps the ring that it read for its first item. Meanwhile the
// owner replaces it, pops, and pushes again at the same index: into the new ring only. The index
// CAS of the thief succeeds, with the old item.
// ring_published_relaxed: a thief reaches the new ring before its contents.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include <heddle/sync.hpp>

namespace heddle::inline HEDDLE_ON::known_bad {

struct sound_growth {
  static constexpr sync::memory_order ring_store = sync::memory_order_release;
  static constexpr bool ring_read_for_each_item = true;
};
struct ring_read_once : sound_growth {
  static constexpr bool ring_read_for_each_item = false;
};
struct ring_published_relaxed : sound_growth {
  static constexpr sync::memory_order ring_store = sync::memory_order_relaxed;
};

template <class Choices>
class growing_deque {
 public:
  void push(int item) {
    const int bottom = bottom_.load(sync::memory_order_relaxed);
    const int top = top_.load(sync::memory_order_acquire);
    if (bottom - top >= rings_[current_]->capacity) grow(top, bottom);
    rings_[current_]->at(bottom).store(item, sync::memory_order_relaxed);
    bottom_.store(bottom + 1, sync::memory_order_release);
  }

  bool pop(int& item) {
    const int bottom = bottom_.load(sync::memory_order_relaxed) - 1;
    bottom_.store(bottom, sync::memory_order_release);
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    int top = top_.load(sync::memory_order_relaxed);
    bool mine = top <= bottom;
    if (mine) item = rings_[current_]->at(bottom).load(sync::memory_order_relaxed);
    if (top == bottom) mine = take(top);
    if (top >= bottom) bottom_.store(bottom + 1, sync::memory_order_release);
    return mine;
  }

  /// Items one by one, each by its own CAS, until the buffer is full or there is none.
  std::size_t steal_some(std::span<int> buffer) {
    ring* slots = nullptr;
    for (std::size_t taken = 0; taken < buffer.size(); ++taken) {
      const int top = top_.load(sync::memory_order_acquire);
      sync::atomic_thread_fence(sync::memory_order_seq_cst);
      if (top >= bottom_.load(sync::memory_order_acquire)) return taken;
      if (Choices::ring_read_for_each_item || taken == 0) {
        slots = ring_.load(sync::memory_order_acquire);
      }
      buffer[taken] = slots->at(top).load(sync::memory_order_relaxed);
      if (!take(top)) return taken;
    }
    return buffer.size();
  }

 private:
  struct ring {
    explicit ring(int size)
        : capacity(size),
          slots(std::make_unique<sync::atomic<int>[]>(static_cast<std::size_t>(size))) {}
    sync::atomic<int>& at(int index) { return slots[static_cast<std::size_t>(index % capacity)]; }
    const int capacity;
    const std::unique_ptr<sync::atomic<int>[]> slots;
  };

  bool take(int top) {
    return top_.compare_exchange_strong(top, top + 1, sync::memory_order_seq_cst,
                                        sync::memory_order_relaxed);
  }

  void grow(int top, int bottom) {
    ring& old = *rings_[current_];
    auto bigger = std::make_unique<ring>(old.capacity * 2);
    for (int i = top; i < bottom; ++i) {
      bigger->at(i).store(old.at(i).load(sync::memory_order_relaxed), sync::memory_order_relaxed);
    }
    rings_.at(++current_) = std::move(bigger);
    ring_.store(rings_[current_].get(), Choices::ring_store);
  }

  std::array<std::unique_ptr<ring>, 4> rings_{std::make_unique<ring>(2)};
  std::size_t current_ = 0;
  sync::atomic<int> top_{0};
  sync::atomic<int> bottom_{0};
  sync::atomic<ring*> ring_{rings_[0].get()};
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
