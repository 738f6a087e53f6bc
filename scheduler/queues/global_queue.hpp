// The queue that all workers share: new submissions, work without affinity, and what overflows from
// a local queue. First in, first out; a mutex, taken once per batch; its length is read without.
//
// Threads:    any.
// Invariants: I1 size_ is the number of items whenever the mutex is free
// Progress:   blocking, for a bounded number of pointer moves.
// Checked by: properties/queues/global_queue_scenarios.cpp, properties/queues/queues_std_test.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>

#include <heddle/scheduler/limits.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

template <class T>
class GlobalQueue {
 public:
  /// Throws: std::bad_alloc; the queue is as before.
  void push(T item) { push_all(std::span<const T>(&item, 1)); }
  void push_all(std::span<const T> items) {
    const std::lock_guard lock(mutex_);
    items_.insert(items_.end(), items.begin(), items.end());
    publish_size();
  }

  /// Takes the oldest items into `out`: the share of one of `workers`, at least one if there is
  /// any, at most as many as fit. Returns how many.
  std::size_t pop_share(std::span<T> out, std::size_t workers) {
    if (size() == 0) return 0;
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return 0;
    const std::size_t share = items_.size() / std::max<std::size_t>(workers, 1);
    const std::size_t count = std::min(std::max<std::size_t>(share, 1), out.size());
    std::copy_n(items_.begin(), count, out.begin());
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(count));
    publish_size();
    return count;
  }

  std::size_t size() const { return size_.load(sync::memory_order_relaxed); }

 private:
  // relaxed, here and in size(): a hint; the mutex orders the items, and whoever must not miss an
  // item puts a fence between its own announcement and the read (workers/idle_set.hpp).
  void publish_size() { size_.store(items_.size(), sync::memory_order_relaxed); }

  sync::mutex mutex_;
  std::deque<T> items_;  // guarded by mutex_
  alignas(separate_lines) sync::atomic<std::size_t> size_{0};
};

}  // namespace heddle::inline HEDDLE_ON
