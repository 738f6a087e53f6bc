// The second opinion: wrappers over Relacy's objects under this layer's names. Only inside of an
// rl::test_suite, and in a program of its own, because Relacy takes over operator new.
//
// What Relacy cannot do, and what stands for it:
//   time        the clock stands still; sleeping is yielding, and a timed wait ends when Relacy
//               decides that it does
//   wait/notify of atomics are missing
//   limits      its full and context-bound searches look one store back at most, so they are not
//               exhaustive for weak memory; its random generator repeats itself
//   RC11        it knows no consume and no load buffering; neither does the simulator
#pragma once

// Relacy's headers define new, delete, assert and the memory orders as macros, in relacy.hpp only:
// so the parts are included one by one, after everything that they could disturb.
#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
#include <relacy/atomic.hpp>
#include <relacy/atomic_fence.hpp>
#include <relacy/backoff.hpp>
#include <relacy/base.hpp>
#include <relacy/context.hpp>
#include <relacy/context_base_impl.hpp>
#include <relacy/dyn_thread.hpp>
#include <relacy/stdlib/condition_variable.hpp>
#include <relacy/stdlib/event.hpp>
#include <relacy/stdlib/mutex.hpp>
#include <relacy/stdlib/semaphore.hpp>
#include <relacy/test_suite.hpp>
#include <relacy/var.hpp>
#pragma GCC diagnostic pop

namespace heddle::inline on_relacy::sync {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace detail {

/// The caller's place in the source, when it is a default argument.
inline rl::debug_info here(const char* function = __builtin_FUNCTION(),
                           const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return {function, file, line};
}

constexpr rl::memory_order order_of(memory_order order) noexcept {
  switch (order) {
    case memory_order_acquire:
      return rl::mo_acquire;
    case memory_order_release:
      return rl::mo_release;
    case memory_order_acq_rel:
      return rl::mo_acq_rel;
    case memory_order_seq_cst:
      return rl::mo_seq_cst;
    default:
      return rl::mo_relaxed;
  }
}

constexpr memory_order failure_order(memory_order order) noexcept {
  if (order == memory_order_acq_rel) return memory_order_acquire;
  if (order == memory_order_release) return memory_order_relaxed;
  return order;
}

/// What Relacy keeps for a T: it prints values, and enumerations cannot be printed.
template <class T>
struct stored {
  using type = T;
};
template <class T>
requires std::is_enum_v<T>
struct stored<T> {
  using type = decltype(+std::underlying_type_t<T>{});
};

}  // namespace detail

template <class T>
class atomic : private rl::generic_atomic<typename detail::stored<T>::type, false> {
  using kept = typename detail::stored<T>::type;
  using base = rl::generic_atomic<kept, false>;
  using place = rl::debug_info;

 public:
  using value_type = T;

  atomic() : atomic(T{}) {}
  atomic(T initial, place site = detail::here()) {
    base::store(static_cast<kept>(initial), rl::mo_relaxed, site);
  }

  T load(memory_order order = memory_order_seq_cst, place site = detail::here()) const {
    return static_cast<T>(base::load(detail::order_of(order), site));
  }
  void store(T desired, memory_order order = memory_order_seq_cst, place site = detail::here()) {
    base::store(static_cast<kept>(desired), detail::order_of(order), site);
  }
  T exchange(T desired, memory_order order = memory_order_seq_cst, place site = detail::here()) {
    return static_cast<T>(base::rmw(rl::rmw_type_t<rl::rmw_type_swap>(), static_cast<kept>(desired),
                                    detail::order_of(order), site));
  }

  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
                               place site = detail::here()) {
    return exchange_if<false>(expected, desired, success, failure, site);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order order = memory_order_seq_cst,
                               place site = detail::here()) {
    return compare_exchange_strong(expected, desired, order, detail::failure_order(order), site);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                             place site = detail::here()) {
    return exchange_if<true>(expected, desired, success, failure, site);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order order = memory_order_seq_cst,
                             place site = detail::here()) {
    return compare_exchange_weak(expected, desired, order, detail::failure_order(order), site);
  }

