// What every trace obeys, whoever wrote it: the explorer's are checked when they are recorded, read
// ones before anything uses them.
#pragma once

#include <optional>
#include <string>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

struct Problem {
  std::string place;  ///< "steps[3].source"
  std::string what;
};

/// The first rule of docs/trace-format.md ("What must hold") that the trace breaks.
std::optional<Problem> find_problem(const Trace& trace);

}  // namespace heddle::sim::trace
