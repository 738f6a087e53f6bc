// The simulator against the literal checker, program by program.
#pragma once

#include <string>

#include "literal_checker.hpp"
#include "simulator_runner.hpp"

namespace heddle::litmus {

/// What the simulator says differently from `expected`, in a few lines; empty when nothing.
std::string disagreement(const Behaviour& expected, const SimulatorResult& simulated);
std::string disagreement(const Program& program, Model model, const RunSettings& settings = {});

/// The smallest program found that still disagrees under `model`, with what differs: what a failing
/// test prints.
std::string explain_disagreement(const Program& program, Model model,
                                 const RunSettings& settings = {});

}  // namespace heddle::litmus
