// sim::condition_variable: exact about whom a notify may wake.
//
// Protocol: wait(lock)
//             1. adds itself to the set of waiters     (the mutex is still held)
//             2. unlocks
//             3. waits for its own ticket
//             4. locks
//           notify_one takes one waiter out of the set, any one of them, and gives it its ticket;
//           notify_all takes all. With nobody in the set a notify does nothing: that wake is lost,
//           as it is in life. A spurious wakeup is a choice of the waiter, a bounded number of
//           times per wait. None of this adds happens-before; the mutex does.
// Threads:  as std::condition_variable, with any Lockable.
#pragma once

#include <chrono>
#include <mutex>

#include <heddle/sim/runtime/atomic.hpp>
#include <heddle/sim/runtime/clock.hpp>
#include <heddle/sim/runtime/mutex.hpp>

namespace heddle::sim {

enum class cv_status { no_timeout, timeout };

class condition_variable {
 public:
  explicit condition_variable(source_location site = source_location::current());
  ~condition_variable();
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void notify_one(source_location site = source_location::current());
  void notify_all(source_location site = source_location::current());

  void wait(std::unique_lock<mutex>& lock, source_location site = source_location::current()) {
    wait_on(*lock.mutex(), lock.owns_lock(), nullptr, site);
  }
  template <class Predicate>
  requires std::predicate<Predicate&>
  void wait(std::unique_lock<mutex>& lock, Predicate stop_waiting,
            source_location site = source_location::current()) {
    while (!stop_waiting()) wait(lock, site);
  }
  cv_status wait_until(std::unique_lock<mutex>& lock, clock::time_point deadline,
                       source_location site = source_location::current()) {
    return wait_on(*lock.mutex(), lock.owns_lock(), &deadline, site);
  }
  template <class Predicate>
  requires std::predicate<Predicate&>
  bool wait_until(std::unique_lock<mutex>& lock, clock::time_point deadline, Predicate stop_waiting,
                  source_location site = source_location::current()) {
    while (!stop_waiting()) {
      if (wait_until(lock, deadline, site) == cv_status::timeout) return stop_waiting();
    }
    return true;
  }
  template <class Rep, class Period>
  cv_status wait_for(std::unique_lock<mutex>& lock, std::chrono::duration<Rep, Period> duration,
                     source_location site = source_location::current()) {
    return wait_until(lock, clock::now(site) + duration, site);
  }
  template <class Rep, class Period, class Predicate>
  requires std::predicate<Predicate&>
  bool wait_for(std::unique_lock<mutex>& lock, std::chrono::duration<Rep, Period> duration,
                Predicate stop_waiting, source_location site = source_location::current()) {
    return wait_until(lock, clock::now(site) + duration, std::move(stop_waiting), site);
  }

 private:
  cv_status wait_on(mutex& held, bool owned, const clock::time_point* deadline,
                    source_location site);

  // The set of waiters as a number: each waiter owns one bit of a growing bit set that is kept
  // beside the location; the location orders the changes.
  runtime::atomic_location waiters_;
};

}  // namespace heddle::sim
