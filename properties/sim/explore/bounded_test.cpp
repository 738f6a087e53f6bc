// Preemption bounding runs every schedule within its bound, each once.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <heddle/sim.hpp>
#include <heddle/sim/explore/explore.hpp>

namespace {

using namespace heddle::sim;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

Options bounded(unsigned bound, MemoryModel model = MemoryModel::sc) {
  Options options;
  options.strategy = Strategy::bounded;
  options.memory_model = model;
  options.preemption_bound = bound;
  return options;
}

// Schedules of threads that have so many steps left, from where `last` ran, with at most `bound`
// preemptions: counted one by one.
std::uint64_t schedules(std::vector<int>& left, std::size_t last, unsigned bound) {
  std::uint64_t total = 0;
  bool any = false;
  for (std::size_t t = 0; t < left.size(); ++t) {
    if (left[t] == 0) continue;
    any = true;
    const bool preempts = t != last && left[last] > 0;
    if (preempts && bound == 0) continue;
    --left[t];
    total += schedules(left, t, preempts ? bound - 1 : bound);
    ++left[t];
  }
  return any ? total : 1;
}

// Thread 0 does its steps after it has started the other one; its join comes when that has ended.
TEST(bounded, the_number_of_schedules_is_that_of_the_definition) {
  for (const int own : {1, 2, 4}) {
    for (const int others : {1, 3}) {
      for (const unsigned bound : {0U, 1U, 2U, 3U, 10U}) {
        const Report report = explore(bounded(bound), [&] {
          atomic<int> x{0};
          thread other([&] {
            for (int i = 0; i < others; ++i) x.fetch_add(1, relaxed);
          });
          for (int i = 0; i < own; ++i) x.fetch_add(1, relaxed);
          other.join();
        });
        std::vector<int> left{own, others};
        EXPECT_EQ(report.executions, schedules(left, 0, bound))
            << own << ' ' << others << ' ' << bound;
        EXPECT_EQ(report.verdict, Verdict::incomplete);
        EXPECT_EQ(report.bound, "preemption bound " + std::to_string(bound) +
                                    ", every schedule within it was run");
      }
    }
  }
}

TEST(bounded, without_a_bound_that_bites_it_finds_what_the_exhaustive_search_finds) {
  const auto body = [] {
    atomic<int> x{0};
    atomic<int> y{0};
    thread other([&] {
      y.store(1, relaxed);
      observe("x", x.load(relaxed));
      x.store(2, relaxed);
    });
    x.store(1, relaxed);
    observe("y", y.load(relaxed));
    observe("choice", choose(3));
    other.join();
    observe("end", x.load(relaxed));
  };
  Options all;
  all.memory_model = MemoryModel::sc;
  const Report exhaustive = explore(all, body);
  const Report report = explore(bounded(100), body);
  std::set<Outcome> expected;
  std::set<Outcome> found;
  for (const auto& [outcome, count] : exhaustive.outcomes) expected.insert(outcome);
  for (const auto& [outcome, count] : report.outcomes) found.insert(outcome);
  EXPECT_EQ(found, expected);
}

TEST(bounded, under_rc11_every_read_takes_every_write_that_it_may_see) {
  const auto body = [] {
    atomic<int> x{0};
    atomic<int> y{0};
    thread other([&] {
      x.store(1, relaxed);
      y.store(1, relaxed);
    });
    const int first = y.load(relaxed);
    observe("seen", 10 * first + x.load(relaxed));
    other.join();
  };
  EXPECT_EQ(explore(bounded(0), body).outcomes.size(), 1U);
  EXPECT_EQ(explore(bounded(10), body).outcomes.size(), 3U);
  EXPECT_EQ(explore(bounded(10, MemoryModel::rc11), body).outcomes.size(), 4U);
}

TEST(bounded, a_defect_that_needs_three_preemptions_is_found_with_three_and_not_with_two) {
  // Writer, reader, writer, reader, while both could go on.
  const auto body = [] {
    atomic<int> x{0};
    thread reader([&] {
      const int first = x.load(relaxed);
      const int second = x.load(relaxed);
      check(!(first == 1 && second == 2), "a change between two looks");
    });
    x.store(1, relaxed);
    x.store(2, relaxed);
    x.store(3, relaxed);
    reader.join();
  };
  EXPECT_FALSE(explore(bounded(1), body).failure);
  EXPECT_FALSE(explore(bounded(2), body).failure);
  const Report report = explore(bounded(3), body);
  ASSERT_TRUE(report.failure) << report.bound;
  const Report again = replay(report.failure->trace, body);
  ASSERT_TRUE(again.failure) << again.bound;
  EXPECT_EQ(again.failure->message, "a change between two looks");
}

TEST(bounded, a_limit_is_said) {
  Options options = bounded(5);
  options.max_executions = 3;
  const Report report = explore(options, [] {
    atomic<int> x{0};
    thread other([&] { x.store(1, release); });
    for (int i = 0; i < 5; ++i) (void)x.load(acquire);
    other.join();
  });
  EXPECT_EQ(report.executions, 3U);
  EXPECT_EQ(report.bound, "preemption bound 5, not run to its end");
}

TEST(bounded, a_body_that_changes_is_seen) {
  int run = 0;
  const Report report = explore(bounded(3), [&run] {
    const int now = outside([&] { return run++; });
    (void)choose(now == 0 ? 3 : 2);
    atomic<int> x{0};
    x.store(1, relaxed);
  });
  ASSERT_TRUE(report.failure) << report.bound;
  EXPECT_EQ(report.failure->kind, FailureKind::nondeterminism);
}

}  // namespace
