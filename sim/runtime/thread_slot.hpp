// sim::thread_slot<T>: one T per model thread, made on first use and destroyed when its thread ends
// or with the slot, whichever comes first.
//
// Threads:  get() by any model thread; the object belongs to the caller alone. The slot must
//           outlive the threads that use it, or be destroyed when they no longer do.
#pragma once

#include <utility>

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim {

template <class T>
class thread_slot {
 public:
  explicit thread_slot(source_location site = source_location::current())
      : number_(runtime::here("sim::thread_slot", site).new_slot()) {}
  ~thread_slot() {
    if (runtime::current_core != nullptr) runtime::current_core->drop_slot(number_);
  }
  thread_slot(const thread_slot&) = delete;
  thread_slot& operator=(const thread_slot&) = delete;

  /// The calling thread's object; value-initialised when it is used for the first time.
  T& get(source_location site = source_location::current()) {
    runtime::SlotEntry& entry = runtime::here("sim::thread_slot", site).slot(number_);
    if (entry.object == nullptr) {
      T* const made = new T{};
      // The constructor of T may have used other slots and moved the table.
      runtime::SlotEntry& again = runtime::here("sim::thread_slot", site).slot(number_);
      again.object = made;
      again.destroy = [](void* object) { delete static_cast<T*>(object); };
      return *made;
    }
    return *static_cast<T*>(entry.object);
  }

 private:
  std::uint32_t number_;
};

}  // namespace heddle::sim
