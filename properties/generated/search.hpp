// Draws programs with rapidcheck, explores each exhaustively, and shrinks one that fails: first the
// program, to one none of whose smaller neighbours fails; the schedule is then that of the first
// failing execution of a small program.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <rapidcheck.h>

#include <heddle/sim.hpp>

#include "settings.hpp"

namespace heddle::properties {

template <class Program>
struct Found {
  Program program;
  sim::Report report;
  std::uint64_t seed;  ///< of the program as drawn
};

struct Searched {
  std::uint64_t programs = 0;
  std::uint64_t executions = 0;
  std::uint64_t incomplete = 0;  ///< programs that were too large to be exhausted
};

template <class Program>
using Explore = std::function<sim::Report(const Program&)>;

template <class Program>
Found<Program> shrink(rc::Shrinkable<Program> failing, sim::Report report, std::uint64_t seed,
                      const Explore<Program>& explore) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    auto candidates = failing.shrinks();
    while (const auto candidate = candidates.next()) {
      sim::Report tried = explore(candidate->value());
      if (tried.verdict != sim::Verdict::failed) continue;
      failing = *candidate;
      report = std::move(tried);
      smaller = true;
      break;
    }
  }
  return {failing.value(), std::move(report), seed};
}

/// The first program that fails, shrunk; nothing when none did within the budget.
template <class Program>
std::optional<Found<Program>> search(const rc::Gen<Program>& programs, std::uint64_t how_many,
                                     int size, const Explore<Program>& explore,
                                     Searched& searched) {
  std::uint64_t seed = setting("HEDDLE_SEED", 1);
  size = static_cast<int>(setting("HEDDLE_SIZE", static_cast<std::uint64_t>(size)));
  for (Budget budget(how_many); budget.goes_on(); ++seed) {
    auto drawn = programs(rc::Random(seed), size);
    sim::Report report = explore(drawn.value());
    ++searched.programs;
    searched.executions += report.executions;
    if (report.verdict == sim::Verdict::failed) return shrink(drawn, report, seed, explore);
    if (report.verdict != sim::Verdict::verified) ++searched.incomplete;
  }
  return std::nullopt;
}

}  // namespace heddle::properties
