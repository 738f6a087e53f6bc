// The estimate against programs whose number of executions is known. The margins are wide: an
// estimate is right within a factor, and every seed has to be.
#include <gtest/gtest.h>

#include <cmath>

#include <heddle/sim/explore/estimate.hpp>

#include "anchor_programs.hpp"
#include "anchor_structures.hpp"

namespace heddle::litmus {
namespace {

void expect_estimate(const anchors::Body& body, double executions, const char* what) {
  double logarithms = 0;
  constexpr int seeds = 5;
  for (int seed = 1; seed <= seeds; ++seed) {
    const sim::Estimate estimate = sim::estimate({}, body, 400, seed);
    const double off = std::log(estimate.executions / executions);
    EXPECT_LT(std::abs(off), std::log(8)) << what << ": " << estimate.executions;
    // The error that it states is no excuse and no boast.
    EXPECT_LT(std::abs(off), 4 * estimate.error + 0.1) << what << ": " << estimate.executions;
    EXPECT_LT(estimate.error, 1.5) << what;
    logarithms += off;
  }
  EXPECT_LT(std::abs(logarithms / seeds), std::log(3)) << what;
}

TEST(estimate_test, random_paths_come_to_the_number_of_executions) {
  expect_estimate(anchors::additions(4, 1), 24, "ainc(4)");
  expect_estimate(anchors::additions(7, 1), 5'040, "ainc(7)");
  expect_estimate(anchors::store_buffering(12), 4'096, "SB(12)");
  expect_estimate(anchors::chase_lev(2), 659, "chase-lev, 2 thieves");
  expect_estimate(anchors::chase_lev(3), 24'451, "chase-lev, 3 thieves");
  expect_estimate(anchors::locked_increments(5, 1), 120, "mutex(5)");
  expect_estimate(anchors::exchange_chain(7), 523, "casrot(7)");
}

TEST(estimate_test, one_execution_is_known_exactly) {
  const sim::Estimate estimate = sim::estimate({}, [] { sim::atomic<int>{0}.load(); });
  EXPECT_DOUBLE_EQ(estimate.executions, 1);
  EXPECT_DOUBLE_EQ(estimate.error, 0);
}

TEST(estimate_test, refuses_what_is_no_question) {
  EXPECT_THROW(sim::estimate({}, nullptr), std::invalid_argument);
  EXPECT_THROW(sim::estimate(
                   {}, [] {}, 1),
               std::invalid_argument);
}

// A search of 12! executions of which a moment explores next to nothing.
TEST(estimate_test, is_there_while_the_search_runs) {
  sim::Options options;
  options.time_limit = std::chrono::milliseconds(1500);
  sim::Progress last;
  options.on_progress = [&](const sim::Progress& progress) { last = progress; };
  sim::explore(options, anchors::additions(12, 1));
  EXPECT_GT(last.share, 0);
  EXPECT_LT(last.share, 0.5);
  EXPECT_GT(last.estimated_total, static_cast<double>(last.executions));
  EXPECT_GT(last.estimated_error, 0);
}

}  // namespace
}  // namespace heddle::litmus
