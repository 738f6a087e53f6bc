// The litmus table held against the literal checker and against the simulator.
#include "table.hpp"

#include <gtest/gtest.h>

#include <set>

#include "comparison.hpp"

namespace heddle::litmus {
namespace {

std::string to_text(Expected expected) {
  return expected == Expected::allowed ? "allowed" : "forbidden";
}

/// Calls f(program, model, shape, expected) for every row under both models.
template <class F>
void for_each_row(const F& f) {
  for (const Shape& shape : litmus_table()) {
    for (const Row& row : shape.rows) {
      const Program program = instantiate(shape, row);
      f(program, Model::sc, shape, shape.sc);
      f(program, Model::rc11, shape, row.rc11);
    }
  }
}

TEST(litmus_table, literal_checker_says_what_the_table_says) {
  int rows = 0;
  for_each_row([&](const Program& program, Model model, const Shape& shape, Expected expected) {
    const Expected found{reaches(literal_behaviour(program, model), shape.outcome)};
    EXPECT_EQ(to_text(found), to_text(expected))
        << program.name << " under " << to_text(model) << ": " << to_text(program);
    ++rows;
  });
  EXPECT_GT(rows, 300);
}

TEST(litmus_table, simulator_says_what_the_table_says) {
  for_each_row([&](const Program& program, Model model, const Shape& shape, Expected expected) {
    const SimulatorResult result = simulate(program, model);
    ASSERT_EQ(result.trouble, "") << program.name;
    EXPECT_EQ(to_text(Expected{reaches(result.behaviour, shape.outcome)}), to_text(expected))
        << program.name << " under " << to_text(model) << ": " << to_text(program);
    EXPECT_EQ(disagreement(literal_behaviour(program, model), result), "")
        << explain_disagreement(program, model);
  });
}

// What sc forbids, stronger orders may forbid too; what sc allows, nothing forbids.
TEST(litmus_table, rows_are_sound_among_themselves) {
  std::set<std::string> names;
  for (const Shape& shape : litmus_table()) {
    EXPECT_TRUE(names.insert(shape.name).second) << shape.name << " twice";
    EXPECT_FALSE(shape.rows.empty()) << shape.name;
    for (const Row& row : shape.rows) {
      EXPECT_TRUE(shape.sc == Expected::forbidden || row.rc11 == Expected::allowed) << shape.name;
    }
  }
  for (const char* const name : {"SB", "MP", "LB", "IRIW", "2+2W", "WRC", "CoRR", "CoWW", "CoRW",
                                 "CoWR", "Z6.U", "Z6.3", "R", "S", "RWC", "ISA2"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(litmus_table, a_wrong_pattern_or_row_is_refused) {
  const Shape shape = litmus_table().front();
  const Behaviour behaviour = literal_behaviour(instantiate(shape, shape.rows[0]), Model::sc);
  EXPECT_THROW(reaches(behaviour, "0|0|0"), std::invalid_argument);
  EXPECT_THROW(instantiate(shape, {"rlx", Expected::allowed}), std::invalid_argument);
  EXPECT_THROW(instantiate(shape, {"rlx,-,rlx,rlx,-,rlx,rlx", Expected::allowed}),
               std::invalid_argument);
}

}  // namespace
}  // namespace heddle::litmus
