#include "comparison.hpp"

#include <fmt/format.h>

#include "shrinker.hpp"

namespace heddle::litmus {

std::string disagreement(const Behaviour& expected, const SimulatorResult& simulated) {
  if (!simulated.trouble.empty()) return "  " + simulated.trouble + "\n";
  const Behaviour& found = simulated.behaviour;
  if (simulated.stopped_early) {
    // The search ended with the first failure: it must be a real one, and nothing was counted.
    if (found.race && expected.race) return {};
    if (found.deadlock && expected.deadlock) return {};
    return fmt::format("  race: expected {}, got {}; deadlock: expected {}, got {}\n",
                       expected.race, found.race, expected.deadlock, found.deadlock);
  }
  return difference(expected, simulated.behaviour);
}

std::string disagreement(const Program& program, Model model, const RunSettings& settings) {
  return disagreement(literal_behaviour(program, model), simulate(program, model, settings));
}

std::string explain_disagreement(const Program& program, Model model, const RunSettings& settings) {
  const Program smallest = shrink(program, [&](const Program& candidate) {
    return !disagreement(candidate, model, settings).empty();
  });
  return fmt::format("{} under {}: {}\nsmallest that disagrees: {}\n{}", program.name,
                     to_text(model), to_text(program), to_text(smallest),
                     disagreement(smallest, model, settings));
}

}  // namespace heddle::litmus
