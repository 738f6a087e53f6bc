// sim::atomic<T>: the interface of std::atomic, every operation an event of the simulator.
//
// Threads:  as std::atomic: any model thread; construction and destruction are not synchronised,
//           and an access that does not happen after the construction is reported.
// Source:   [atomics.types.generic] of C++20, without volatile and without implicit conversions of
//           padding. Objects of at most 16 bytes.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim {

namespace runtime {

constexpr std::memory_order failure_order(std::memory_order order) noexcept {
  if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
  if (order == std::memory_order_release) return std::memory_order_relaxed;
  return order;
}

/// What atomics of every type share: the location and the plain operations on values.
class atomic_location {
 public:
  atomic_location(const value& initial, std::uint8_t size, location_role role,
                  std::string_view name, source_location site)
      : id_(here("sim::atomic", site).construct(this, size, initial, role, name, site)) {}
  ~atomic_location() {
    if (current_core != nullptr) current_core->destroy(this, id_, source_location{});
  }
  atomic_location(const atomic_location&) = delete;
  atomic_location& operator=(const atomic_location&) = delete;

  value load(std::memory_order order, source_location site) const {
    return here("sim::atomic", site).load(this, id_, order, site);
  }
  void store(const value& desired, std::memory_order order, source_location site) {
    here("sim::atomic", site).store(this, id_, desired, order, site);
  }
  rmw_result rmw(const rmw_operation& operation, std::memory_order success,
                 std::memory_order failure, source_location site) {
    return here("sim::atomic", site).rmw(this, id_, operation, success, failure, site);
  }
  value await_load(const await_predicate& predicate, std::memory_order order, wait_reason reason,
                   source_location site) const {
    return here("sim::atomic", site).await_load(this, id_, predicate, order, reason, site);
  }
  rmw_result await_rmw(const await_predicate& predicate, const rmw_operation& operation,
                       std::memory_order order, wait_reason reason, source_location site) {
    return here("sim::atomic", site)
        .await_rmw(this, id_, predicate, operation, order, reason, site);
  }

  /// The set of threads that wait on this atomic.
  LocationRef waiters(source_location site) const {
    return here("sim::atomic", site).waiters_of(this, id_, site);
  }
  LocationRef reference() const noexcept { return {this, id_}; }

 private:
  location_id id_;
};

template <class T>
struct difference_of {
  using type = T;
};
template <class T>
struct difference_of<T*> {
  using type = std::ptrdiff_t;
};

}  // namespace runtime

template <class T>
class atomic {
  static_assert(std::is_trivially_copyable_v<T>, "sim::atomic<T>: T must be trivially copyable");
  static_assert(sizeof(T) <= 16, "sim::atomic<T>: at most 16 bytes");
  using order_t = std::memory_order;
  static constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
  static constexpr bool has_arithmetic = is_integer || std::is_pointer_v<T>;

 public:
  using value_type = T;
  using difference_type = typename runtime::difference_of<T>::type;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;

  atomic(source_location site = source_location::current()) noexcept(
      false) requires std::is_default_constructible_v<T> : atomic(T{}, site) {}
  atomic(T initial, source_location site = source_location::current())
      : location_(runtime::to_value(initial), sizeof(T), runtime::location_role::atomic, {}, site) {
  }
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  bool is_lock_free() const noexcept { return is_always_lock_free; }

  T load(order_t order = std::memory_order_seq_cst,
         source_location site = source_location::current()) const {
    return runtime::from_value<T>(location_.load(order, site));
  }
  void store(T desired, order_t order = std::memory_order_seq_cst,
             source_location site = source_location::current()) {
    location_.store(runtime::to_value(desired), order, site);
  }
  T exchange(T desired, order_t order = std::memory_order_seq_cst,
             source_location site = source_location::current()) {
    return modify(runtime::rmw_kind::exchange, runtime::to_value(desired), order, site);
  }

