// Each law of scheduling, and a log that breaks it; and a log that breaks none.
#include <vector>

#include <gtest/gtest.h>

#include <heddle/model/laws/scheduler_laws.hpp>

namespace {

using heddle::model::check_laws;
using heddle::model::LawOptions;
using heddle::model::ProcessId;
using heddle::model::SchedulerEvent;
using Kind = SchedulerEvent::Kind;
using Log = std::vector<SchedulerEvent>;

constexpr ProcessId first{1, 1};
constexpr ProcessId second{2, 1};
constexpr ProcessId next_occupant{1, 2};

unsigned broken_law(const Log& log, const LawOptions& options = {}) {
  const auto found = check_laws(log, options);
  if (!found) return 0;
  EXPECT_FALSE(found->text.empty());
  EXPECT_LE(found->event, log.size());
  return found->law;
}

/// A process that gets two events of producer 7 and ends.
Log sound() {
  return {{Kind::spawned, first},
          {Kind::ready, first},
          {Kind::sent, first, 7, 1},
          {Kind::stepped, first, 0},
          {Kind::delivered, first, 7, 1},
          {Kind::rested, first},
          {Kind::sent, first, 7, 2},
          {Kind::ready, first},
          {Kind::asleep, {}, 1},
          {Kind::awake, {}, 1},
          {Kind::stepped, first, 1},
          {Kind::delivered, first, 7, 2},
          {Kind::closed, first},
          {Kind::sent, first, 7, 3},
          {Kind::refused, first, 7, 3},
          {Kind::waited, first},
          {Kind::stopped}};
}

TEST(laws, hold_for_a_sound_log) { EXPECT_EQ(broken_law(sound()), 0U); }

TEST(laws, a_log_that_ends_early_is_no_violation) {
  const Log log = {{Kind::spawned, first}, {Kind::ready, first}, {Kind::sent, first, 7, 1}};
  EXPECT_EQ(broken_law(log, {.complete = false}), 0U);
  EXPECT_NE(broken_law(log), 0U);
}

TEST(laws, one_step_at_a_time) {
  EXPECT_EQ(broken_law({{Kind::spawned, first},
                        {Kind::ready, first},
                        {Kind::stepped, first, 0},
                        {Kind::stepped, first, 1}}),
            1U);
}

TEST(laws, no_step_after_the_end) {
  EXPECT_EQ(broken_law({{Kind::spawned, first}, {Kind::closed, first}, {Kind::stepped, first}}),
            1U);
}

TEST(laws, only_ready_processes_are_stepped) {
  const Log log = {{Kind::spawned, first}, {Kind::stepped, first}, {Kind::closed, first}};
  EXPECT_EQ(broken_law(log), 2U);
  EXPECT_EQ(broken_law(log, {.readiness = false}), 0U);
}

TEST(laws, closed_once) {
  EXPECT_EQ(broken_law({{Kind::spawned, first}, {Kind::closed, first}, {Kind::closed, first}}), 3U);
  EXPECT_EQ(broken_law({{Kind::spawned, first}}), 3U);
}

TEST(laws, delivered_once_and_only_what_was_sent) {
  Log twice = sound();
  twice.insert(twice.begin() + 5, {Kind::delivered, first, 7, 1});
  EXPECT_EQ(broken_law(twice), 4U);
  Log made_up = sound();
  made_up.erase(made_up.begin() + 2);
  EXPECT_EQ(broken_law(made_up), 4U);
  Log refused = sound();
  refused.insert(refused.begin() + 5, {Kind::refused, first, 7, 1});
  EXPECT_EQ(broken_law(refused), 4U);
}

TEST(laws, a_producers_events_keep_their_order) {
  EXPECT_EQ(broken_law({{Kind::spawned, first},
                        {Kind::ready, first},
                        {Kind::sent, first, 7, 1},
                        {Kind::sent, first, 7, 2},
                        {Kind::stepped, first},
                        {Kind::delivered, first, 7, 2},
                        {Kind::delivered, first, 7, 1},
                        {Kind::closed, first}}),
            5U);
}

TEST(laws, nothing_from_an_earlier_generation) {
  EXPECT_EQ(broken_law({{Kind::spawned, first},
                        {Kind::sent, first, 7, 1},
                        {Kind::closed, first},
                        {Kind::spawned, next_occupant},
                        {Kind::ready, next_occupant},
                        {Kind::stepped, next_occupant},
                        {Kind::delivered, next_occupant, 7, 1}}),
            6U);
}

TEST(laws, nothing_is_lost) {
  // Only a log that lets its process live can show it.
  Log log = {{Kind::spawned, first}, {Kind::sent, first, 7, 1}};
  EXPECT_EQ(broken_law(log), 3U);
  log.push_back({Kind::closed, first});
  EXPECT_EQ(broken_law(log), 0U);
  const Log to_nobody = {{Kind::sent, second, 7, 1}};
  EXPECT_EQ(broken_law(to_nobody), 7U);
}

TEST(laws, a_wait_ends_after_the_process) {
  EXPECT_EQ(broken_law({{Kind::spawned, first}, {Kind::waited, first}, {Kind::closed, first}}), 8U);
}

TEST(laws, nobody_sleeps_while_work_waits) {
  EXPECT_EQ(broken_law({{Kind::spawned, first},
                        {Kind::closed, first},
                        {Kind::asleep, {}, 0},
                        {Kind::ready, first}}),
            9U);
}

TEST(laws, overtaking_is_bounded) {
  Log log = {
      {Kind::spawned, first}, {Kind::spawned, second}, {Kind::ready, first}, {Kind::ready, second}};
  for (int i = 0; i < 3; ++i) {
    log.push_back({Kind::stepped, second});
    log.push_back({Kind::continued, second});
  }
  const Log end = {{Kind::stepped, first},
                   {Kind::closed, first},
                   {Kind::stepped, second},
                   {Kind::closed, second}};
  log.insert(log.end(), end.begin(), end.end());
  EXPECT_EQ(broken_law(log, {.overtaken_max = 3}), 0U);
  EXPECT_EQ(broken_law(log, {.overtaken_max = 2}), 10U);
}

TEST(laws, nothing_happens_after_the_shutdown) {
  EXPECT_EQ(broken_law({{Kind::spawned, first}, {Kind::stopped}, {Kind::closed, first}}), 11U);
  EXPECT_EQ(broken_law({{Kind::spawned, first}, {Kind::closed, first}, {Kind::stopped, {}, 0, 1}}),
            11U);
}

}  // namespace
