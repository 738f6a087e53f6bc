// The production back end: aliases of the standard's types, and what the standard lacks.
// It costs nothing: properties/sync/zero_cost_std_test.cpp compares the generated code.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include <heddle/scheduler/sync/std/thread_slot.hpp>

namespace heddle::inline on_std::sync {

using std::atomic;
using std::atomic_thread_fence;
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

using std::condition_variable;
using std::cv_status;
using std::mutex;
using std::thread;

inline thread::id this_thread_id() noexcept { return std::this_thread::get_id(); }

template <class T>
class cell {
 public:
  using value_type = T;

  explicit cell() requires std::is_default_constructible_v<T> : object_{} {}
  cell(T initial) : object_(std::move(initial)) {}
  cell(const cell&) = delete;
  cell& operator=(const cell&) = delete;

  T read() const requires std::is_copy_constructible_v<T> { return object_; }
  void write(T desired) { object_ = std::move(desired); }
  template <class F>
  decltype(auto) with(F&& f) {
    return std::forward<F>(f)(object_);
  }
  template <class F>
  decltype(auto) with(F&& f) const {
    return std::forward<F>(f)(std::as_const(object_));
  }

 private:
  T object_;
};

using clock = std::chrono::steady_clock;
inline void sleep_for(std::chrono::nanoseconds duration) { std::this_thread::sleep_for(duration); }
inline void sleep_until(clock::time_point deadline) { std::this_thread::sleep_until(deadline); }

inline void spin_hint() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}
inline void yield() noexcept { std::this_thread::yield(); }

/// xorshift64*; the bound is applied by multiplication, so there is no division.
/// Source: Marsaglia: Xorshift RNGs (2003); Vigna: An experimental exploration of Marsaglia's
/// xorshift generators, scrambled (2016); Lemire: Fast random integer generation (2019).
class random {
 public:
  explicit random(std::uint64_t seed) noexcept
      // Zero is the one state that xorshift never leaves; the odd constant spreads small seeds.
      : state_((seed ^ 0x9e3779b97f4a7c15U) == 0 ? 1 : seed ^ 0x9e3779b97f4a7c15U) {}

  unsigned below(unsigned bound) noexcept {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    const auto high = static_cast<std::uint32_t>((state_ * 0x2545f4914f6cdd1dU) >> 32);
    return static_cast<unsigned>((std::uint64_t{high} * bound) >> 32);
  }

 private:
  std::uint64_t state_;
};

inline constexpr bool limits_are_small = false;

#ifdef NDEBUG
inline constexpr bool assertions_enabled = false;
#else
inline constexpr bool assertions_enabled = true;
#endif

[[noreturn]] inline void assertion_failed(const char* text, const char* file, unsigned line) {
  std::fprintf(stderr, "%s:%u: heddle invariant violated: %s\n", file, line, text);
  std::abort();
}

}  // namespace heddle::inline on_std::sync
