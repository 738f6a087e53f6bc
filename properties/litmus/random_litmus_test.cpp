// The simulator against the literal checker on random programs, under both models.
//
//   HEDDLE_LITMUS_SEED      first seed (default 1); each program's seed is one more than the last
//   HEDDLE_LITMUS_PROGRAMS  how many (default 6,000)
//   HEDDLE_LITMUS_JOBS      OS threads of the exploration (default 1)
//
// A program that fails is shrunk and printed in the text form of program.hpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "comparison.hpp"
#include "generator.hpp"
#include "settings.hpp"
#include "shrinker.hpp"

namespace heddle::litmus {
namespace {

/// What the programs of a run were like; a run over trivial programs proves nothing.
struct Distribution {
  std::uint64_t programs = 0;
  std::uint64_t executions = 0;
  std::uint64_t many = 0;     ///< at least 10 executions under rc11
  std::uint64_t weak = 0;     ///< more executions under rc11 than under sc
  std::uint64_t ordered = 0;  ///< orders forbid something (looked at in every eighth program)
  std::uint64_t deadlocks = 0;
  std::uint64_t races = 0;
  std::uint64_t no_races = 0;  ///< with cells, but without a race
  std::array<std::uint64_t, flavours> by_flavour{};
};

Program relaxed(Program program) {
  for (Thread& thread : program.threads) {
    std::erase_if(thread, [](const Operation& o) { return o.kind == Kind::fence; });
    for (Operation& operation : thread) operation.order = std::memory_order_relaxed;
  }
  return program;
}

void note(Distribution& seen, const Program& program, Flavour flavour, const Behaviour& sc,
          const Behaviour& rc11) {
  ++seen.programs;
  ++seen.by_flavour[static_cast<std::size_t>(flavour)];
  seen.executions += sc.executions + rc11.executions;
  if (rc11.executions >= 10) ++seen.many;
  if (rc11.executions > sc.executions) ++seen.weak;
  if (rc11.deadlock) ++seen.deadlocks;
  if (rc11.race) ++seen.races;
  if (has(program, is_cell) && !rc11.race) ++seen.no_races;
  // A sample is enough to know that orders matter, and costs a third run.
  if (seen.programs % 8 == 0 &&
      literal_behaviour(relaxed(program), Model::rc11).executions > rc11.executions) {
    ++seen.ordered;
  }
}

void expect_worth_its_time(const Distribution& seen) {
  const auto share = [&](std::uint64_t part, double of_all) {
    return static_cast<double>(part) >= of_all * static_cast<double>(seen.programs);
  };
  EXPECT_TRUE(share(seen.many, 0.25)) << seen.many;
  EXPECT_TRUE(share(seen.weak, 0.06)) << seen.weak;
  EXPECT_TRUE(share(seen.ordered, 0.01)) << seen.ordered;
  EXPECT_TRUE(share(seen.deadlocks, 0.02)) << seen.deadlocks;
  EXPECT_TRUE(share(seen.races, 0.02)) << seen.races;
  EXPECT_TRUE(share(seen.no_races, 0.01)) << seen.no_races;
  EXPECT_TRUE(share(seen.executions, 20)) << seen.executions;
  for (const std::uint64_t count : seen.by_flavour) EXPECT_TRUE(share(count, 0.1)) << count;
}

TEST(random_litmus_test, simulator_and_literal_checker_agree) {
  constexpr int mismatches_max = 5;
  const std::uint64_t first = setting("HEDDLE_LITMUS_SEED", 1);
  const std::uint64_t programs = setting("HEDDLE_LITMUS_PROGRAMS", 6'000);
  const RunSettings settings{.jobs = static_cast<unsigned>(setting("HEDDLE_LITMUS_JOBS", 1))};
  Distribution seen;
  int mismatches = 0;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    const Program program = generate_program(seed);
    std::array<Behaviour, 2> expected;
    for (const Model model : {Model::sc, Model::rc11}) {
      Behaviour& behaviour = expected[static_cast<std::size_t>(model)];
      behaviour = literal_behaviour(program, model);
      if (disagreement(behaviour, simulate(program, model, settings)).empty()) continue;
      ADD_FAILURE() << explain_disagreement(program, model, settings);
      ++mismatches;
    }
    ASSERT_LT(mismatches, mismatches_max) << "stopped at seed " << seed;
    note(seen, program, flavour_of(seed), expected[0], expected[1]);
  }
  if (programs >= 600) expect_worth_its_time(seen);
  RecordProperty("executions", std::to_string(seen.executions));
  fmt::print("{} programs, {} executions; {} weak, {} with deadlock, {} with race\n", seen.programs,
             seen.executions, seen.weak, seen.deadlocks, seen.races);
}

TEST(generator_test, same_seed_same_program) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(to_text(generate_program(seed)), to_text(generate_program(seed)));
  }
  // Fixed for ever: a seed in an old report must still name the same program.
  EXPECT_EQ(to_text(generate_program(1)),
            "store x 1 sc; load x sc; cas y 1 3 sc; load y sc; load x sc || "
            "load x sc; load x sc; store y 3 rel; load y rlx");
}

TEST(generator_test, programs_stay_within_their_limits) {
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    const Program program = generate_program(seed);
    EXPECT_GE(program.threads.size(), 2U);
    EXPECT_LE(program.threads.size(), 4U);
    for (const Thread& thread : program.threads) {
      EXPECT_FALSE(thread.empty());
      std::string held;
      for (const Operation& operation : thread) {
        if (operation.kind == Kind::lock) held += operation.location;
        if (operation.kind != Kind::unlock) continue;
        const std::size_t at = held.find(operation.location);
        ASSERT_NE(at, std::string::npos) << to_text(program);
        held.erase(at, 1);
      }
      EXPECT_EQ(held, "") << to_text(program);
    }
    EXPECT_EQ(parse_program(to_text(program)), program);
  }
}

// The shrinker on a fault that is known: "has a seq_cst load of x and a store to x elsewhere".
TEST(shrinker_test, finds_the_smallest_program_that_fails) {
  const auto fails = [](const Program& program) {
    int loads = 0;
    int stores = 0;
    for (const Thread& thread : program.threads) {
      for (const Operation& operation : thread) {
        if (operation.location != 'x') continue;
        loads += operation.kind == Kind::load && operation.order == std::memory_order_seq_cst;
        stores += operation.kind == Kind::store;
      }
    }
    return loads > 0 && stores > 0;
  };
  const Program large = parse_program(
      "lock m; load y rlx; unlock m; store x 1 sc || add y 1 sc; fence sc; load x sc || "
      "load x acq; cas x 0 2 rel; load x sc");
  EXPECT_EQ(to_text(shrink(large, fails)), "store x 1 rlx || load x sc");
}

}  // namespace
}  // namespace heddle::litmus
