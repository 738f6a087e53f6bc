// Shutdowns, limits and lifetimes that go wrong.
#pragma once

#include <memory>
#include <mutex>
#include <stdexcept>

#include <heddle/scheduler/workers/parker.hpp>
#include <heddle/sync.hpp>

#include "program.hpp"

namespace heddle::inline HEDDLE_ON::known_bad {

/// B18: a worker waits for "not too many active" without looking whether it is to stop.
template <bool Sound>
class throttled_worker {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    std::unique_lock lock(mutex_);
    if (index == 1) {  // the one that stops: the active worker has gone, and counts for ever
      stop_.write(true);
      changed_.notify_all();
      return;
    }
    while (active_.read() >= max && !(Sound && stop_.read())) changed_.wait(lock);
  }
  void after() {}

 private:
  static constexpr int max = 1;

  sync::mutex mutex_;
  sync::condition_variable changed_;
  sync::cell<int> active_{max};  // guarded by mutex_, as stop_
  sync::cell<bool> stop_{false};
};

/// B19: a worker that was woken for the shutdown finds no work, and sleeps again.
template <bool Sound>
class sleeps_again {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      stop_.store(true);
      parker_.unpark();
      return;
    }
    while (!stop_.load()) {
      (void)parker_.park();
      if (Sound || work_.load() != 0) continue;
      (void)parker_.park();
    }
  }
  void after() {}

 private:
  sync::atomic<bool> stop_{false};
  sync::atomic<int> work_{0};
  Parker parker_;
};

/// H7, B14: once it is told to stop, a worker leaves when its queue is empty, although a process
/// still waits for a completion.
template <bool Sound>
class leaves_too_early {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 1) {
      completions_.store(1);
      parker_.unpark();
    } else if (index == 2) {
      stop_.store(true);
      parker_.unpark();
    } else {
      for (;;) {
        if (completions_.exchange(0) != 0) live_.store(0);
        const bool may_leave = Sound ? live_.load() == 0 : completions_.load() == 0;
        if (stop_.load() && may_leave) return;
        (void)parker_.park();
      }
    }
  }
  void after() { require(Check::everything_closed, live_.load() == 0); }

 private:
  sync::atomic<bool> stop_{false};
  sync::atomic<int> completions_{0};
  sync::atomic<int> live_{1};
  Parker parker_;
};

/// H8: submission looks whether the scheduler stops, and registers afterwards; the sweep of the
/// shutdown has passed.
template <bool Sound>
class submit_and_stop {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      stopping_.store(true);
      if (registered_.load()) asked_.store(true);
      return;
    }
    if (stopping_.load()) return;
    registered_.store(true);
    if (Sound && stopping_.load()) asked_.store(true);
  }
  void after() { require(Check::everything_closed, !registered_.load() || asked_.load()); }

 private:
  sync::atomic<bool> stopping_{false};
  sync::atomic<bool> registered_{false};
  sync::atomic<bool> asked_{false};
};

enum class limit_flaw {
  sound,
  check_then_count,  ///< H8, B91: two see the last place free
  failed_start,      ///< B91: a start that fails keeps its place
  cancelled_twice    ///< B91: a place is given back twice
};

/// Places for processes, or a topic's budget: taken by two, given back by both.
template <limit_flaw Flaw>
class limited_places {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned) {
    if (!reserve()) return;
    const int inside = inside_.fetch_add(1) + 1;
    require(Check::within_limit, inside <= limit);
    inside_.fetch_sub(1);
    if constexpr (Flaw == limit_flaw::failed_start) return;
    taken_.fetch_sub(1);
    if constexpr (Flaw == limit_flaw::cancelled_twice) taken_.fetch_sub(1);
  }
  void after() { require(Check::given_back, taken_.load() == 0); }

 private:
  static constexpr int limit = 1;

  bool reserve() {
    int taken = taken_.load();
    while (taken < limit) {
      if constexpr (Flaw == limit_flaw::check_then_count) {
        taken_.fetch_add(1);
        return true;
      }
      if (taken_.compare_exchange_strong(taken, taken + 1)) return true;
    }
    return false;
  }

  sync::atomic<int> taken_{0};
  sync::atomic<int> inside_{0};
};

