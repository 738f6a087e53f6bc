// sim::cell<T>: non-atomic data that threads share. In the std back end it is a plain T; here every
// access is checked: two accesses, one of them a write, that happens-before does not order are a
// data race; so are reads before the first write and accesses after the destruction.
//
// Threads:  any model thread; the checks say whether that was allowed.
// Source:   the epochs are FastTrack's (Flanagan, Freund, PLDI 2009).
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim {

template <class T>
class cell {
 public:
  using value_type = T;

  /// Without a value the object is uninitialised: a read before the first write is reported.
  explicit cell(
      source_location site = source_location::current()) requires std::is_default_constructible_v<T>
      : object_{} {
    runtime::here("sim::cell", site).cell_construct(shadow_, false, site);
  }
  cell(T initial, source_location site = source_location::current()) : object_(std::move(initial)) {
    runtime::here("sim::cell", site).cell_construct(shadow_, true, site);
  }
  ~cell() {
    if (runtime::current_core != nullptr) {
      runtime::current_core->cell_destroy(shadow_, source_location{});
    }
  }
  cell(const cell&) = delete;
  cell& operator=(const cell&) = delete;

  /// A copy of the value.
  T read(source_location site =
             source_location::current()) const requires std::is_copy_constructible_v<T> {
    runtime::here("sim::cell", site).cell_read(shadow_, site);
    return object_;
  }
  void write(T desired, source_location site = source_location::current()) {
    runtime::here("sim::cell", site).cell_write(shadow_, site);
    object_ = std::move(desired);
  }
  /// Calls f with the object itself, as one write (or, on a const cell, one read).
  template <class F>
  decltype(auto) with(F&& f, source_location site = source_location::current()) {
    runtime::here("sim::cell", site).cell_write(shadow_, site);
    return std::forward<F>(f)(object_);
  }
  template <class F>
  decltype(auto) with(F&& f, source_location site = source_location::current()) const {
    runtime::here("sim::cell", site).cell_read(shadow_, site);
    return std::forward<F>(f)(std::as_const(object_));
  }

 private:
  T object_;
  mutable runtime::cell_shadow shadow_;
};

}  // namespace heddle::sim
