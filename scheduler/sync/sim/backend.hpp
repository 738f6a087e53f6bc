// The back end under test: the simulator's types, in which every use is an event with its place in
// the source. Only inside of sim::explore() and sim::replay().
#pragma once

#include <chrono>
#include <cstdint>

#include <heddle/sim/runtime/api.hpp>
#include <heddle/sim/runtime/atomic.hpp>
#include <heddle/sim/runtime/cell.hpp>
#include <heddle/sim/runtime/clock.hpp>
#include <heddle/sim/runtime/condition_variable.hpp>
#include <heddle/sim/runtime/mutex.hpp>
#include <heddle/sim/runtime/thread.hpp>
#include <heddle/sim/runtime/thread_slot.hpp>

namespace heddle::inline on_sim::sync {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

using sim::atomic;
using sim::atomic_thread_fence;
using sim::cell;
using sim::clock;
using sim::condition_variable;
using sim::cv_status;
using sim::mutex;
using sim::sleep_for;
using sim::sleep_until;
using sim::spin_hint;
using sim::this_thread_id;
using sim::thread;
using sim::thread_slot;
using sim::yield;

/// Every value is explored; the seed says nothing here.
class random {
 public:
  explicit random(std::uint64_t) noexcept {}
  unsigned below(unsigned bound, sim::source_location site = sim::source_location::current()) {
    return sim::choose(bound, site);
  }
};

inline constexpr bool limits_are_small = true;

inline constexpr bool assertions_enabled = true;

[[noreturn]] inline void assertion_failed(const char* text, const char*, unsigned) {
  sim::check(false, text);
  __builtin_unreachable();
}

}  // namespace heddle::inline on_sim::sync
