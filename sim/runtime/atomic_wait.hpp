// atomic<T>::wait and notify: the waiters of an atomic are a location of their own, see
// runtime/wait_queue.hpp. The last part of atomic.hpp, to be included by nothing else.
#pragma once

#include <heddle/sim/runtime/wait_queue.hpp>

namespace heddle::sim {

template <class T>
void atomic<T>::wait(T old, std::memory_order order, source_location site) const {
  runtime::wait_on_atomic(location_, runtime::to_value(old), order, site);
}

template <class T>
void atomic<T>::notify_one(source_location site) {
  runtime::notify_atomic(location_, false, site);
}

template <class T>
void atomic<T>::notify_all(source_location site) {
  runtime::notify_atomic(location_, true, site);
}

}  // namespace heddle::sim
