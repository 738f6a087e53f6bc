// What replay says of a trace whose scenario has been edited.
#include <heddle/sim/trace/find_again.hpp>

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <heddle/sim/trace/minimise.hpp>
#include <heddle/sim/trace/same_failure.hpp>

#include "../support/failing_bodies.hpp"

namespace heddle::sim::trace {
namespace {

using support::Edit;
using support::first_failure;
using Body = std::function<void()>;

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The same for a trace as it was found and for a minimised one.
void expect_fate(const Body& recorded, const Body& now, Fate fate, const std::string& why) {
  const Trace found = first_failure(recorded);
  for (const Trace& given : {found, minimise(found, recorded).trace}) {
    const Found answer = find_again(given, now);
    EXPECT_EQ(answer.fate, fate) << answer.why;
    EXPECT_TRUE(mentions(answer.why, why)) << answer.why;
    if (fate != Fate::repaired) continue;
    EXPECT_TRUE(same_failure(answer.trace, given, Lines::ignore));
    EXPECT_EQ(find_again(answer.trace, now).fate, Fate::reproduced) << "the new trace is good";
  }
}

TEST(find_again, reproduces_what_has_not_changed) {
  expect_fate(support::weak_message<Edit::none>, support::weak_message<Edit::none>,
              Fate::reproduced, "");
  expect_fate(support::lost_wakeup, support::lost_wakeup, Fate::reproduced, "");
}

TEST(find_again, repairs_a_trace_of_which_steps_were_added) {
  expect_fate(support::weak_message<Edit::none>, support::weak_message<Edit::one_more_access>,
              Fate::repaired, "");
}

TEST(find_again, repairs_a_trace_of_which_steps_were_removed) {
  expect_fate(support::weak_message<Edit::one_more_access>, support::weak_message<Edit::none>,
              Fate::repaired, "");
}

TEST(find_again, says_that_a_stronger_order_has_mended_it) {
  expect_fate(support::weak_message<Edit::none>, support::weak_message<Edit::mended>, Fate::fixed,
              "is no longer allowed by the memory model");
}

TEST(find_again, says_that_a_lock_has_mended_it) {
  expect_fate(support::lost_update<Edit::none>, support::lost_update<Edit::mended>, Fate::fixed,
              "executions fails");
}

TEST(find_again, says_at_which_decision_a_trace_is_obsolete) {
  expect_fate(support::weak_message<Edit::none>, support::weak_message<Edit::rewritten>,
              Fate::obsolete, "receive failing_bodies.hpp' of thread 0, is never reached");
}

TEST(find_again, tells_another_failure_from_the_recorded_one) {
  const Trace given = first_failure(support::weak_message<Edit::none>);
  const Found answer = find_again(given, support::weak_message<Edit::breaks_elsewhere>);
  EXPECT_EQ(answer.fate, Fate::another_failure) << answer.why;
  EXPECT_EQ(answer.trace.message, "the message is not there");
}

}  // namespace
}  // namespace heddle::sim::trace
