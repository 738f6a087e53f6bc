// The lock-free structures among the anchor programs: the classical Chase-Lev deque and the Treiber
// stack, small and with fixed arrays, as other checkers count them.
#pragma once

#include "anchor_programs.hpp"

namespace heddle::litmus::anchors {

/// The deque of Chase and Lev with the orders of Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013), or
/// with seq_cst throughout (failed exchanges included) and no fences.
class ChaseLevDeque {
 public:
  static constexpr int nothing = -1;
  static constexpr int lost_race = -2;

  explicit ChaseLevDeque(bool all_seq_cst) : all_seq_cst_(all_seq_cst) { make(ring_, ring_size); }

  void push(int item) {
    const int bottom = bottom_.load(plain());
    if (!all_seq_cst_) top_.load(acquire);  // where a growing deque would look for room
    at(ring_, bottom % ring_size).store(item, plain());
    fence(release);
    bottom_.store(bottom + 1, plain());
  }

  int pop() {
    const int bottom = bottom_.load(plain()) - 1;
    bottom_.store(bottom, plain());
    fence(seq_cst);
    int top = top_.load(plain());
    if (top > bottom) {
      bottom_.store(bottom + 1, plain());
      return nothing;
    }
    int item = at(ring_, bottom % ring_size).load(plain());
    if (top == bottom) {
      if (!top_.compare_exchange_strong(top, top + 1, seq_cst, failed())) item = nothing;
      bottom_.store(bottom + 1, plain());
    }
    return item;
  }

  int steal() {
    int top = top_.load(all_seq_cst_ ? seq_cst : acquire);
    fence(seq_cst);
    const int bottom = bottom_.load(all_seq_cst_ ? seq_cst : acquire);
    if (top >= bottom) return nothing;
    const int item = at(ring_, top % ring_size).load(plain());
    if (!top_.compare_exchange_strong(top, top + 1, seq_cst, failed())) return lost_race;
    return item;
  }

 private:
  static constexpr int ring_size = 8;

  std::memory_order plain() const noexcept { return all_seq_cst_ ? seq_cst : relaxed; }
  std::memory_order failed() const noexcept { return all_seq_cst_ ? seq_cst : relaxed; }
  void fence(std::memory_order order) const {
    if (!all_seq_cst_) sim::atomic_thread_fence(order);
  }

  const bool all_seq_cst_;
  sim::atomic<int> top_{0};
  sim::atomic<int> bottom_{0};
  Integers ring_;
};

/// The owner pushes and pops, each thief steals once; no item is delivered twice. Executions with
/// 3 pushes, 2 pops and 1, 2, 3 thieves: 18, 659, 24,451 under rc11, 18, 633, 21,958 under sc; all
/// seq_cst with 2, 3, 4 thieves: 457, 13,882, 442,445 under both.
inline Body chase_lev(int thieves, bool all_seq_cst = false, int pushes = 3, int pops = 2) {
  return [=] {
    ChaseLevDeque deque(all_seq_cst);
    Integers delivered;
    make(delivered, pushes + 1);
    const auto deliver = [&](int item) {
      if (item < 1) return;
      sim::check(at(delivered, item).fetch_add(1, relaxed) == 0, "an item is delivered twice");
    };
    Crew crew;
    crew.add(1, [&, pushes, pops](int) {
      for (int i = 1; i <= pushes; ++i) deque.push(i);
      for (int i = 0; i < pops; ++i) deliver(deque.pop());
    });
    crew.add(thieves, [&](int) { deliver(deque.steal()); });
  };
}

enum class AfterLostPop { retry, give_up };

/// Treiber's stack: each of n threads pushes its node and pops one. Nodes are numbers, 0 is none.
/// With 3 threads 25,680 executions; 2,640 when a thread that loses a pop is taken for one that
/// spins and is not followed any further, which is how other tools count.
inline Body treiber(int n, AfterLostPop after_lost_pop) {
  return [=] {
    sim::atomic<int> head{0};
    Integers next;
    make(next, n + 1);
    std::deque<sim::cell<int>> value;
    for (int i = 0; i <= n; ++i) value.emplace_back(0);
    std::vector<int> popped(static_cast<std::size_t>(n), 0);
    {
      Crew crew;
      crew.add(n, [&](int i) {
        const int me = i + 1;
        value[static_cast<std::size_t>(me)].write(me);
        int old = head.load(relaxed);
        do {
          at(next, me).store(old, relaxed);
        } while (!head.compare_exchange_strong(old, me, release, relaxed));
        int top = head.load(acquire);
        while (top != 0) {
          const int below = at(next, top).load(relaxed);
          if (head.compare_exchange_strong(top, below, acquire, acquire)) {
            popped[static_cast<std::size_t>(i)] = value[static_cast<std::size_t>(top)].read();
            break;
          }
          sim::assume(after_lost_pop == AfterLostPop::retry);
        }
      });
    }
    std::vector<int> times(static_cast<std::size_t>(n) + 1, 0);
    for (const int item : popped) {
      sim::check(item == 0 || ++times[static_cast<std::size_t>(item)] == 1, "popped twice");
    }
  };
}

}  // namespace heddle::litmus::anchors
