// Programs on which the simulator was wrong once, as small as the shrinker made them, with what was
// wrong. The random test finds such programs; this one remembers them.
#include <gtest/gtest.h>

#include <array>

#include "comparison.hpp"

namespace heddle::litmus {
namespace {

void expect_agreement(std::string_view text) {
  const Program program = parse_program(text);
  for (const Model model : {Model::sc, Model::rc11}) {
    EXPECT_EQ(disagreement(program, model), "") << text << " under " << to_text(model);
  }
}

// A lock that took an unlock in place stays when a revisit deletes the unlock, but no longer
// writes.
TEST(regressions_test, no_graph_is_lost_when_a_revisit_deletes_what_a_stopped_lock_took) {
  expect_agreement(
      "lock m; unlock m || lock m; load x rlx; unlock m || lock n; unlock n; store x 3 rlx");
  expect_agreement(
      "lock m; unlock m || await x != 1 rlx; store x 1 rlx || lock m; load x rlx; unlock m");
  expect_agreement(
      "await x != 0 rlx; lock m; load y rlx; unlock m || lock m; unlock m || "
      "lock n; store x 2 rlx; unlock n; add y 1 rlx");
}

// An await that took a write in place loses it when the write moves or becomes another one.
TEST(regressions_test, no_graph_is_repeated_when_a_write_moves_that_an_await_took) {
  expect_agreement(
      "await y != 1 rlx || lock m; add y -1 rlx; unlock m || "
      "await y != 1 rlx; store y 1 rlx");
}

// A write that coherence would let the await read may still be ruled out by the rest of the model.
TEST(regressions_test, a_wait_that_only_an_inconsistent_read_could_end_is_a_deadlock) {
  expect_agreement("store x 1 rlx || load x rlx; load y rlx || store y -1 rlx; await x != 1 rlx");
}

// Recording a race runs the graph once more; the code between events has to run before new events.
TEST(regressions_test, a_race_with_a_thread_without_events_is_recorded) {
  expect_agreement("load x rlx; write a || read a");
  expect_agreement("load y rlx; read b || write b");
  expect_agreement("load x rlx; write a || write a");
}

// assume(false) ends its thread alone: what the others still write may make the assumption true.
TEST(regressions_test, an_assumption_can_become_true_by_a_later_write) {
  expect_agreement("assume x == 1 rlx || load y rlx; store x 1 rlx");
}

}  // namespace
}  // namespace heddle::litmus
