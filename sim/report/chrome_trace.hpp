// A trace for chrome://tracing and ui.perfetto.dev: Chrome's trace event JSON. A track per thread,
// a slice per step, operations as slices around theirs, flow arrows for reads-from and
// synchronises-with. For executions too long for a page.
#pragma once

#include <string>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::report {

/// The whole file. Time is the number of the step: one step is one microsecond. Never throws for
/// the content of a trace.
std::string chrome_trace(const Trace& trace);

}  // namespace heddle::sim::report
