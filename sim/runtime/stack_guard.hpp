// Turns the overflow of a model thread's stack into a result.
//
// Threads:  one guard per OS thread that explores; the signal handler is installed once per process
//           and passes on every fault that is not an overflow.
// Protocol: the explorer marks the place to come back to with sigsetjmp(guard.jump, 0) before it
//           switches to a fiber. A fault in a guard page jumps there, on the explorer's own stack;
//           the fiber is abandoned like any other.
#pragma once

#include <csetjmp>

namespace heddle::sim::runtime {

struct StackGuard {
  bool (*is_overflow)(void* owner, const void* address) = nullptr;
  void* owner = nullptr;
  sigjmp_buf jump;
};

/// Makes this OS thread ready: an alternative signal stack and the handler.
void prepare_stack_guard();

/// The guard in force on this OS thread, or null.
inline thread_local constinit StackGuard* active_stack_guard = nullptr;

}  // namespace heddle::sim::runtime
