// The options under which a trace was recorded.
#pragma once

#include <heddle/sim/explore/options.hpp>
#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

Options options_of(const Trace& trace);

}  // namespace heddle::sim::trace
