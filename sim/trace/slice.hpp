// Which steps the failure depends on.
#pragma once

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

/// Sets TraceStep::needed: the steps from which the failure follows by program order, by reads and
/// by creation and end of threads, and the newer writes that stale reads among them missed. Where
/// threads wait for ever, and of leaks, everything is needed.
void mark_needed(Trace& trace);

}  // namespace heddle::sim::trace