  bool compare_exchange_strong(T& expected, T desired, order_t success, order_t failure,
                               source_location site = source_location::current()) {
    const runtime::rmw_operation operation{runtime::rmw_kind::compare_exchange, sizeof(T),
                                           runtime::to_value(desired), runtime::to_value(expected)};
    const runtime::rmw_result result = location_.rmw(operation, success, failure, site);
    if (!result.written) expected = runtime::from_value<T>(result.old);
    return result.written;
  }
  bool compare_exchange_strong(T& expected, T desired, order_t order = std::memory_order_seq_cst,
                               source_location site = source_location::current()) {
    return compare_exchange_strong(expected, desired, order, runtime::failure_order(order), site);
  }
  // A weak exchange is explored as a strong one: its spurious failure is a retry that the loop
  // around it makes anyway, and would only repeat every execution.
  bool compare_exchange_weak(T& expected, T desired, order_t success, order_t failure,
                             source_location site = source_location::current()) {
    return compare_exchange_strong(expected, desired, success, failure, site);
  }
  bool compare_exchange_weak(T& expected, T desired, order_t order = std::memory_order_seq_cst,
                             source_location site = source_location::current()) {
    return compare_exchange_strong(expected, desired, order, site);
  }

  T fetch_add(difference_type amount, order_t order = std::memory_order_seq_cst,
              source_location site = source_location::current()) requires has_arithmetic {
    return modify(runtime::rmw_kind::add, scaled(amount), order, site);
  }
  T fetch_sub(difference_type amount, order_t order = std::memory_order_seq_cst,
              source_location site = source_location::current()) requires has_arithmetic {
    return modify(runtime::rmw_kind::subtract, scaled(amount), order, site);
  }
  T fetch_and(T mask, order_t order = std::memory_order_seq_cst,
              source_location site = source_location::current()) requires is_integer {
    return modify(runtime::rmw_kind::bit_and, runtime::to_value(mask), order, site);
  }
  T fetch_or(T mask, order_t order = std::memory_order_seq_cst,
             source_location site = source_location::current()) requires is_integer {
    return modify(runtime::rmw_kind::bit_or, runtime::to_value(mask), order, site);
  }
  T fetch_xor(T mask, order_t order = std::memory_order_seq_cst,
              source_location site = source_location::current()) requires is_integer {
    return modify(runtime::rmw_kind::bit_xor, runtime::to_value(mask), order, site);
  }

  operator T() const { return load(); }
  T operator=(T desired) {
    store(desired);
    return desired;
  }
  T operator++() requires has_arithmetic { return fetch_add(1) + 1; }
  T operator--() requires has_arithmetic { return fetch_sub(1) - 1; }
  T operator++(int) requires has_arithmetic { return fetch_add(1); }
  T operator--(int) requires has_arithmetic { return fetch_sub(1); }
  T operator+=(difference_type amount) requires has_arithmetic {
    return fetch_add(amount) + amount;
  }
  T operator-=(difference_type amount) requires has_arithmetic {
    return fetch_sub(amount) - amount;
  }

  /// Waits until the value differs from `old`; as in C++20 a waiter that nobody notifies may stay
  /// blocked although the value has changed, and the simulator explores that.
  void wait(T old, order_t order = std::memory_order_seq_cst,
            source_location site = source_location::current()) const;
  void notify_one(source_location site = source_location::current());
  void notify_all(source_location site = source_location::current());

 private:
  static runtime::value scaled(difference_type amount) noexcept {
    if constexpr (std::is_pointer_v<T>) {
      return runtime::to_value(
          static_cast<std::ptrdiff_t>(amount * sizeof(std::remove_pointer_t<T>)));
    } else {
      return runtime::to_value(amount);
    }
  }
  T modify(runtime::rmw_kind kind, const runtime::value& operand, order_t order,
           source_location site) {
    const runtime::rmw_operation operation{kind, sizeof(T), operand, {}};
    return runtime::from_value<T>(
        location_.rmw(operation, order, runtime::failure_order(order), site).old);
  }

  mutable runtime::atomic_location location_;
};

template <class T>
atomic(T) -> atomic<T>;

void atomic_thread_fence(std::memory_order order,
                         source_location site = source_location::current());

}  // namespace heddle::sim

#include <heddle/sim/runtime/atomic_wait.hpp>
