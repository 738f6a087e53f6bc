#include <heddle/sim/runtime/wait_queue.hpp>

#include <bit>

#include <heddle/sim/runtime/atomic.hpp>

namespace heddle::sim::runtime {

namespace {

constexpr value given{1, 0};

value bit_of(thread_id thread, source_location site) {
  if (thread >= 128) {
    here("sim::condition_variable", site)
        .fail(FailureKind::misuse,
              "threads with a number above 127 cannot wait on a condition_variable or an atomic",
              site);
  }
  return thread < 64 ? value{std::uint64_t{1} << thread, 0}
                     : value{0, std::uint64_t{1} << (thread - 64)};
}

unsigned size_of(const value& set) noexcept {
  return static_cast<unsigned>(std::popcount(set.low) + std::popcount(set.high));
}

thread_id nth_of(const value& set, unsigned n) noexcept {
  for (thread_id thread = 0; thread < 128; ++thread) {
    const std::uint64_t word = thread < 64 ? set.low : set.high;
    if (((word >> (thread % 64)) & 1) == 0) continue;
    if (n-- == 0) return thread;
  }
  return 0;
}

rmw_result change(LocationRef set, rmw_kind kind, const value& operand, std::memory_order order,
                  source_location site) {
  const rmw_operation operation{kind, sizeof(value), operand, {}};
  const std::memory_order failure = failure_order(order);
  return here("sim::condition_variable", site)
      .rmw(set.address, set.id, operation, order, failure, site);
}

void give_ticket(LocationRef set, thread_id thread, source_location site) {
  core& core = here("sim::condition_variable", site);
  for (const Waiter* waiter = core.waiting_at(set.id); waiter != nullptr; waiter = waiter->next) {
    if (waiter->thread != thread) continue;
    core.store(waiter->ticket_address, waiter->ticket, given, std::memory_order_relaxed, site);
    return;
  }
  core.fail(FailureKind::misuse, "a thread is notified that does not wait (internal)", site);
}

}  // namespace

WaitTicket::WaitTicket(LocationRef set, std::memory_order order, source_location site)
    : set_(set), order_(order) {
  core& core = here("sim::condition_variable", site);
  waiter_.thread = core.this_thread();
  waiter_.ticket_address = this;
  waiter_.ticket = core.construct(this, 1, {}, location_role::ticket, "ticket", site);
  Waiter*& list = core.waiting_at(set.id);
  waiter_.next = list;
  list = &waiter_;
  change(set_, rmw_kind::bit_or, bit_of(waiter_.thread, site), order_, site);
}

WaitTicket::~WaitTicket() {
  core& core = here("sim::condition_variable", source_location{});
  for (Waiter** link = &core.waiting_at(set_.id); *link != nullptr; link = &(*link)->next) {
    if (*link != &waiter_) continue;
    *link = waiter_.next;
    break;
  }
  core.destroy(this, waiter_.ticket, source_location{});
}

void WaitTicket::await(wait_reason reason, source_location site) {
  here("sim::condition_variable", site)
      .await_load(this, waiter_.ticket, {await_predicate::test::equal, given},
                  std::memory_order_relaxed, reason, site);
}

bool WaitTicket::leave(wait_reason reason, source_location site) {
  const bool left =
      change(set_, rmw_kind::clear_bits, bit_of(waiter_.thread, site), order_, site).written;
  if (!left) await(reason, site);
  return left;
}

void notify_one(LocationRef set, std::memory_order order, bool always_writes,
                source_location site) {
  core& core = here("sim::condition_variable", site);
  for (;;) {
    const value waiting = always_writes
                              ? change(set, rmw_kind::bit_or, {}, order, site).old
                              : core.load(set.address, set.id, std::memory_order_relaxed, site);
    const unsigned count = size_of(waiting);
    if (count == 0) return;
    const thread_id chosen = nth_of(waiting, core.choose(count, "which waiter is woken", site));
    if (!change(set, rmw_kind::clear_bits, bit_of(chosen, site), order, site).written) continue;
    give_ticket(set, chosen, site);
    return;
  }
}

void notify_all(LocationRef set, std::memory_order order, bool always_writes,
                source_location site) {
  const rmw_kind kind = always_writes ? rmw_kind::exchange : rmw_kind::exchange_nonzero;
  const value waiting = change(set, kind, {}, order, site).old;
  const unsigned count = size_of(waiting);
  for (unsigned i = 0; i < count; ++i) give_ticket(set, nth_of(waiting, i), site);
}

// A waiter that joined the set after a notification must see what was written before it, and one
// that joined before is taken out by it. Joining and notifying are therefore acquire-release RMWs.
// That is a little more than the standard promises: see docs/memory-model.md.
void wait_on_atomic(const atomic_location& location, const value& old, std::memory_order order,
                    source_location site) {
  for (;;) {
    if (!(location.load(order, site) == old)) return;
    const LocationRef set = location.waiters(site);
    WaitTicket ticket(set, std::memory_order_acq_rel, site);
    if (!(location.load(order, site) == old)) {
      ticket.leave(wait_reason::atomic_wait, site);
      return;
    }
    ticket.await(wait_reason::atomic_wait, site);
  }
}

void notify_atomic(const atomic_location& location, bool all, source_location site) {
  const LocationRef set = location.waiters(site);
  (all ? notify_all : notify_one)(set, std::memory_order_acq_rel, true, site);
}

}  // namespace heddle::sim::runtime
