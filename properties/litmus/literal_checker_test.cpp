// The literal checker against the oracle, against itself without pruning, and against what is known
// by hand. Only after this is it worth anything as a judge of the simulator.
#include "literal_checker.hpp"

#include <gtest/gtest.h>

#include "oracle.hpp"

namespace heddle::litmus {
namespace {

constexpr std::array<Model, 2> both_models{Model::sc, Model::rc11};

TEST(literal_checker_test, agrees_with_every_program_of_the_oracle) {
  const std::vector<OracleEntry> entries = read_oracle(HEDDLE_LITMUS_ORACLE);
  ASSERT_EQ(entries.size(), 450U);
  for (const OracleEntry& entry : entries) {
    for (const Model model : both_models) {
      const Behaviour behaviour = literal_behaviour(entry.program, model);
      EXPECT_EQ(difference(entry.expected(model), behaviour), "")
          << entry.program.name << " under " << to_text(model) << ": " << to_text(entry.program);
    }
  }
}

// Pruning rests on an argument about monotone axioms; here it is tried. Four operations at most:
// without pruning, candidates multiply.
TEST(literal_checker_test, pruning_drops_no_candidate) {
  std::size_t compared = 0;
  for (const OracleEntry& entry : read_oracle(HEDDLE_LITMUS_ORACLE)) {
    if (operation_count(entry.program) > 6) continue;
    for (const Model model : both_models) {
      EXPECT_EQ(literal_behaviour(entry.program, model, Pruning::none),
                literal_behaviour(entry.program, model, Pruning::partial))
          << to_text(entry.program);
      ++compared;
    }
  }
  EXPECT_GT(compared, 200U);
}

std::uint64_t executions(std::string_view text, Model model) {
  return literal_behaviour(parse_program(text), model).executions;
}

// A tool that splits a read-modify-write in two and has no different-location filter says 634.
TEST(literal_checker_test, counts_636_where_seq_cst_meets_read_modify_writes) {
  EXPECT_EQ(executions("store x 1 rel; fence sc; store y 2 rlx ||"
                       "store x 1 rel; load y acq; load x sc ||"
                       "add y 1 sc; load x sc || store y 1 sc; store x 1 sc",
                       Model::rc11),
            636U);
}

TEST(literal_checker_test, counts_locks_awaits_and_assumptions) {
  for (const Model model : both_models) {
    EXPECT_EQ(executions("lock m; unlock m || lock m; unlock m || lock m; unlock m", model), 6U);
    EXPECT_EQ(executions("lock m; unlock m; lock m; unlock m || lock m; unlock m; lock m; unlock m",
                         model),
              6U);
    EXPECT_EQ(executions("await x == 1 acq || store x 1 rel", model), 1U);
    EXPECT_EQ(executions("await x != 0 acq || store x 1 rel; store x 2 rel", model), 2U);
    EXPECT_EQ(executions("await x == 3 acq || store x 1 rel", model), 0U);
    EXPECT_EQ(executions("assume x == 1 acq || load y rlx; store x 1 rel; store x 1 rel", model),
              2U);
  }
}

bool deadlocks(std::string_view text, Model model) {
  return literal_behaviour(parse_program(text), model).deadlock;
}

TEST(literal_checker_test, tells_deadlock_from_a_wait_that_ends) {
  for (const Model model : both_models) {
    EXPECT_FALSE(deadlocks("await x == 1 acq || store x 1 rel", model));
    EXPECT_FALSE(deadlocks("await x == 1 acq || assume y == 1 rlx; store x 1 rel", model));
    EXPECT_TRUE(deadlocks("await x == 1 acq || store x 2 rel", model));
    EXPECT_TRUE(deadlocks("await x == 1 rlx || cas x 0 1 rlx; load y rlx || cas x 0 2 rlx", model));
    EXPECT_FALSE(
        deadlocks("lock m; lock n; unlock n; unlock m || lock m; unlock m || "
                  "lock m; lock n; unlock n; unlock m",
                  model));
    EXPECT_TRUE(deadlocks(
        "lock m; lock n; unlock n; unlock m || lock n; lock m; unlock m; unlock n", model));
    // A stuck thread and one that may go on and free it.
    EXPECT_FALSE(
        deadlocks("await x == 1 rlx || await y == 1 rlx; store x 1 rlx || store y 1 rlx", model));
  }
}

bool races(std::string_view text, Model model) {
  return literal_behaviour(parse_program(text), model).race;
}

TEST(literal_checker_test, finds_races_of_cells) {
  for (const Model model : both_models) {
    EXPECT_TRUE(races("write a || read a", model));
    EXPECT_FALSE(races("read a || read a", model));
    EXPECT_FALSE(races("write a; store x 1 rel || await x == 1 acq; read a", model));
    EXPECT_FALSE(races("lock m; write a; unlock m || lock m; write a; unlock m", model));
    EXPECT_TRUE(races("write a; store x 1 rel || load x acq; read a", model));
  }
  EXPECT_TRUE(races("write a; store x 1 rlx || await x == 1 acq; read a", Model::rc11));
  EXPECT_FALSE(races("write a; store x 1 rlx || await x == 1 acq; read a", Model::sc));
}

TEST(literal_checker_test, refuses_what_is_too_large) {
  Program program = parse_program("load x rlx");
  program.threads[0].assign(40, program.threads[0][0]);
  EXPECT_THROW(literal_behaviour(program, Model::sc), std::invalid_argument);
}

TEST(program_test, text_form_is_read_back) {
  constexpr std::string_view text =
      "load x rlx; store y 2 rel; xchg z 3 acq_rel; add x -1 sc; cas x 0 4 acq || "
      "fence sc; await x == 1 acq; await y != 0 rlx; assume z == 2 sc; lock m; read a; unlock m; "
      "write b";
  EXPECT_EQ(to_text(parse_program(text)), text);
}

TEST(program_test, text_errors_name_the_text) {
  for (const std::string_view bad :
       {"load w rlx", "load x", "store x one rlx", "jump x", "fence strong", "await x = 1 rlx",
        "assume x != 1 rlx", "lock x", "add x 1z rlx"}) {
    EXPECT_THROW(parse_program(bad), std::invalid_argument) << bad;
  }
}

}  // namespace
}  // namespace heddle::litmus
