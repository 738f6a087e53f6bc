// Numbers that one thread writes and any thread reads, without stopping anybody.
#pragma once

#include <cstdint>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

/// Written by one thread.
class Counter {
 public:
  void add(std::uint64_t n = 1) {
    // release: who reads the count also sees what it counts (live() in core.hpp relies on it).
    value_.store(value_.load(sync::memory_order_relaxed) + n, sync::memory_order_release);
  }
  std::uint64_t read() const { return value_.load(sync::memory_order_acquire); }

 private:
  sync::atomic<std::uint64_t> value_{0};
};

/// What a worker has done. started and finished are processes claimed and given back here: only
/// their sums over all workers mean something.
struct WorkerCounters {
  Counter started;
  Counter finished;
  Counter launched;
  Counter steps;
  Counter stolen;
  Counter parks;
  Counter accepted;
  Counter dropped;
  Counter delivered;
  Counter discarded;
};

}  // namespace heddle::inline HEDDLE_ON
