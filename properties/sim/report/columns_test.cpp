// The text view of traces: approved pictures, and properties that hold for every trace.
#include <heddle/sim/report/columns.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <heddle/sim/report/text.hpp>
#include <heddle/sim/trace/validate.hpp>

#include "../support/any_trace.hpp"
#include "../support/approval.hpp"
#include "../support/sample_traces.hpp"

namespace heddle::sim::report {
namespace {

using support::expect_approved;

std::string narrow_and_wide(const Trace& trace) {
  return "-- 100 columns\n" + view(trace, {100, false, true}) + "\n-- 50 columns\n" +
         view(trace, {50, false, true});
}

TEST(columns, show_a_stale_read_with_the_newer_value) {
  expect_approved("columns_message_passing.txt",
                  narrow_and_wide(support::message_passing().trace()));
}

TEST(columns, show_who_waits_for_whom) {
  expect_approved("columns_opposite_locks.txt", narrow_and_wide(support::opposite_locks().trace()));
}

TEST(columns, show_a_lost_wakeup_with_the_operations) {
  expect_approved("columns_lost_wakeup.txt", narrow_and_wide(support::lost_wakeup().trace()));
}

TEST(columns, show_both_places_of_a_race) {
  expect_approved("columns_race.txt", narrow_and_wide(support::race().trace()));
}

TEST(columns, fold_a_spin_loop) {
  expect_approved("columns_spinning.txt", narrow_and_wide(support::spinning().trace()));
}

TEST(columns, have_words_for_every_kind_of_step) {
  expect_approved("columns_everything.txt", narrow_and_wide(support::everything().trace()));
}

TEST(columns, draw_a_trace_without_steps) {
  expect_approved("columns_empty.txt", narrow_and_wide(support::empty().trace()));
}

TEST(columns, lay_twelve_threads_out_by_lines_or_on_a_wide_terminal_by_columns) {
  const Trace trace = support::many_threads().trace();
  expect_approved("columns_many_threads.txt", "-- 100 columns\n" + view(trace, {100, false, true}) +
                                                  "\n-- 320 columns\n" +
                                                  view(trace, {320, false, true}));
}

TEST(columns, cope_with_long_names_and_bytes_that_are_no_text) {
  expect_approved("columns_long_names.txt", narrow_and_wide(support::long_names().trace()));
}

TEST(columns, use_colours_when_asked) {
  std::string text = view(support::message_passing().trace(), {100, true, true});
  std::size_t at = 0;
  while ((at = text.find('\x1b', at)) != std::string::npos) text.replace(at, 1, "^");
  expect_approved("columns_colours.txt", text);
}

TEST(columns, show_every_step_of_a_loop_without_folding) {
  const Trace trace = support::spinning().trace();
  const std::string text = view(trace, {100, false, false});
  EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 400);
  EXPECT_EQ(text.find("again"), std::string::npos);
}

RC_GTEST_PROP(columns, draw_every_trace_within_the_width, ()) {
  const Trace trace = support::any_trace();
  const auto width = *rc::gen::inRange<std::size_t>(0, 200);
  const bool fold = *rc::gen::arbitrary<bool>();
  const std::string text = view(trace, {width, false, fold});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    RC_ASSERT(width_of(line) <= std::max<std::size_t>(width, 40));
    RC_ASSERT(clean(line) == line);
    RC_ASSERT(line.empty() || line.back() != ' ');
  }
}

}  // namespace
}  // namespace heddle::sim::report
