// The slots of a deque: a power of two of atomics, indexed modulo their number.
//
// Threads:    put() by the owner of the deque only; get() by any thread that reached the ring
//             through an acquire load of the pointer that published it.
// Invariants: I1 capacity is a power of two and fixed
//             I2 a ring that has been replaced is never written again, so a thief that still
//                copies from it reads what was there when it was replaced
//             I3 a ring owns the one that it replaced, of half its capacity: together the replaced
//                ones are smaller than the current one, however long the deque lives
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

template <class T>
class deque_ring {
 public:
  explicit deque_ring(std::size_t capacity, std::unique_ptr<deque_ring> replaced = nullptr)
      : mask_(capacity - 1),
        slots_(std::make_unique<sync::atomic<T>[]>(capacity)),
        replaced_(std::move(replaced)) {
    HEDDLE_ASSERT((capacity & (capacity - 1)) == 0, "I1");
    HEDDLE_ASSERT(capacity > 0, "I1");
  }

  std::size_t capacity() const { return static_cast<std::size_t>(mask_.read()) + 1; }

  /// Slots of this ring and of all those that it replaced.
  std::size_t retained() const {
    return capacity() + (replaced_ == nullptr ? 0 : replaced_->retained());
  }

  // relaxed, both: bottom_ of the deque publishes the items and the word settles who owns them.
  T get(std::uint64_t index) const {
    return slots_[index & mask_.read()].load(sync::memory_order_relaxed);
  }
  void put(std::uint64_t index, T item) {
    slots_[index & mask_.read()].store(item, sync::memory_order_relaxed);
  }

  void adopt(std::unique_ptr<deque_ring> replaced) { replaced_ = std::move(replaced); }

 private:
  const sync::cell<std::uint64_t> mask_;
  const std::unique_ptr<sync::atomic<T>[]> slots_;
  std::unique_ptr<deque_ring> replaced_;  // the owner's alone
};

}  // namespace heddle::inline HEDDLE_ON
