// The conformance suite under the simulator: each body in every execution under RC11.
#include <set>

#include <gtest/gtest.h>

#include <heddle/sim.hpp>
#include <heddle/sync.hpp>

namespace heddle::properties::conformance {

static void expect(bool condition, const char* what) { sim::check(condition, what); }

static void run(void (*body)()) {
  const sim::Report report = sim::explore({}, body);
  EXPECT_EQ(report.verdict, sim::Verdict::verified)
      << (report.failure ? report.failure->message : report.bound);
  EXPECT_GE(report.executions, 1U);
}

}  // namespace heddle::properties::conformance

#define HEDDLE_BACK_END "on_sim"
#include "conformance.hpp"

namespace heddle::properties::conformance {

TEST(sync_sim, every_value_below_the_bound_is_explored) {
  const sim::Report report = sim::explore({}, [] {
    sync::random random{0};
    sim::observe("value", random.below(7));
  });
  EXPECT_EQ(report.verdict, sim::Verdict::verified);
  EXPECT_EQ(report.outcomes.size(), 7U);
}

TEST(sync_sim, a_failed_assertion_fails_the_execution) {
  const sim::Report report = sim::explore({}, [] { HEDDLE_ASSERT(1 + 1 == 3, "I9"); });
  ASSERT_EQ(report.verdict, sim::Verdict::failed);
  EXPECT_EQ(report.failure->kind, sim::FailureKind::check);
  EXPECT_EQ(report.failure->message, "I9: 1 + 1 == 3");
}

TEST(sync_sim, an_unordered_access_to_a_cell_is_a_race) {
  const sim::Report report = sim::explore({}, [] {
    sync::cell<int> data{0};
    sync::thread other([&] { data.write(1); });
    static_cast<void>(data.read());
    other.join();
  });
  ASSERT_EQ(report.verdict, sim::Verdict::failed);
  EXPECT_EQ(report.failure->kind, sim::FailureKind::data_race);
}

}  // namespace heddle::properties::conformance
