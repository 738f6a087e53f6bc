// How many executions each strategy needs until it finds each known-bad variant: the median over
// seeds for those that draw, the number itself for those that enumerate. The Relacy program that
// scripts/bench starts next does the same with Relacy's random scheduler.
//
// usage: heddle_bench_sampling [SEEDS [EXECUTIONS]]: how many seeds (15), and when a search is
// given
//        up (100000)

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/core.h>

#include <heddle/sim/cli/scenario.hpp>
#include <heddle/sim/explore/explore.hpp>

// Registers the scenarios here as in the command.
#include "../../known_bad/known_bad_scenarios.cpp"
#include "../../known_bad/linearizability_scenarios.cpp"

namespace {

using heddle::sim::Options;
using heddle::sim::Report;
using heddle::sim::Scenario;
using heddle::sim::Strategy;

struct Column {
  const char* name;
  Strategy strategy;
  unsigned depth = 3;  // pct
  bool draws = true;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"random", Strategy::random},
      {"pct 2", Strategy::pct, 2},
      {"pct 3", Strategy::pct, 3},
      {"pos", Strategy::pos},
      {"bounded 2", Strategy::bounded, 3, false},
      {"exhaustive", Strategy::exhaustive, 3, false},
  };
  return all;
}

// Executions until the failure; limit + 1 when there was none.
std::uint64_t executions(const Scenario& scenario, const Column& column, std::uint64_t seed,
                         std::uint64_t limit) {
  Options options;
  options.strategy = column.strategy;
  options.pct_depth = column.depth;
  options.seed = seed;
  options.max_executions = limit;
  options.timeouts = scenario.options.timeouts;
  options.spurious_wakeups = scenario.options.spurious_wakeups;
  const Report report = heddle::sim::explore(options, scenario.body);
  return report.failure ? report.failure->trace.execution : limit + 1;
}

std::string cell(const Scenario& scenario, const Column& column, unsigned seeds,
                 std::uint64_t limit) {
  std::vector<std::uint64_t> found;
  for (unsigned seed = 0; seed < (column.draws ? seeds : 1); ++seed) {
    found.push_back(executions(scenario, column, seed, limit));
  }
  std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2),
                   found.end());
  const std::uint64_t median = found[found.size() / 2];
  return median > limit ? fmt::format(">{}", limit) : fmt::format("{}", median);
}

}  // namespace

int main(int argc, char** argv) {
  const auto seeds = static_cast<unsigned>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 15);
  const std::uint64_t limit = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100'000;
  if (seeds == 0 || limit == 0) {
    fmt::print(stderr, "usage: heddle_bench_sampling [SEEDS [EXECUTIONS]], both at least 1\n");
    return 2;
  }
  fmt::print("executions until found, rc11, median of {} seeds\n{:<30}", seeds, "");
  for (const Column& column : columns()) fmt::print("{:>12}", column.name);
  fmt::print("\n");
  for (const Scenario& scenario : heddle::sim::scenarios()) {
    if (!scenario.options.expect) continue;
    fmt::print("{:<30}", scenario.name);
    for (const Column& column : columns()) {
      fmt::print("{:>12}", cell(scenario, column, seeds, limit));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
  return 0;
}
