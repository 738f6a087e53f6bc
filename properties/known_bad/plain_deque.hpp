// A plain Chase-Lev deque of numbers over a ring that does not grow, as most publications have it;
// and the small mistakes that are made with it. `sound` is right: its scenario verifies, so what
// the others are caught for is their mistake and not the frame around it.
// Source: Lê, Pop, Cohen, Zappa Nardelli: Correct and Efficient Work-Stealing for Weak Memory
// Models (PPoPP 2013), in the form with release stores that is often made of it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <heddle/sync.hpp>

namespace heddle::inline HEDDLE_ON::known_bad {

struct sound {
  static constexpr sync::memory_order pop_store = sync::memory_order_release;
  static constexpr bool slot_before_tail = true;
  static constexpr bool top_before_bottom = true;
};

/// In C++11 a thread's later stores continued the release sequence of push's store; in C++20 they
/// do not, so a thief that reads the bottom stored by pop has not seen the slots.
struct relaxed_pop_store : sound {
  static constexpr sync::memory_order pop_store = sync::memory_order_relaxed;
};

/// B82: a thief sees that there is an item before the item is there.
struct tail_before_slot : sound {
  static constexpr bool slot_before_tail = false;
};

/// A thief that looks at bottom first may compare an old bottom with a top of later, and answer
/// that there is nothing while there never was nothing. No item is lost or doubled by it.
struct bottom_before_top : sound {
  static constexpr bool top_before_bottom = false;
};

template <class Choices>
class plain_deque {
 public:
  void push(int item) {
    const int bottom = bottom_.load(sync::memory_order_relaxed);
    if constexpr (Choices::slot_before_tail) {
      slot(bottom).store(item, sync::memory_order_relaxed);
      bottom_.store(bottom + 1, sync::memory_order_release);
    } else {
      bottom_.store(bottom + 1, sync::memory_order_release);
      slot(bottom).store(item, sync::memory_order_relaxed);
    }
  }

  bool pop(int& item) {
    const int bottom = bottom_.load(sync::memory_order_relaxed) - 1;
    bottom_.store(bottom, Choices::pop_store);
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    int top = top_.load(sync::memory_order_relaxed);
    bool mine = top <= bottom;
    if (mine) item = slot(bottom).load(sync::memory_order_relaxed);
    if (top == bottom) mine = take(top, 1);
    if (top >= bottom) bottom_.store(bottom + 1, sync::memory_order_release);
    return mine;
  }

  struct attempt {
    std::size_t count = 0;
    bool lost_race = false;
  };
  attempt try_steal(int& item) { return steal_at_most(std::span<int>(&item, 1)); }
  bool steal(int& item) { return try_steal(item).count == 1; }

 protected:
  static constexpr int slots = 4;

  attempt steal_at_most(std::span<int> out) {
    constexpr bool in_order = Choices::top_before_bottom;
    const int first = (in_order ? top_ : bottom_).load(sync::memory_order_acquire);
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    const int second = (in_order ? bottom_ : top_).load(sync::memory_order_acquire);
    const int top = in_order ? first : second;
    const int size = in_order ? second - top : first - top;
    if (size <= 0) return {};
    const auto half = static_cast<std::size_t>(size > 1 ? size / 2 : 1);
    const std::size_t count = half < out.size() ? half : out.size();
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = slot(top + static_cast<int>(i)).load(sync::memory_order_relaxed);
    }
    return take(top, static_cast<int>(count)) ? attempt{count, false} : attempt{0, true};
  }

 private:
  sync::atomic<int>& slot(int index) { return ring_[static_cast<std::size_t>(index % slots)]; }
  bool take(int top, int count) {
    return top_.compare_exchange_strong(top, top + count, sync::memory_order_seq_cst,
                                        sync::memory_order_relaxed);
  }

  sync::atomic<int> top_{0};
  sync::atomic<int> bottom_{0};
  std::array<sync::atomic<int>, slots> ring_{};
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
