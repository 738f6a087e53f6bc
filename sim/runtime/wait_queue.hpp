// Sets of waiting threads, on which condition_variable and atomic::wait are built.
//
// State:    one location whose value is a set of thread numbers (at most 128 of them), one ticket
//           location per wait. Joining the set, leaving it and being taken out of it are RMWs on
//           the set, so they are totally ordered; the ticket is what a taken waiter waits for.
// Progress: a waiter that is taken out gets its ticket from the thread that took it.
#pragma once

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim::runtime {

class atomic_location;

/// One wait: registered by the constructor, gone with the destructor.
class WaitTicket {
 public:
  /// `order` is that of the RMW on the set.
  WaitTicket(LocationRef set, std::memory_order order, source_location site);
  ~WaitTicket();
  WaitTicket(const WaitTicket&) = delete;
  WaitTicket& operator=(const WaitTicket&) = delete;

  /// Waits to be taken out of the set and given the ticket.
  void await(wait_reason reason, source_location site);
  /// Leaves the set by itself. False: a notifier was first; its notification has been consumed.
  bool leave(wait_reason reason, source_location site);

 private:
  LocationRef set_;
  std::memory_order order_;
  Waiter waiter_;
};

/// Takes one waiter, any one, or all out of the set and gives them their tickets.
/// `always_writes`: the RMW takes part in the order of the set even when nobody waits.
void notify_one(LocationRef set, std::memory_order order, bool always_writes, source_location site);
void notify_all(LocationRef set, std::memory_order order, bool always_writes, source_location site);

void wait_on_atomic(const atomic_location& location, const value& old, std::memory_order order,
                    source_location site);
void notify_atomic(const atomic_location& location, bool all, source_location site);

}  // namespace heddle::sim::runtime
