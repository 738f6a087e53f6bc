// The test of the checks that the known-bad programs make themselves: each variant is caught by the
// check that its row names; with that check off this check says nothing; and every check is needed,
// as there is a variant that passes without it. The engine's own checks: see checks_off_test.py.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <heddle/sim.hpp>

#include "groups.hpp"

namespace {

namespace known_bad = heddle::known_bad;
namespace sim = heddle::sim;
using known_bad::Caught;
using known_bad::Check;

sim::Report explore(const known_bad::Row& row, void (*body)(), std::uint32_t checks_off) {
  sim::Options options;
  options.timeouts = row.timeouts;
  options.spurious_wakeups = row.spurious_wakeups;
  known_bad::checks_off = checks_off;
  const sim::Report report = sim::explore(options, body);
  known_bad::checks_off = 0;
  return report;
}

constexpr std::uint32_t bit(Check check) { return 1U << static_cast<unsigned>(check); }
constexpr std::uint32_t all_checks = ~std::uint32_t{0};

struct Variant {
  known_bad::Row row;
  void (*body)();
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  known_bad::all_programs([&](auto program, auto, const known_bad::Row& row) {
    all.push_back({row, known_bad::run<typename decltype(program)::type>});
  });
  return all;
}

TEST(checks, each_variant_is_caught_by_the_check_that_it_names) {
  for (const auto& [row, body] : variants()) {
    if (row.caught != Caught::check) continue;
    const sim::Report report = explore(row, body, 0);
    ASSERT_TRUE(report.failure.has_value()) << row.name;
    EXPECT_EQ(report.failure->message, known_bad::text_of(row.check)) << row.name;
  }
}

TEST(checks, a_check_that_is_off_catches_nothing) {
  for (const auto& [row, body] : variants()) {
    if (row.caught != Caught::check) continue;
    const sim::Report report = explore(row, body, bit(row.check));
    if (!report.failure) continue;
    EXPECT_NE(report.failure->message, known_bad::text_of(row.check)) << row.name;
  }
}

TEST(checks, without_any_of_them_the_engine_alone_sees_nothing) {
  for (const auto& [row, body] : variants()) {
    if (row.caught != Caught::check) continue;
    const sim::Report report = explore(row, body, all_checks);
    EXPECT_EQ(report.verdict, sim::Verdict::verified)
        << row.name << ": " << (report.failure ? report.failure->message : report.bound);
  }
}

TEST(checks, none_can_be_removed) {
  std::map<Check, int> pass_without;
  for (const auto& [row, body] : variants()) {
    if (row.caught != Caught::check) continue;
    if (explore(row, body, bit(row.check)).verdict == sim::Verdict::verified) {
      ++pass_without[row.check];
    }
  }
  for (std::size_t check = 0; check < known_bad::check_texts.size(); ++check) {
    EXPECT_GT(pass_without[Check(check)], 0)
        << "nothing shows that '" << known_bad::text_of(Check(check)) << "' is needed";
  }
}

TEST(checks, the_engine_catches_the_others_by_itself) {
  for (const auto& [row, body] : variants()) {
    if (row.caught == Caught::check) continue;
    const sim::Report report = explore(row, body, all_checks);
    EXPECT_EQ(report.verdict, sim::Verdict::failed) << row.name;
  }
}

}  // namespace
