#include <heddle/sim/runtime/condition_variable.hpp>

#include <heddle/sim/runtime/wait_queue.hpp>

namespace heddle::sim {

using runtime::wait_reason;

condition_variable::condition_variable(source_location site)
    : waiters_({}, sizeof(runtime::value), runtime::location_role::condition_variable,
               "condition_variable", site) {}

condition_variable::~condition_variable() {
  if (runtime::current_core == nullptr) return;
  if (runtime::current_core->waiting_at(waiters_.reference().id) != nullptr) {
    runtime::current_core->fail(FailureKind::misuse,
                                "a condition_variable is destroyed while a thread waits on it",
                                source_location{});
  }
}

// The internal RMWs are relaxed: only the mutex orders what the threads did.
void condition_variable::notify_one(source_location site) {
  runtime::notify_one(waiters_.reference(), std::memory_order_relaxed, false, site);
}

void condition_variable::notify_all(source_location site) {
  runtime::notify_all(waiters_.reference(), std::memory_order_relaxed, false, site);
}

cv_status condition_variable::wait_on(mutex& held, bool owned, const clock::time_point* deadline,
                                      source_location site) {
  runtime::core& core = runtime::here("sim::condition_variable", site);
  if (!owned) {
    core.fail(FailureKind::misuse, "condition_variable::wait without holding the lock", site);
  }
  enum : unsigned { notified, by_time, spurious };
  cv_status status = cv_status::no_timeout;
  {
    runtime::WaitTicket ticket(waiters_.reference(), std::memory_order_relaxed, site);
    held.unlock(site);
    const bool timed = deadline != nullptr && core.timeouts_may_fire();
    const bool may_wake = core.may_wake_spuriously();
    unsigned how =
        core.choose(1U + (timed ? 1 : 0) + (may_wake ? 1 : 0), "how the wait ends", site);
    if (how == by_time && !timed) how = spurious;
    if (how == notified) {
      ticket.await(timed ? wait_reason::timed : wait_reason::condition_variable, site);
    } else {
      if (how == spurious) core.take_spurious_wakeup();
      const bool left = ticket.leave(wait_reason::condition_variable, site);
      if (how == by_time) {
        if (left) status = cv_status::timeout;
        reach(*deadline, site);
      }
    }
  }
  held.lock(site);
  return status;
}

}  // namespace heddle::sim