  template <class Amount>
  T fetch_add(Amount amount, memory_order order = memory_order_seq_cst,
              place site = detail::here()) {
    return base::rmw(rl::rmw_type_t<rl::rmw_type_add>(), amount, detail::order_of(order), site);
  }
  template <class Amount>
  T fetch_sub(Amount amount, memory_order order = memory_order_seq_cst,
              place site = detail::here()) {
    return base::rmw(rl::rmw_type_t<rl::rmw_type_sub>(), amount, detail::order_of(order), site);
  }
  T fetch_and(T mask, memory_order order = memory_order_seq_cst, place site = detail::here()) {
    return base::rmw(rl::rmw_type_t<rl::rmw_type_and>(), mask, detail::order_of(order), site);
  }
  T fetch_or(T mask, memory_order order = memory_order_seq_cst, place site = detail::here()) {
    return base::rmw(rl::rmw_type_t<rl::rmw_type_or>(), mask, detail::order_of(order), site);
  }
  T fetch_xor(T mask, memory_order order = memory_order_seq_cst, place site = detail::here()) {
    return base::rmw(rl::rmw_type_t<rl::rmw_type_xor>(), mask, detail::order_of(order), site);
  }

  operator T() const { return load(); }
  T operator=(T desired) {
    store(desired);
    return desired;
  }
  T operator++() { return fetch_add(1) + 1; }
  T operator--() { return fetch_sub(1) - 1; }
  T operator++(int) { return fetch_add(1); }
  T operator--(int) { return fetch_sub(1); }

 private:
  template <bool Weak>
  bool exchange_if(T& expected, T desired, memory_order success, memory_order failure, place site) {
    auto seen = static_cast<kept>(expected);
    const bool done =
        base::compare_exchange(rl::bool_t<Weak>(), seen, static_cast<kept>(desired),
                               detail::order_of(success), detail::order_of(failure), site);
    expected = static_cast<T>(seen);
    return done;
  }
};

inline void atomic_thread_fence(memory_order order, rl::debug_info site = detail::here()) {
  rl::atomic_thread_fence(detail::order_of(order), site);
}

/// The value lies beside an rl::var that stands for it in race checks, so any T will do.
template <class T>
class cell {
  using place = rl::debug_info;

 public:
  using value_type = T;

  explicit cell() requires std::is_default_constructible_v<T> : object_{} {}
  cell(T initial, place site = detail::here()) : object_(std::move(initial)) {
    shadow_(site).store(1);
  }
  cell(const cell&) = delete;
  cell& operator=(const cell&) = delete;

  T read(place site = detail::here()) const requires std::is_copy_constructible_v<T> {
    static_cast<void>(shadow_(site).load());
    return object_;
  }
  void write(T desired, place site = detail::here()) {
    shadow_(site).store(1);
    object_ = std::move(desired);
  }
  template <class F>
  decltype(auto) with(F&& f, place site = detail::here()) {
    shadow_(site).store(1);
    return std::forward<F>(f)(object_);
  }
  template <class F>
  decltype(auto) with(F&& f, place site = detail::here()) const {
    static_cast<void>(shadow_(site).load());
    return std::forward<F>(f)(std::as_const(object_));
  }

 private:
  T object_;
  mutable rl::var<int> shadow_;
};

class mutex {
 public:
  void lock(rl::debug_info site = detail::here()) { impl_.lock(site); }
  bool try_lock(rl::debug_info site = detail::here()) { return impl_.try_lock(site); }
  void unlock(rl::debug_info site = detail::here()) { impl_.unlock(site); }

 private:
  friend class condition_variable;
  rl::mutex impl_;
};

class clock {
 public:
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<clock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept { return time_point{}; }
};

inline void yield(rl::debug_info site = detail::here()) { rl::yield(1, site); }
inline void spin_hint(rl::debug_info site = detail::here()) { rl::yield(1, site); }
inline void sleep_for(std::chrono::nanoseconds, rl::debug_info site = detail::here()) {
  rl::yield(1, site);
}
inline void sleep_until(clock::time_point, rl::debug_info site = detail::here()) {
  rl::yield(1, site);
}

enum class cv_status { no_timeout, timeout };

class condition_variable {
  using place = rl::debug_info;

