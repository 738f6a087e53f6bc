// Parkers and handshakes that lose a wake, or make one up.
#pragma once

#include <mutex>

#include <heddle/scheduler/workers/parker.hpp>
#include <heddle/sync.hpp>

#include "program.hpp"

namespace heddle::inline HEDDLE_ON::known_bad {

enum class parker_flaw {
  sound,
  no_memory,       ///< B80, B21: a wake that finds nobody asleep leaves nothing behind
  beside_mutex,    ///< B48: the token is stored, and the notify sent, without the mutex
  if_not_while,    ///< B30: any return of the wait is taken for a wake
  swallowed_token  ///< B32: a wait that ends by time throws away the token that has just come
};

template <parker_flaw Flaw>
class bad_parker {
 public:
  bool park() {
    std::unique_lock lock(mutex_);
    asleep_.write(true);
    if constexpr (Flaw == parker_flaw::no_memory) {
      wakeup_.wait(lock);
      asleep_.write(false);
      return true;
    }
    if constexpr (Flaw == parker_flaw::if_not_while) {
      if (!token_.load()) wakeup_.wait(lock);
    } else {
      while (!token_.load()) wakeup_.wait(lock);
    }
    asleep_.write(false);
    token_.store(false);
    return true;
  }

  bool park_for(std::chrono::nanoseconds time) {
    std::unique_lock lock(mutex_);
    while (!token_.load()) {
      if (wakeup_.wait_for(lock, time) == sync::cv_status::timeout) {
        const bool late = token_.exchange(false);
        return Flaw == parker_flaw::swallowed_token ? false : late;
      }
    }
    token_.store(false);
    return true;
  }

  void unpark() {
    if constexpr (Flaw == parker_flaw::beside_mutex) {
      token_.store(true);
      wakeup_.notify_one();
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      if (Flaw == parker_flaw::no_memory && !asleep_.read()) return;
      token_.store(true);
    }
    wakeup_.notify_one();
  }

 private:
  sync::mutex mutex_;
  sync::condition_variable wakeup_;
  sync::cell<bool> asleep_{false};  // guarded by mutex_
  sync::atomic<bool> token_{false};
};

/// One wake, one sleeper; it must end, and for the wake's reason.
template <parker_flaw Flaw>
class one_wake {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      work_.store(1);
      parker_.unpark();
      return;
    }
    (void)parker_.park();
    require(Check::wait_has_reason, work_.load() == 1);
  }
  void after() {}

 private:
  bad_parker<Flaw> parker_;
  sync::atomic<int> work_{0};
};

/// A wait with a deadline, and when that has passed one without. The wake is for one of the two.
template <parker_flaw Flaw>
class deadline_then_park {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      parker_.unpark();
      return;
    }
    if (!parker_.park_for(std::chrono::milliseconds(1))) (void)parker_.park();
  }
  void after() {}

 private:
  bad_parker<Flaw> parker_;
};

/// B85: a waiter that comes after the notification takes it from the one that it was for.
template <bool Sound>
class late_waiter {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 0) {  // the early waiter
      std::unique_lock lock(mutex_);
      waiting_.write(waiting_.read() + 1);
      while (tokens_.read() == 0) changed_.wait(lock);
      tokens_.write(tokens_.read() - 1);
    } else if (index == 1) {
      {
        const std::lock_guard lock(mutex_);
        tokens_.write(1);
        for_early_.write(waiting_.read() != 0);
      }
      changed_.notify_all();
    } else {  // the late one; it does not wait, as that could be for ever
      const std::lock_guard lock(mutex_);
      const bool late = for_early_.read() && tokens_.read() != 0;
      if (!Sound && late) tokens_.write(0);  // sound: a token minted before it came is not for it
    }
  }
  void after() {}

 private:
  sync::mutex mutex_;
  sync::condition_variable changed_;
  sync::cell<int> waiting_{0};  // guarded by mutex_, as the others
  sync::cell<int> tokens_{0};
  sync::cell<bool> for_early_{false};
};

/// B84: the handshake of parking by read-modify-writes, one of which is too weak; the other is
/// seq_cst. And an event counter of one bit, which two submissions bring back to where it was.
template <bool Sound>
class weak_latch {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      latch_.exchange(1, Sound ? sync::memory_order_seq_cst : sync::memory_order_acq_rel);
      if (sleepy_.load(sync::memory_order_seq_cst) != 0) parker_.unpark();
      return;
    }
    sleepy_.exchange(1, sync::memory_order_seq_cst);
    if (latch_.load(sync::memory_order_seq_cst) == 0) (void)parker_.park();
  }
  void after() {}

 private:
  sync::atomic<int> latch_{0};
  sync::atomic<int> sleepy_{0};
  Parker parker_;
};

template <bool Sound>
class event_count_rolls_over {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      for (int i = 0; i < 2; ++i) submit();
      return;
    }
    const unsigned seen = events_.load() & mask;
    if (work_.load() != 0) return;
    const std::lock_guard no_submission(mutex_);
    if ((events_.load() & mask) != seen) return;
    asleep_.write(true);
    waits_ = true;
  }
  /// What it fell asleep for is there: then it would sleep for ever.
  void after() {
    if (!waits_) return;
    if (woken_) return;
    require(Check::nothing_lost, work_.load() == 0);
  }

 private:
  static constexpr unsigned mask = Sound ? 7 : 1;

  void submit() {
    work_.fetch_add(1);
    events_.fetch_add(1);
    const std::lock_guard lock(mutex_);
    if (asleep_.read()) woken_ = true;
  }

  sync::atomic<unsigned> events_{0};
  sync::atomic<int> work_{0};
  sync::mutex mutex_;
  sync::cell<bool> asleep_{false};  // guarded by mutex_
  bool waits_ = false;
  bool woken_ = false;
};

/// B83: a worker learns of the work from a relaxed hint, and wakes another one for it. That one has
/// seen nothing of the submission itself.
template <bool Sound>
class relaxed_probe {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 0) {
      queue_.store(1, sync::memory_order_release);
      hint_.store(1, Sound ? sync::memory_order_release : sync::memory_order_relaxed);
    } else if (index == 1) {
      if (hint_.load(Sound ? sync::memory_order_acquire : sync::memory_order_relaxed) == 0) return;
      parker_.unpark();
      woke_.store(true, sync::memory_order_release);
    } else if (woke_.load(sync::memory_order_acquire)) {
      (void)parker_.park();  // there is a token
      if (queue_.load(sync::memory_order_acquire) == 0) (void)parker_.park();
    }
  }
  void after() {}

 private:
  sync::atomic<int> queue_{0};
  sync::atomic<int> hint_{0};
  sync::atomic<bool> woke_{false};
  Parker parker_;
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
