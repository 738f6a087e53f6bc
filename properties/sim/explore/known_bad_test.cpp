// Every strategy finds every known-bad variant, with a trace that replays; none finds anything in
// the sound twins.

#include <gtest/gtest.h>

#include <string>

#include <heddle/sim.hpp>
#include <heddle/sim/cli/scenario.hpp>
#include <heddle/sim/explore/explore.hpp>

// Registers the scenarios here as in the command.
#include "../../known_bad/known_bad_scenarios.cpp"
#include "../../known_bad/linearizability_scenarios.cpp"

namespace {

using heddle::sim::MemoryModel;
using heddle::sim::Options;
using heddle::sim::Report;
using heddle::sim::Scenario;
using heddle::sim::Strategy;
using heddle::sim::Verdict;

Options options_for(const Scenario& scenario, Strategy strategy) {
  Options options;
  options.strategy = strategy;
  options.seed = 1;
  options.timeouts = scenario.options.timeouts;
  options.spurious_wakeups = scenario.options.spurious_wakeups;
  return options;
}

void expect_caught(Strategy strategy, std::uint64_t executions, unsigned preemptions = 2) {
  unsigned known_bad = 0;
  for (const Scenario& scenario : heddle::sim::scenarios()) {
    Options options = options_for(scenario, strategy);
    options.preemption_bound = preemptions;
    options.max_executions = executions;
    if (!scenario.options.expect) {
      options.max_executions = 5'000;
      const Report report = explore(options, scenario.body);
      EXPECT_EQ(report.verdict, Verdict::incomplete) << scenario.name;
      continue;
    }
    // A thief has to sleep for eight operations: with equal chances at each step it does not, in
    // 100,000 runs. That is what PCT is for.
    if (strategy == Strategy::random && scenario.name == "known_bad_narrow_index") continue;
    ++known_bad;
    const Report report = explore(options, scenario.body);
    ASSERT_TRUE(report.failure) << scenario.name << ": " << report.executions << " executions, "
                                << report.bound;
    EXPECT_EQ(report.failure->kind, *scenario.options.expect) << report.failure->message;
    // What does something else each time cannot be replayed.
    if (report.failure->kind == FailureKind::nondeterminism) continue;
    const Report again = replay(report.failure->trace, scenario.body);
    ASSERT_TRUE(again.failure) << scenario.name << ": " << again.bound;
    EXPECT_EQ(again.failure->message, report.failure->message);
    EXPECT_EQ(again.failure->trace, report.failure->trace) << scenario.name;
  }
  EXPECT_GE(known_bad, 9U);
}

// One of the variants assumes so much that one run in thousands comes to its end.
TEST(known_bad, is_found_by_a_random_walk) { expect_caught(Strategy::random, 2'000'000); }
TEST(known_bad, is_found_by_pct) { expect_caught(Strategy::pct, 100'000); }
TEST(known_bad, is_found_by_pos) { expect_caught(Strategy::pos, 100'000); }
TEST(known_bad, is_found_within_two_preemptions) { expect_caught(Strategy::bounded, 1'000'000); }

}  // namespace
