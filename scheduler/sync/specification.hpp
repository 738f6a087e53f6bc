// What a back end of heddle::sync must provide. This file is a specification: nothing includes it,
// and it compiles only as far as declarations do. sync.hpp picks the back end; the conformance
// suite, properties/sync/conformance.hpp, runs over every one of them.
//
// Back end   meaning                              chosen by                     lives in
// std        the very types of the standard       HEDDLE_SYNC_BACKEND_std       heddle::on_std
// sim        the simulator's, every use an event  HEDDLE_SYNC_BACKEND_sim       heddle::on_sim
// relacy     wrappers over Relacy's               HEDDLE_SYNC_BACKEND_relacy    heddle::on_relacy
//
// Scheduler code opens its namespace with
//
//   namespace heddle::inline HEDDLE_ON { ... }
//
// and says sync::atomic and so on. Because HEDDLE_ON is an inline namespace of the back end's own,
// the names that users write (heddle::deque) are the same everywhere, while the symbols differ: one
// binary can hold the production scheduler and the one under test.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle::inline HEDDLE_ON::sync {

// ---- memory -------------------------------------------------------------------------------------

using memory_order = implementation_defined;  // std::memory_order in every back end
// memory_order_relaxed … memory_order_seq_cst, by these names.

/// The interface of std::atomic<T>: load, store, exchange, compare_exchange_weak and _strong with
/// one or two orders, the fetch_ operations that T has, wait, notify_one, notify_all.
/// T: trivially copyable, at most 16 bytes.
/// Not provided by relacy: wait and the notifications.
template <class T>
class atomic;

void atomic_thread_fence(memory_order order);

/// Non-atomic data that threads share and that some protocol protects. std: a plain T. sim and
/// relacy: every access is checked for races, reads also for being initialised.
template <class T>
class cell {
 public:
  using value_type = T;
  explicit cell();  ///< uninitialised as far as the checks are concerned
  cell(T initial);  // NOLINT(google-explicit-constructor): reads like a plain T
  cell(const cell&) = delete;
  T read() const;  ///< a copy
  void write(T desired);
  template <class F>
  decltype(auto) with(F&& f);  ///< f(T&), one write
  template <class F>
  decltype(auto) with(F&& f) const;  ///< f(const T&), one read
};

// ---- blocking -----------------------------------------------------------------------------------

/// Lockable, so std::unique_lock and std::lock_guard work.
class mutex;

/// wait(lock[, predicate]), wait_until and wait_for on sync::clock, notify_one, notify_all; lock is
/// a std::unique_lock<mutex>. Wakes may be spurious.
class condition_variable;
enum class cv_status { no_timeout, timeout };

// ---- threads ------------------------------------------------------------------------------------

/// The interface of std::thread: thread(f, arguments...), join, detach, joinable, get_id, swap,
/// hardware_concurrency. Creation may throw std::system_error.
class thread;
thread::id this_thread_id();

/// One T per thread, value-initialised on the thread's first use, destroyed when its thread ends or
/// with the slot, whichever comes first.
/// Threads: any; a thread reaches only its own T. The slot outlives every use.
template <class T>
class thread_slot {
 public:
  thread_slot();
  thread_slot(const thread_slot&) = delete;
  T& get();
};

/// Ends an iteration of a loop that waits for another thread: "nothing changes unless another
/// thread acts". The simulator takes it at its word and does not run the loop again before
/// something that the thread has read changes, so it is not for bounded spins that then go on to
/// something else: those say yield().
void spin_hint();
/// Gives the processor away, or makes as if.
void yield();

// ---- the world ----------------------------------------------------------------------------------

/// A steady clock with now(), duration and time_point. sim: virtual time.
class clock;
void sleep_for(std::chrono::nanoseconds duration);
void sleep_until(clock::time_point deadline);

/// Numbers where any choice is right. std: fast and not secure. sim and relacy: every value is
/// explored, so keep the ranges small.
/// Threads: one generator belongs to one thread.
class random {
 public:
  explicit random(std::uint64_t seed);
  unsigned below(unsigned bound);  ///< 0..bound-1; bound is at least 1
};

/// True where every execution is explored: widths, batches and spin counts are then as small as a
/// proof needs them (scheduler/limits.hpp).
inline constexpr bool limits_are_small = implementation_defined;

// ---- assertions (see assert.hpp) ----------------------------------------------------------------

/// False: HEDDLE_ASSERT does not evaluate its condition.
inline constexpr bool assertions_enabled = implementation_defined;
[[noreturn]] void assertion_failed(const char* text, const char* file, unsigned line);

}  // namespace heddle::inline HEDDLE_ON::sync
