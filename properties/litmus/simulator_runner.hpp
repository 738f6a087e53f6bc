// Runs a litmus program in the simulator, through its public interface, and reports its behaviour
// in the terms of the literal checker and the oracle.
//
// The body constructs the locations, creates one model thread per program thread, joins them and
// then loads the final values. The loads add no executions: each happens after every write, and so
// can read the last one alone.
#pragma once

#include <functional>

#include <heddle/sim.hpp>

#include "program.hpp"

namespace heddle::litmus {

/// Everything but the model that matters for litmus programs.
struct RunSettings {
  unsigned jobs = 1;
};

struct SimulatorResult {
  Behaviour behaviour;
  sim::Report report;
  bool stopped_early = false;  ///< at its first failure, as programs with cells are
  /// Not empty: the run is no basis for a comparison (internal error, limit, unexpected failure).
  std::string trouble;
};

/// What explore() runs for a program: creates its locations and threads, joins, observes.
std::function<void()> body_for(const Program& program);
/// The options under which `simulate` explores it.
sim::Options options_for(const Program& program, Model model, const RunSettings& settings = {});

sim::MemoryModel to_sim(Model model) noexcept;
SimulatorResult simulate(const Program& program, Model model, const RunSettings& settings = {});

}  // namespace heddle::litmus
