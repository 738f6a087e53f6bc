// Reuse mode: memory is handed out again as early as possible, so that ABA is found.
//
// Threads: called by the body, first of all, in each execution. From then on what a model thread
//          frees is what its next allocation of the same size gets. Without it every allocation of
//          an execution has an address of its own: a stale pointer is then found as use_after_free,
//          but a comparison of pointers never mistakes a new object for an old one.
#pragma once

#include <heddle/sim/runtime/source_location.hpp>

namespace heddle::sim {

/// Outside of explore() it ends the program with a message.
void reuse_memory(source_location site = source_location::current());

}  // namespace heddle::sim