/// A reservation of one occupant's budget is released when the slot has the next one.
template <bool Sound>
class late_release {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    const std::lock_guard lock(mutex_);
    if (index == 1) {  // the reservation goes
      if (!Sound || life_.read() == 0) used_.write(used_.read() - 1);
      return;
    }
    life_.write(1);
    used_.write(0);
  }
  void after() { require(Check::given_back, used_.read() == 0); }

 private:
  sync::mutex mutex_;
  sync::cell<int> life_{0};  // guarded by mutex_, as used_
  sync::cell<int> used_{1};
};

/// B63: the step throws, and the count that somebody waits for is not lowered.
template <bool Sound>
class throwing_step {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 0) {
      (void)done_.park();
      return;
    }
    try {
      step();
      if (!Sound) done_.unpark();
    } catch (const std::runtime_error&) {
    }
    if (Sound) done_.unpark();
  }
  void after() {}

 private:
  static void step() { throw std::runtime_error("the step failed"); }

  Parker done_;
};

/// B25: a worker stops for good with a lock held.
template <bool Sound>
class lock_kept {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    mutex_.lock();
    items_.write(items_.read() + 1);
    if (index == 0 && !Sound) (void)stopped_.park();
    mutex_.unlock();
    if (index == 1) stopped_.unpark();  // joins it
  }
  void after() {}

 private:
  sync::mutex mutex_;
  sync::cell<int> items_{0};  // guarded by mutex_
  Parker stopped_;
};

/// B66: start() says "running" when the workers are there, whatever was said meanwhile.
template <bool Sound>
class start_and_stop {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      stage_.exchange(stopping);
      return;
    }
    unsigned seen = starting;
    if (Sound) {
      stage_.compare_exchange_strong(seen, running);
    } else {
      stage_.store(running);
    }
    while (stage_.load() != stopping) sync::spin_hint();
  }
  void after() {}

 private:
  static constexpr unsigned starting = 0;
  static constexpr unsigned running = 1;
  static constexpr unsigned stopping = 2;

  sync::atomic<unsigned> stage_{starting};
};

/// B68: a waker puts the process into a queue, and goes on to use the scheduler.
template <bool Sound>
class publish_then_touch {
 public:
  static constexpr unsigned threads = 2;

  publish_then_touch() : scheduler_(std::make_unique<scheduler>()), waker_(scheduler_.get()) {}

  void thread(unsigned index) {
    if (index == 1) {
      if (Sound) waker_->notified.store(1);
      waker_->queue.store(1);
      if (!Sound) waker_->notified.store(1);
      return;
    }
    while (waker_->queue.load() == 0) sync::spin_hint();
    scheduler_.reset();
  }
  void after() {}

 private:
  struct scheduler {
    sync::atomic<int> queue{0};
    sync::atomic<int> notified{0};
  };
  std::unique_ptr<scheduler> scheduler_;
  scheduler* const waker_;
};

/// B50: a waiter sees that it is over, returns, and destroys what the completer is about to lock.
template <bool Sound>
class waiter_returns {
 public:
  static constexpr unsigned threads = 2;

  waiter_returns() : event_(std::make_unique<event>()), completer_(event_.get()) {}

  void thread(unsigned index) {
    if (index == 1) {
      if (!Sound) completer_->done.store(true);
      std::unique_lock lock(completer_->mutex);
      completer_->done.store(true);
      completer_->changed.notify_one();
      return;
    }
    {
      std::unique_lock lock(completer_->mutex);
      while (!completer_->done.load()) completer_->changed.wait(lock);
    }
    event_.reset();
  }
  void after() {}

 private:
  struct event {
    sync::mutex mutex;
    sync::condition_variable changed;
    sync::atomic<bool> done{false};
  };
  std::unique_ptr<event> event_;
  event* const completer_;
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
