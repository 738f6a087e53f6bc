// A trace as text: a column per thread, time downwards. Where the columns do not fit, one line per
// step with the thread's name.
#pragma once

#include <cstddef>
#include <string>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::report {

struct ViewOptions {
  std::size_t width = 100;  ///< columns of the terminal; at least 40 are used
  bool colour = false;
  bool fold = true;  ///< fold loops
};

/// The whole view: what failed, the steps, the places in conflict, who waits for what, the
/// operation history, and how to read it. Never throws for the content of a trace: also one that
/// breaks the rules of traces is drawn.
std::string view(const Trace& trace, const ViewOptions& options = {});

}  // namespace heddle::sim::report
