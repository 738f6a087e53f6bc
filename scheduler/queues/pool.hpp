// Free objects of a slab, handed out cheaply: each worker keeps a magazine of up to two chains of
// free objects and exchanges whole chains with a central list. After Bonwick and Adams, Magazines
// and Vmem (USENIX 2001).
//
// Threads:    a Magazine belongs to one thread at a time; everything else by any thread.
// State:      free objects are linked through T::pool_next (a sync::cell<uint32_t>); index 0 ends a
//             chain and is never handed out.
// Invariants: I1 an object is in exactly one of: a magazine, a central chain, the loose chain, use
//             I2 central chains and a magazine's spare have exactly Limits::pool_chain objects
// Progress:   take and give of a magazine are wait-free, but for one locked exchange in at least
//             Limits::pool_chain calls.
// Checked by: properties/queues/pool_scenarios.cpp, properties/queues/pool_std_test.cpp
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include <heddle/scheduler/queues/slab.hpp>

namespace heddle::inline HEDDLE_ON {

template <class T, class Limits = DefaultLimits>
class Pool {
 public:
  /// A chain of free objects.
  struct Chain {
    std::uint32_t head = 0;
    std::uint32_t count = 0;
  };

  class Magazine {
   public:
    Magazine() = default;
    Magazine(const Magazine&) = delete;
    Magazine& operator=(const Magazine&) = delete;

   private:
    friend class Pool;
    Chain current_;
    Chain spare_;
  };

  Pool() { (void)slab_.grow(); }  // index 0 means "none"

  T& at(std::uint32_t index) const { return slab_.at(index); }
  /// The object, or null when the index was never handed out: for indices from outside.
  T* find(std::uint32_t index) const {
    return index != 0 && index < slab_.size() ? &slab_.at(index) : nullptr;
  }
  /// Objects have indices from 1 to size() - 1.
  std::uint32_t size() const { return slab_.size(); }

  /// Throws: std::bad_alloc; nothing has changed then.
  T& take(Magazine& magazine) {
    if (magazine.current_.count == 0) [[unlikely]]
      refill(magazine);
    return pop(magazine.current_);
  }
  void give(Magazine& magazine, T& object) {
    if (magazine.current_.count == Limits::pool_chain) [[unlikely]]
      drain(magazine);
    push(magazine.current_, object);
  }

  /// For threads that have no magazine.
  T& take() {
    const std::lock_guard lock(mutex_);
    if (loose_.count == 0) loose_ = any_chain();
    return pop(loose_);
  }
  void give(T& object) {
    const std::lock_guard lock(mutex_);
    push(loose_, object);
    if (loose_.count == Limits::pool_chain) full_.push_back(std::exchange(loose_, Chain{}));
  }

  /// Gives everything in the magazine back; for a thread that ends.
  void empty(Magazine& magazine) {
    const std::lock_guard lock(mutex_);
    for (Chain* chain : {&magazine.current_, &magazine.spare_}) {
      while (chain->count != 0) {
        push(loose_, pop(*chain));
        if (loose_.count == Limits::pool_chain) full_.push_back(std::exchange(loose_, Chain{}));
      }
    }
  }

 private:
  T& pop(Chain& chain) {
    T& object = slab_.at(chain.head);
    chain.head = object.pool_next.read();
    --chain.count;
    // Free objects lie where their last users were: the next one is asked for while this one is
    // put to use. Index 0 is an object too.
    if constexpr (!sync::limits_are_small) __builtin_prefetch(&slab_.at(chain.head), 1);
    return object;
  }
  void push(Chain& chain, T& object) {
    object.pool_next.write(chain.head);
    chain.head = object.pool_index;
    ++chain.count;
  }

  void refill(Magazine& magazine) {
    if (magazine.spare_.count != 0) {
      magazine.current_ = std::exchange(magazine.spare_, Chain{});
      return;
    }
    const std::lock_guard lock(mutex_);
    magazine.current_ = any_chain();
  }
  void drain(Magazine& magazine) {
    if (magazine.spare_.count != 0) {
      const std::lock_guard lock(mutex_);
      full_.push_back(magazine.spare_);
    }
    magazine.spare_ = std::exchange(magazine.current_, Chain{});
  }

  /// A chain that is not empty. Called with the mutex held.
  Chain any_chain() {
    if (!full_.empty()) {
      const Chain chain = full_.back();
      full_.pop_back();
      return chain;
    }
    if (loose_.count != 0) return std::exchange(loose_, Chain{});
    return fresh_chain();
  }
  Chain fresh_chain() {
    std::uint32_t made[Limits::pool_chain];
    std::uint32_t count = 0;
    try {
      while (count < Limits::pool_chain) {
        made[count] = slab_.grow();
        ++count;
      }
    } catch (...) {
      if (count == 0) throw;  // with fewer than wanted one can still go on
    }
    Chain chain;
    // The last one made goes in first: objects then leave in the order of their addresses.
    while (count != 0) push(chain, slab_.at(made[--count]));
    return chain;
  }

  Slab<T, Limits> slab_;
  sync::mutex mutex_;
  std::vector<Chain> full_;  // guarded by mutex_
  Chain loose_;              // guarded by mutex_
};

}  // namespace heddle::inline HEDDLE_ON
