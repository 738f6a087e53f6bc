// Where one worker sleeps. A wake is a token that is kept until it is used, so it does not matter
// which of park and unpark comes first.
//
// Threads:    park by the one owner; unpark by any.
// State:      empty; parked (the owner sleeps, or is about to, with the mutex); token.
// Invariants: I1 there is at most one token: unparks that nobody slept through count once
// Protocol:   unpark: exchange in the token; if the owner was parked, pass through its mutex and
//             notify. Passing through the mutex is what makes the notify safe: an owner that has
//             announced itself but is not waiting yet still holds it (B48).
// Progress:   unpark takes the mutex only when somebody sleeps.
// Checked by: properties/workers/parker_scenarios.cpp, properties/workers/parking_std_test.cpp
#pragma once

#include <mutex>
#include <optional>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

class Parker {
 public:
  /// Returns when there is a token, and takes it; or, with false, when the deadline has passed.
  bool park(std::optional<sync::clock::time_point> deadline = std::nullopt) {
    if (take_token()) return true;
    std::unique_lock lock(mutex_);
    State expected = State::empty;
    // acquire on failure: then it is a token. relaxed on success: unpark() reads this, and what it
    // publishes comes back with the token.
    if (!state_.compare_exchange_strong(expected, State::parked, sync::memory_order_relaxed,
                                        sync::memory_order_relaxed)) {
      return take_token();
    }
    while (state_.load(sync::memory_order_relaxed) != State::token) {
      if (!deadline) {
        wakeup_.wait(lock);
      } else if (wakeup_.wait_until(lock, *deadline) == sync::cv_status::timeout) {
        // acquire: a token may have come at the last moment.
        return state_.exchange(State::empty, sync::memory_order_acquire) == State::token;
      }
    }
    return take_token();
  }

  void unpark() {
    // release: publishes what the owner was woken for to the acquire in take_token(). Of several
    // unparkers too: each exchange goes on in the release sequence of the one before.
    if (state_.exchange(State::token, sync::memory_order_release) != State::parked) return;
    { const std::lock_guard lock(mutex_); }
    wakeup_.notify_one();
  }

 private:
  enum class State : std::uint8_t { empty, parked, token };

  bool take_token() {
    State expected = State::token;
    return state_.compare_exchange_strong(expected, State::empty, sync::memory_order_acquire,
                                          sync::memory_order_relaxed);
  }

  sync::atomic<State> state_{State::empty};
  sync::mutex mutex_;
  sync::condition_variable wakeup_;
};

}  // namespace heddle::inline HEDDLE_ON