 public:
  condition_variable() { impl_.init(true, detail::here()); }
  ~condition_variable() { impl_.deinit(detail::here()); }
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void notify_one(place site = detail::here()) { impl_.notify_one(site); }
  void notify_all(place site = detail::here()) { impl_.notify_all(site); }

  void wait(std::unique_lock<mutex>& lock, place site = detail::here()) {
    impl_.wait(lock.mutex()->impl_, false, site);
  }
  template <class Predicate>
  requires std::predicate<Predicate&>
  void wait(std::unique_lock<mutex>& lock, Predicate stop_waiting, place site = detail::here()) {
    while (!stop_waiting()) wait(lock, site);
  }
  cv_status wait_until(std::unique_lock<mutex>& lock, clock::time_point,
                       place site = detail::here()) {
    const auto reason = impl_.wait(lock.mutex()->impl_, true, site);
    return reason == rl::sema_wakeup_reason_timeout ? cv_status::timeout : cv_status::no_timeout;
  }
  template <class Predicate>
  requires std::predicate<Predicate&>
  bool wait_until(std::unique_lock<mutex>& lock, clock::time_point deadline, Predicate stop_waiting,
                  place site = detail::here()) {
    while (!stop_waiting()) {
      if (wait_until(lock, deadline, site) == cv_status::timeout) return stop_waiting();
    }
    return true;
  }
  template <class Rep, class Period>
  cv_status wait_for(std::unique_lock<mutex>& lock, std::chrono::duration<Rep, Period>,
                     place site = detail::here()) {
    return wait_until(lock, clock::time_point{}, site);
  }
  template <class Rep, class Period, class Predicate>
  requires std::predicate<Predicate&>
  bool wait_for(std::unique_lock<mutex>& lock, std::chrono::duration<Rep, Period>,
                Predicate stop_waiting, place site = detail::here()) {
    return wait_until(lock, clock::time_point{}, std::move(stop_waiting), site);
  }

 private:
  rl::condvar<rl::condvar_tag_std> impl_;
};

/// A dynamic thread of the test suite, which has to say how many of them there may be.
class thread {
 public:
  class id {
   public:
    id() = default;
    explicit id(unsigned number) : number_(number + 1) {}
    friend bool operator==(const id&, const id&) = default;
    friend auto operator<=>(const id&, const id&) = default;

   private:
    unsigned number_ = 0;
  };

  thread() = default;
  template <class F, class... Arguments>
  requires(!std::same_as<std::remove_cvref_t<F>, thread>) explicit thread(F&& f,
                                                                          Arguments&&... arguments)
      : state_(std::make_unique<state>(
            [call = std::decay_t<F>(std::forward<F>(f)),
             held = std::make_tuple(std::decay_t<Arguments>(
                 std::forward<Arguments>(arguments))...)]() mutable { std::apply(call, held); })) {
    state_->running.start(
        [](void* mine) -> void* {
          static_cast<state*>(mine)->body();
          return nullptr;
        },
        state_.get());
  }

  bool joinable() const noexcept { return state_ != nullptr; }
  void join() {
    state_->running.join();
    state_.reset();
  }
  void swap(thread& other) noexcept { state_.swap(other.state_); }
  static unsigned hardware_concurrency() noexcept { return 2; }

 private:
  struct state {
    explicit state(std::function<void()> f) : body(std::move(f)) {}
    std::function<void()> body;
    rl::dyn_thread running;
  };
  std::unique_ptr<state> state_;
};

inline thread::id this_thread_id() { return thread::id(rl::thread_index()); }

template <class T>
class thread_slot {
 public:
  T& get() {
    std::optional<T>& mine = values_.at(rl::thread_index());
    if (!mine) mine.emplace();
    return *mine;
  }

 private:
  std::array<std::optional<T>, 16> values_;
};

class random {
 public:
  explicit random(std::uint64_t) noexcept {}
  unsigned below(unsigned bound) { return rl::rand(bound); }
};

inline constexpr bool limits_are_small = true;
inline constexpr bool assertions_enabled = true;

[[noreturn]] inline void assertion_failed(const char* text, const char* file, unsigned line) {
  rl::ctx().fail_test(text, rl::test_result_user_assert_failed, {"", file, line});
  std::abort();  // fail_test leaves this thread for ever
}

}  // namespace heddle::inline on_relacy::sync
