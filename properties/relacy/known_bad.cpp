// The known-bad programs under Relacy, with its random and its context-bound search: a second
// opinion on what is wrong with them, and on their sound twins. Prints what it took to find each:
// scripts/findings puts that into docs/findings.md.
#include <iostream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "../known_bad/groups.hpp"
#include "program_suite.hpp"

namespace {

namespace known_bad = heddle::known_bad;
using heddle::relacy_suite::Answer;
using heddle::relacy_suite::ask;

constexpr rl::iteration_t patience = 20'000;

/// What Relacy cannot find; docs/findings.md says why.
const std::set<std::string> not_found_by_relacy = {"publish_then_touch"};

TEST(known_bad_relacy, finds_what_the_simulator_finds) {
  known_bad::all_programs([](auto program, auto, const known_bad::Row& row) {
    using Program = typename decltype(program)::type;
    const Answer random = ask<Program>(rl::random_scheduler_type, patience);
    const Answer bounded = ask<Program>(rl::fair_context_bound_scheduler_type, patience);
    const auto show = [&](const char* search, const Answer& answer) {
      const bool found = answer.result != rl::test_result_success;
      std::cout << "relacy " << search << ' ' << row.name << ' '
                << (found ? answer.iterations : rl::iteration_t{0}) << ' '
                << rl::test_result_str(answer.result) << '\n';
      return found;
    };
    const bool by_random = show("random", random);
    const bool by_bounded = show("context-bound", bounded);
    EXPECT_EQ(by_random || by_bounded, not_found_by_relacy.count(row.name) == 0) << row.name;
  });
}

TEST(known_bad_relacy, accepts_the_sound_twins) {
  known_bad::all_programs([](auto, auto twin, const known_bad::Row& row) {
    using Twin = typename decltype(twin)::type;
    for (const auto search : {rl::random_scheduler_type, rl::fair_context_bound_scheduler_type}) {
      const Answer answer = ask<Twin>(search, patience / 10);
      EXPECT_EQ(answer.result, rl::test_result_success)
          << "twin of " << row.name << ": " << rl::test_result_str(answer.result);
    }
  });
}

}  // namespace
