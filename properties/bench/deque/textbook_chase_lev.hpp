// The plain deque that heddle's is compared with: one item per steal, fences, a ring that grows.
// Source: Lê, Pop, Cohen, Zappa Nardelli: Correct and Efficient Work-Stealing for Weak Memory
// Models (PPoPP 2013), with the store of bottom a release as C++20 needs it. Replaced rings leak
// until the deque dies. For benchmarks only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::bench {

template <class T>
class textbook_chase_lev {
 public:
  textbook_chase_lev() { replace(std::make_unique<ring>(256)); }

  void push(T item) {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
    const std::int64_t top = top_.load(std::memory_order_acquire);
    ring* slots = ring_.load(std::memory_order_relaxed);
    if (bottom - top >= slots->capacity) [[unlikely]]
      slots = grow(slots, top, bottom);
    slots->put(bottom, item);
    bottom_.store(bottom + 1, std::memory_order_release);
  }

  bool pop(T& item) {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    ring* const slots = ring_.load(std::memory_order_relaxed);
    bottom_.store(bottom, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::int64_t top = top_.load(std::memory_order_relaxed);
    bool mine = top <= bottom;
    if (mine) item = slots->get(bottom);
    if (top == bottom) {
      mine = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                          std::memory_order_relaxed);
    }
    if (top >= bottom) bottom_.store(bottom + 1, std::memory_order_release);
    return mine;
  }

  bool steal(T& item) {
    std::int64_t top = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (top >= bottom_.load(std::memory_order_acquire)) return false;
    item = ring_.load(std::memory_order_acquire)->get(top);
    return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed);
  }

 private:
  struct ring {
    explicit ring(std::int64_t size)
        : capacity(size),
          slots(std::make_unique<std::atomic<T>[]>(static_cast<std::size_t>(size))) {}
    T get(std::int64_t i) const { return at(i).load(std::memory_order_relaxed); }
    void put(std::int64_t i, T item) { at(i).store(item, std::memory_order_relaxed); }
    std::atomic<T>& at(std::int64_t i) const {
      return slots[static_cast<std::size_t>(i & (capacity - 1))];
    }
    const std::int64_t capacity;
    const std::unique_ptr<std::atomic<T>[]> slots;
  };

  ring* replace(std::unique_ptr<ring> next) {
    ring_.store(next.get(), std::memory_order_release);
    rings_.push_back(std::move(next));
    return rings_.back().get();
  }

  ring* grow(ring* slots, std::int64_t top, std::int64_t bottom) {
    auto bigger = std::make_unique<ring>(slots->capacity * 2);
    for (std::int64_t i = top; i < bottom; ++i) bigger->put(i, slots->get(i));
    return replace(std::move(bigger));
  }

  alignas(128) std::atomic<std::int64_t> top_{0};
  alignas(128) std::atomic<std::int64_t> bottom_{0};
  std::atomic<ring*> ring_{nullptr};
  std::vector<std::unique_ptr<ring>> rings_;
};

}  // namespace heddle::bench
