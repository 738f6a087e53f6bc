// Folding loops: what is hidden can be told from what is shown.
#include <heddle/sim/report/fold.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../support/any_trace.hpp"
#include "../support/sample_traces.hpp"

namespace heddle::sim::report {
namespace {

using support::HandMadeTrace;

HandMadeTrace reads(int count) {
  HandMadeTrace made("reads");
  for (int round = 0; round < count; ++round) {
    made.at("loop.cpp", 5);
    made.load(0, "T0.1", TraceStep::initial, "relaxed");
  }
  return made;
}

TEST(fold, shows_the_first_round_and_counts_the_others) {
  const std::vector<Row> rows = fold_loops(reads(10).trace());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (Row{0, 0, 0, 0, 0}));
  EXPECT_EQ(rows[1], (Row{1, 9, 0, 0, 9}));
}

TEST(fold, leaves_two_rounds_alone) {
  EXPECT_EQ(fold_loops(reads(2).trace()).size(), 2U);
  EXPECT_EQ(fold_loops(reads(3).trace()).size(), 2U);
}

TEST(fold, shows_an_incomplete_last_round) {
  HandMadeTrace made("rounds");
  for (int round = 0; round < 5; ++round) {
    made.at("loop.cpp", 5);
    made.load(0, "T0.1", TraceStep::initial, "relaxed");
    if (round < 4) made.load(0, "T0.2", TraceStep::initial, "relaxed");
  }
  const std::vector<Row> rows = fold_loops(made.trace());
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2], (Row{2, 3, 0, 1, 7}));
  EXPECT_EQ(rows[3].step, 8U);
}

TEST(fold, never_hides_a_write_that_someone_reads) {
  HandMadeTrace made("writes");
  std::int64_t last = 0;
  for (int round = 0; round < 6; ++round) {
    made.at("loop.cpp", 5);
    last = made.store(0, "T0.1", 1, "relaxed");
    made.step(last).co_position = 0;
  }
  made.load(0, "T0.1", last, "relaxed");
  const std::vector<Row> rows = fold_loops(made.trace());
  const auto shown = [&](std::int64_t step) {
    return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return row.rounds == 0 && row.step == static_cast<std::size_t>(step);
    });
  };
  EXPECT_TRUE(shown(last));
  EXPECT_FALSE(shown(last - 1));
}

RC_GTEST_PROP(fold, accounts_for_every_step_once, ()) {
  Trace trace = support::any_trace();
  // Loops, which are rare at random.
  const auto copies = *rc::gen::inRange<std::size_t>(0, 5);
  const auto steps = trace.steps;
  for (std::size_t copy = 0; copy < copies; ++copy) {
    trace.steps.insert(trace.steps.end(), steps.begin(), steps.end());
  }
  std::size_t accounted = 0;
  for (const Row& row : fold_loops(trace)) {
    if (row.rounds == 0) {
      ++accounted;
      continue;
    }
    RC_ASSERT(row.rounds >= 2U);
    RC_ASSERT(row.first <= row.last);
    RC_ASSERT(row.last < row.step);
    RC_ASSERT(row.step <= row.end);
    std::size_t period = 0;
    for (std::size_t step = row.first; step <= row.last; ++step) {
      if (trace.steps[step].thread == trace.steps[row.step].thread) ++period;
    }
    accounted += period * row.rounds;
  }
  RC_ASSERT(accounted == trace.steps.size());
}

}  // namespace
}  // namespace heddle::sim::report
