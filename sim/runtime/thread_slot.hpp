// sim::thread_slot<T>: one T per model thread, made on first use and destroyed when its thread ends
// or with the slot, whichever comes first.
#pragma once

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim {

template <class T>
class thread_slot;

}  // namespace heddle::sim
