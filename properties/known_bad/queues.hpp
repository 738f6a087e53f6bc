// Queues that lose, double or never end, in small form.
#pragma once

#include <heddle/scheduler/workers/parker.hpp>
#include <heddle/sync.hpp>

#include "program.hpp"

namespace heddle::inline HEDDLE_ON::known_bad {

enum class take_flaw {
  sound,
  load_store,    ///< takes by a load and a store: two may take the same
  empty_is_item  ///< what is left in the variable is handed out when there was nothing
};

/// One item, and two that want it.
template <take_flaw Flaw>
class one_item {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned) {
    int item = 0;
    if constexpr (Flaw == take_flaw::load_store) {
      item = place_.load();
      place_.store(0);
    } else {
      item = place_.exchange(0);
    }
    if (item != 0 || Flaw == take_flaw::empty_is_item) taken_.take(item);
  }
  void after() { taken_.check_nothing_lost(); }

 private:
  sync::atomic<int> place_{1};
  taken_items taken_{1};
};

/// B05: a thief claims a slot first and copies it afterwards; the owner counts the claimed slot as
/// free.
template <bool Sound>
class claim_then_copy {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      take_one();
      return;
    }
    for (int item = 1; item <= items; ++item) {
      if (tail_ - head_.load() == capacity) take_one();
      slots_[tail_ % capacity].store(item);
      published_.store(++tail_);
    }
  }
  void after() {
    for (int i = 0; i < items; ++i) take_one();
    taken_.check_nothing_lost();
  }

 private:
  static constexpr unsigned capacity = 2;
  static constexpr int items = 3;

  void take_one() {
    unsigned head = head_.load();
    if (head == published_.load()) return;
    int item = Sound ? slots_[head % capacity].load() : 0;
    if (!head_.compare_exchange_strong(head, head + 1)) return;
    if (!Sound) item = slots_[head % capacity].load();
    taken_.take(item);
  }

  std::array<sync::atomic<int>, capacity> slots_;
  sync::atomic<unsigned> head_{0};
  sync::atomic<unsigned> published_{0};
  unsigned tail_ = 0;
  taken_items taken_{items};
};

/// B05, second half: indices with as many values as the ring has slots: full looks like empty.
template <bool Sound>
class index_as_wide_as_ring {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      take_one();
      return;
    }
    for (const int item : {1, 2}) {
      slots_[tail_ % capacity].store(item);
      tail_ = (tail_ + 1) % values;
      published_.store(tail_);
    }
  }
  void after() {
    take_one();
    take_one();
    taken_.check_nothing_lost();
  }

 private:
  static constexpr unsigned capacity = 2;
  static constexpr unsigned values = Sound ? 2 * capacity : capacity;

  void take_one() {
    unsigned head = head_.load();
    if (head == published_.load()) return;
    const int item = slots_[head % capacity].load();
    if (head_.compare_exchange_strong(head, (head + 1) % values)) taken_.take(item);
  }

  std::array<sync::atomic<int>, capacity> slots_;
  sync::atomic<unsigned> head_{0};
  sync::atomic<unsigned> published_{0};
  unsigned tail_ = 0;
  taken_items taken_{2};
};

/// B12, H9: a queue of linked nodes answers "empty" while a producer is between exchange and link.
/// Producers count first; only the one that raises the count from zero wakes the consumer.
template <bool Sound>
class half_linked {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index != 0) {
      push(index);
      return;
    }
    for (int got = 0; got < 2;) {
      if (pop()) {
        ++got;
        counted_.fetch_sub(1);
      } else if (!Sound || counted_.load() == 0) {
        (void)parker_.park();
      } else {
        sync::spin_hint();
      }
    }
  }
  void after() {}

 private:
  void push(unsigned node) {
    const bool first = counted_.fetch_add(1) == 0;
    const unsigned before = newest_.exchange(node);
    next_[before].store(node);
    if (first) parker_.unpark();
  }
  /// Leaves the last node in place as the one before the next.
  bool pop() {
    const unsigned next = next_[oldest_].load();
    if (next == 0) return false;
    oldest_ = next;
    return true;
  }

  std::array<sync::atomic<unsigned>, 3> next_;
  sync::atomic<unsigned> newest_{0};
  unsigned oldest_ = 0;
  sync::atomic<int> counted_{0};
  Parker parker_;
};

