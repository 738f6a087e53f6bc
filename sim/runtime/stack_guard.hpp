// Turns the overflow of a model thread's stack, and its access through a wild pointer, into
// results.
//
// Threads:  one guard per OS thread that explores; the signal handler is installed once per process
//           and passes on every fault that is not one of a model thread's own code.
// Protocol: the explorer marks the place to come back to with sigsetjmp(guard.jump, 0) before it
//           switches to a fiber. A fault jumps there, on the explorer's own stack;
//           the fiber is abandoned like any other.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace heddle::sim::runtime {

struct StackGuard {
  enum Jump : int { overflow = 1, wild_access };  ///< what sigsetjmp(jump) comes back with
  bool (*is_overflow)(void* owner, const void* address) = nullptr;
  /// The fault belongs to user code, not to the engine.
  bool (*in_user_code)() = nullptr;
  void* owner = nullptr;
  /// The address that was accessed, or the wild pointer when the processor does not tell; set
  /// before the jump.
  std::uintptr_t fault_address = 0;
  sigjmp_buf jump;
};

/// Makes this OS thread ready: an alternative signal stack and the handler.
void prepare_stack_guard();

/// The guard in force on this OS thread, or null.
inline thread_local constinit StackGuard* active_stack_guard = nullptr;

}  // namespace heddle::sim::runtime
