// A process's state word, its wakeup flag and its queue, as schedulers get them wrong. The process
// runs when the program starts.
#pragma once

#include <heddle/sync.hpp>

#include "program.hpp"

namespace heddle::inline HEDDLE_ON::known_bad {

enum class word_flaw {
  sound,
  single_shot,      ///< B67: running → ready by one exchange: a wake in between makes it fail
  stale_wakeup,     ///< H10: the events are looked at, and the flag survives the way to blocked
  blocked_too_soon  ///< B70: blocked before the worker's last use of the process
};

template <word_flaw Flaw>
class state_word {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 0) {
      if constexpr (Flaw != word_flaw::blocked_too_soon) touch();
      let_go(Flaw == word_flaw::single_shot ? ready : blocked);
      if constexpr (Flaw == word_flaw::blocked_too_soon) touch();
    } else if (index == 1) {
      events_.fetch_add(1);
      wake();
    } else {
      run_queued();
    }
  }

  void after() {
    for (int steps = 0; steps < 4 && queued_.load() != 0; ++steps) run_queued();
    const unsigned word = word_.load();
    require(Check::at_rest, (word & state_mask) == blocked);
    require(Check::at_rest, events_.load() == 0);
    require(Check::no_flag_left, (word & wakeup) == 0);
  }

 private:
  static constexpr unsigned running = 0;
  static constexpr unsigned ready = 1;
  static constexpr unsigned blocked = 2;
  static constexpr unsigned state_mask = 3;
  static constexpr unsigned wakeup = 4;

  void touch() { process_.write(process_.read() + 1); }

  void wake() {
    unsigned seen = word_.load();
    for (;;) {
      const unsigned state = seen & state_mask;
      const unsigned next = state == blocked ? ready | (seen & wakeup) : seen | wakeup;
      if (state == ready) return;
      if (!word_.compare_exchange_strong(seen, next)) continue;
      if (state == blocked) queued_.fetch_add(1);
      return;
    }
  }

  void let_go(unsigned wanted) {
    unsigned seen = word_.load();
    for (;;) {
      const bool woken =
          Flaw == word_flaw::stale_wakeup ? events_.load() != 0 : (seen & wakeup) != 0;
      const unsigned to = woken ? ready : wanted;
      const unsigned kept = Flaw == word_flaw::stale_wakeup ? seen & wakeup : 0;
      if (word_.compare_exchange_strong(seen, to | kept)) {
        if (to == ready) queued_.fetch_add(1);
        return;
      }
      if constexpr (Flaw == word_flaw::single_shot) return;
    }
  }

  void run_queued() {
    int queued = queued_.load();
    if (queued == 0 || !queued_.compare_exchange_strong(queued, queued - 1)) return;
    unsigned seen = word_.load();
    while (!word_.compare_exchange_strong(seen, running)) continue;
    touch();
    events_.store(0);
    let_go(blocked);
  }

  sync::atomic<unsigned> word_{running};
  sync::atomic<int> queued_{0};
  sync::atomic<int> events_{0};
  sync::cell<int> process_{0};
};

/// B11: two bits say that a process is scheduled, and that somebody is just queueing it.
template <bool Sound>
class two_bit_schedule {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 0) {
      step();
      step();
    } else {
      events_.fetch_add(1);
      wake();
    }
  }
  void after() {
    step();
    step();
    require(Check::at_rest, events_.load() == 0);
  }

 private:
  static constexpr unsigned scheduled = 1;
  static constexpr unsigned scheduling = 2;

  void wake() {
    const unsigned before = flags_.fetch_or(Sound ? scheduled : scheduled | scheduling);
    // The second bit is meant to say: whoever set it will queue the process.
    if ((before & (Sound ? scheduled : scheduled | scheduling)) != 0) return;
    queued_.fetch_add(1);
    if (!Sound) flags_.fetch_and(~scheduling);
  }
  void step() {
    int queued = queued_.load();
    if (queued == 0 || !queued_.compare_exchange_strong(queued, queued - 1)) return;
    flags_.fetch_and(~scheduled);
    events_.store(0);
  }

  sync::atomic<unsigned> flags_{0};
  sync::atomic<int> queued_{0};
  sync::atomic<int> events_{0};
};

/// B52: ready → running is a store, and overwrites a cancellation.
template <bool Sound>
class start_and_cancel {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      acknowledged_ = (word_.fetch_or(cancelled) & complete) == 0;
      return;
    }
    unsigned seen = word_.load();
    if ((seen & cancelled) == 0) {
      if (Sound) {
        while (!word_.compare_exchange_strong(seen, seen | running)) continue;
      } else {
        word_.store(running);
      }
    }
    before_ = word_.exchange(complete);
  }
  void after() { require(Check::cancel_seen, !acknowledged_ || (before_ & cancelled) != 0); }

 private:
  static constexpr unsigned running = 1;
  static constexpr unsigned cancelled = 2;
  static constexpr unsigned complete = 4;

  sync::atomic<unsigned> word_{0};
  bool acknowledged_ = false;
  unsigned before_ = 0;
};

/// B23: a loop of exchanges that does not take the new value.
template <bool Sound>
class change_queue {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    const unsigned mine = 1U << index;
    unsigned expected = word_.load();
    for (;;) {
      unsigned seen = expected;
      if (word_.compare_exchange_strong(seen, expected | mine)) return;
      if (Sound) {
        expected = seen;
      } else {
        sync::spin_hint();
      }
    }
  }
  void after() { require(Check::counts_exact, word_.load() == 3); }

 private:
  sync::atomic<unsigned> word_{0};
};

/// B45: a wake that finds the mailbox empty is taken for the end. Senders push and look under a
/// lock, and wake afterwards.
template <bool Sound>
class empty_mailbox {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 0) {
      step();
      return;
    }
    mutex_.lock();
    messages_.write(messages_.read() + 1);
    const bool wakes = parked_.read();
    mutex_.unlock();
    if (wakes) wakes_.fetch_add(1);
  }
  void after() {
    for (int i = 0; i < 2; ++i) step();
    require(Check::stays_alive, !complete_);
    require(Check::at_rest, messages_.read() == 0);
  }

 private:
  void step() {
    int wakes = wakes_.load();
    if (wakes == 0 || !wakes_.compare_exchange_strong(wakes, wakes - 1)) return;
    mutex_.lock();
    const int got = messages_.read();
    messages_.write(0);
    mutex_.unlock();
    if (got == 0 && !Sound) complete_ = true;
  }

  sync::mutex mutex_;
  sync::cell<int> messages_{0};  // guarded by mutex_
  sync::cell<bool> parked_{true};
  sync::atomic<int> wakes_{0};
  bool complete_ = false;
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