/// B42: one consumer takes an item without its permit. The next permit stands for nothing.
template <bool Sound>
class permits_and_items {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 0) {
      items_.fetch_add(1);
      permits_.fetch_add(1);
    } else if (index == 1) {
      if (!acquire()) return;
      while (!pop()) sync::spin_hint();
    } else {
      if (Sound && !acquire()) return;
      (void)pop();
    }
  }
  void after() {}

 private:
  bool acquire() { return lower(permits_); }
  bool pop() { return lower(items_); }
  static bool lower(sync::atomic<int>& count) {
    int seen = count.load();
    while (seen != 0) {
      if (count.compare_exchange_strong(seen, seen - 1)) return true;
    }
    return false;
  }

  sync::atomic<int> items_{0};
  sync::atomic<int> permits_{0};
};

/// B46: two workers send to each other's bounded inboxes, and wait for room without emptying their
/// own.
template <bool Sound>
class full_inboxes {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    sync::atomic<int>& mine = inbox_[index];
    sync::atomic<int>& other = inbox_[1 - index];
    for (int sent = 0; sent < 2;) {
      int empty = 0;
      if (other.compare_exchange_strong(empty, 1)) {
        ++sent;
      } else if (Sound && mine.load() != 0) {
        mine.store(0);
      } else {
        sync::spin_hint();
      }
    }
    // Done with its own step: serves its inbox until the other one is done, too.
    done_.fetch_add(1);
    while (done_.load() != 2) {
      if (mine.load() != 0) {
        mine.store(0);
      } else {
        sync::spin_hint();
      }
    }
  }
  void after() {}

 private:
  std::array<sync::atomic<int>, 2> inbox_;
  sync::atomic<int> done_{0};
};

/// B77: whoever has seen a batch insists on getting some of it.
template <bool Sound>
class insisting_drain {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      (void)take();
      return;
    }
    while (size_.load() != 0) {
      while (!take()) {
        if (Sound) break;
        sync::spin_hint();
      }
    }
  }
  void after() { require(Check::counts_exact, size_.load() == 0); }

 private:
  bool take() {
    int seen = size_.load();
    while (seen != 0) {
      if (size_.compare_exchange_strong(seen, seen - 1)) return true;
    }
    return false;
  }

  sync::atomic<int> size_{1};
};

/// B73: a producer finds the queue full and sets "paused"; the consumer has emptied it in between.
template <bool Sound>
class backpressure {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      depth_.store(0);
      if (paused_.exchange(false)) parker_.unpark();
      return;
    }
    if (depth_.load() < limit) return;
    paused_.store(true);
    if (Sound && depth_.load() < limit && paused_.exchange(false)) return;
    (void)parker_.park();
  }
  void after() {}

 private:
  static constexpr int limit = 1;

  sync::atomic<int> depth_{limit};
  sync::atomic<bool> paused_{false};
  Parker parker_;
};

/// B39: a thief publishes what it has stolen before it runs it, and two pass it to and fro.
template <bool Sound>
class stolen_again {
 public:
  static constexpr unsigned threads = 2;

  stolen_again() { local_[1].store(1, sync::memory_order_relaxed); }

  void thread(unsigned index) {
    for (int round = 0; round < 2; ++round) {
      if (const int item = local_[1 - index].exchange(0); item != 0) {
        steals_.fetch_add(1);
        if (Sound) return;  // it has the item, and runs it
        local_[index].store(item);
      }
      if (local_[index].exchange(0) != 0) return;
    }
  }
  void after() { require(Check::bounded_steals, steals_.load() <= static_cast<int>(threads) - 1); }

 private:
  std::array<sync::atomic<int>, 2> local_;
  sync::atomic<int> steals_{0};
};

/// B61: two processes that wake each other through the worker's next slot; the others wait.
template <bool Sound>
class next_slot {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      queued_.store(1);  // a third process becomes ready
      return;
    }
    int overtaken = 0;
    int slot_runs = 0;
    for (int round = 0; round < 2 * bound; ++round) {
      const bool full_turn = Sound && slot_runs == bound - 1;
      slot_runs = full_turn ? 0 : slot_runs + 1;
      const bool waits = queued_.load() != 0;
      if (full_turn) {
        if (waits) queued_.store(0);
        overtaken = 0;
      } else if (waits) {
        require(Check::bounded_overtaking, ++overtaken <= bound);
      }
    }
  }
  void after() {}

 private:
  static constexpr int bound = 3;

  sync::atomic<int> queued_{0};
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
