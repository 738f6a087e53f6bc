// Sampling: chances that are known, seeds, ends, traces. Seeds are fixed, and bounds lie several
// standard deviations from the expected value.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <heddle/sim.hpp>
#include <heddle/sim/explore/explore.hpp>

namespace {

using namespace heddle::sim;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto seq_cst = std::memory_order_seq_cst;

Options sampled(Strategy strategy, std::uint64_t executions) {
  Options options;
  options.strategy = strategy;
  options.memory_model = MemoryModel::sc;
  options.max_executions = executions;
  options.seed = 7;
  return options;
}

double share(const Report& report, const std::string& name, std::int64_t value) {
  std::uint64_t with = 0;
  for (const auto& [outcome, count] : report.outcomes) {
    const auto found = outcome.find(name);
    if (found != outcome.end() && found->second == value) with += count;
  }
  return static_cast<double>(with) / static_cast<double>(report.executions);
}

// Five standard deviations of the mean of `runs` draws.
double tolerance(double chance, std::uint64_t runs) {
  return 5 * std::sqrt(chance * (1 - chance) / static_cast<double>(runs));
}

// ---- known chances ------------------------------------------------------------------------------

// The reader sees the flag when it comes after m operations that have nothing to do with it.
std::function<void()> late_reader(int operations) {
  return [operations] {
    atomic<int> own{0};
    atomic<int> flag{0};
    thread reader([&] { observe("seen", flag.load(relaxed)); });
    for (int i = 0; i < operations; ++i) own.store(i, relaxed);
    flag.store(1, relaxed);
    reader.join();
  };
}

// The reader sees how many stores, all of which race with it, came before it.
std::function<void()> racing_reader(int stores) {
  return [stores] {
    atomic<int> x{0};
    thread reader([&] { observe("seen", x.load(relaxed)); });
    for (int i = 1; i <= stores; ++i) x.store(i, relaxed);
    reader.join();
  };
}

TEST(sampling, random_walk_needs_every_coin_to_fall_right) {
  constexpr std::uint64_t runs = 20'000;
  const Report report = explore(sampled(Strategy::random, runs), late_reader(5));
  EXPECT_EQ(report.executions, runs);
  const double expected = std::pow(0.5, 6);
  EXPECT_NEAR(share(report, "seen", 1), expected, tolerance(expected, runs));
}

TEST(sampling, pos_is_not_disturbed_by_what_is_independent) {
  constexpr std::uint64_t runs = 20'000;
  for (const int operations : {4, 12}) {
    const Report report = explore(sampled(Strategy::pos, runs), late_reader(operations));
    // The reader's priority stays while the writer's m+1 operations draw theirs.
    const double expected = 1.0 / (operations + 2);
    EXPECT_NEAR(share(report, "seen", 1), expected, tolerance(expected, runs)) << operations;
  }
}

TEST(sampling, pos_draws_anew_for_what_races) {
  constexpr std::uint64_t runs = 20'000;
  const Report report = explore(sampled(Strategy::pos, runs), racing_reader(4));
  // Without that it would be 1/5 for the last value.
  const double expected = std::pow(0.5, 4);
  EXPECT_NEAR(share(report, "seen", 4), expected, tolerance(expected, runs));
  EXPECT_NEAR(share(report, "seen", 0), 0.5, tolerance(0.5, runs));
}

// With two threads and priorities alone, the reader runs before everything or after everything.
TEST(sampling, pct_of_depth_one_never_preempts) {
  constexpr std::uint64_t runs = 5'000;
  Options options = sampled(Strategy::pct, runs);
  options.pct_depth = 1;
  const Report report = explore(options, racing_reader(10));
  EXPECT_NEAR(share(report, "seen", 0), 0.5, tolerance(0.5, runs) + 0.001);
  EXPECT_NEAR(share(report, "seen", 10), 0.5, tolerance(0.5, runs) + 0.001);
  double between = 0;
  for (int value = 1; value < 10; ++value) between += share(report, "seen", value);
  EXPECT_LE(between, 1.0 / runs) << "only the first execution, a random walk, may see these";
}

// To see i, 0 < i < m, the writer has to be stopped before its store i+1: depth 2.
TEST(sampling, pct_of_depth_two_keeps_its_guarantee) {
  constexpr std::uint64_t runs = 20'000;
  constexpr int stores = 10;
  Options options = sampled(Strategy::pct, runs);
  options.pct_depth = 2;
  const Report report = explore(options, racing_reader(stores));
  // Steps with a choice: until the writer's last store or the reader's load, at most m.
  constexpr double n = 2;
  constexpr double k = stores;
  const double guarantee = 1 / (n * k);
  for (int value = 1; value < stores; ++value) {
    const double found = share(report, "seen", value);
    EXPECT_GE(found, guarantee - tolerance(guarantee, runs)) << value;
    EXPECT_LE(found, 2 * guarantee) << value << ": a change point of " << k << " is too many";
  }
}

// To see i and then j, 0 < i < j = m: the writer is stopped, then the reader: depth 3.
TEST(sampling, pct_of_depth_three_keeps_its_guarantee) {
  constexpr std::uint64_t runs = 60'000;
  constexpr int stores = 8;
  const auto body = [] {
    atomic<int> x{0};
    thread reader([&] {
      const int first = x.load(relaxed);
      const int second = x.load(relaxed);
      observe("pair", 100 * first + second);
    });
    for (int i = 1; i <= stores; ++i) x.store(i, relaxed);
    reader.join();
  };
  Options options = sampled(Strategy::pct, runs);
  options.pct_depth = 3;
  const Report report = explore(options, body);
  constexpr double n = 2;
  constexpr double k = stores + 2;
  const double guarantee = 1 / (n * k * k);
  EXPECT_GE(share(report, "pair", 308), guarantee - tolerance(guarantee, runs));
  options.pct_depth = 2;
  const Report shallow = explore(options, body);
  EXPECT_LE(share(shallow, "pair", 308), 1.0 / runs);
}

// ---- the same again -----------------------------------------------------------------------------

void weak_body() {
  atomic<int> x{0};
  atomic<int> y{0};
  thread other([&] {
    x.store(1, relaxed);
    y.store(1, relaxed);
    y.store(2, relaxed);
  });
  const int first = y.load(relaxed);
  const int second = x.load(relaxed);
  observe("seen", 10 * first + second);
  other.join();
}

TEST(sampling, the_same_seed_gives_the_same_and_another_one_something_else) {
  for (const Strategy strategy : {Strategy::random, Strategy::pct, Strategy::pos}) {
    for (const MemoryModel model : {MemoryModel::sc, MemoryModel::rc11}) {
      Options options = sampled(strategy, 500);
      options.memory_model = model;
      const Report first = explore(options, weak_body);
      const Report second = explore(options, weak_body);
      EXPECT_EQ(first.outcomes, second.outcomes);
      EXPECT_EQ(first.bound, second.bound);
      options.seed = 8;
      EXPECT_NE(explore(options, weak_body).outcomes, first.outcomes);
    }
  }
}

TEST(sampling, weak_memory_shows_what_the_model_allows_and_nothing_else) {
  Options options;
  const Report all = explore(options, weak_body);
  ASSERT_EQ(all.verdict, Verdict::verified);
  for (const Strategy strategy : {Strategy::random, Strategy::pct, Strategy::pos}) {
    Options some = sampled(strategy, 3'000);
    some.memory_model = MemoryModel::rc11;
    const Report report = explore(some, weak_body);
    EXPECT_EQ(report.outcomes.size(), all.outcomes.size());
    for (const auto& [outcome, count] : report.outcomes) {
      EXPECT_EQ(all.outcomes.count(outcome), 1U) << outcome.at("seen");
    }
    // Under SC one interleaving cannot show the new y and the old x.
    some.memory_model = MemoryModel::sc;
    EXPECT_EQ(share(explore(some, weak_body), "seen", 20), 0);
  }
}

// ---- ends ---------------------------------------------------------------------------------------

TEST(sampling, spin_loops_end_with_a_hint_and_without) {
  for (const bool hint : {true, false}) {
    const auto body = [hint] {
      atomic<int> ready{0};
      thread spinner([&] {
        while (ready.load(acquire) == 0) {
          if (hint) spin_hint();
        }
      });
      thread setter([&] { ready.store(1, release); });
      spinner.join();
      setter.join();
    };
    for (const Strategy strategy :
         {Strategy::random, Strategy::pct, Strategy::pos, Strategy::bounded}) {
      const Report report = explore(sampled(strategy, 300), body);
      EXPECT_EQ(report.verdict, Verdict::incomplete);
      EXPECT_GT(report.executions, 0U);
      EXPECT_EQ(report.blocked, 0U);
      EXPECT_EQ(report.bound.find("max_steps"), std::string::npos)
          << to_string(report.verdict) << report.bound;
    }
  }
}

// Each takes the turn away from the other one: no read repeats, so only the tail ends it.
TEST(sampling, pct_gets_out_of_a_livelock_of_writes) {
  const auto body = [] {
    atomic<int> turns{0};
    atomic<bool> stop{false};
    thread busy([&] {
      while (!stop.load(relaxed)) turns.fetch_add(1, relaxed);
    });
    stop.store(true, relaxed);
    busy.join();
  };
  const Report report = explore(sampled(Strategy::pct, 200), body);
  EXPECT_EQ(report.executions, 200U) << report.bound;
}

TEST(sampling, time_is_virtual) {
  using namespace std::chrono_literals;
  const auto body = [] {
    atomic<int> x{0};
    thread sleeper([&] {
      sleep_for(1h);
      x.store(1, relaxed);
    });
    sleep_for(2h);
    sleeper.join();
    check(x.load(relaxed) == 1, "the sleeper has woken");
  };
  for (const Strategy strategy :
       {Strategy::random, Strategy::pct, Strategy::pos, Strategy::bounded}) {
    const Report report = explore(sampled(strategy, 200), body);
    EXPECT_EQ(report.verdict, Verdict::incomplete) << report.bound;
    EXPECT_GT(report.executions, 0U);
    EXPECT_LT(report.elapsed, 1h);
  }
}

TEST(sampling, a_deadlock_is_one) {
  const auto body = [] {
    mutex a;
    mutex b;
    thread other([&] {
      a.lock();
      b.lock();
      b.unlock();
      a.unlock();
    });
    b.lock();
    a.lock();
    a.unlock();
    b.unlock();
    other.join();
  };
  for (const MemoryModel model : {MemoryModel::sc, MemoryModel::rc11}) {
    for (const Strategy strategy :
         {Strategy::random, Strategy::pct, Strategy::pos, Strategy::bounded}) {
      Options options = sampled(strategy, 1'000);
      options.memory_model = model;
      const Report report = explore(options, body);
      ASSERT_TRUE(report.failure) << report.bound;
      EXPECT_EQ(report.failure->kind, FailureKind::deadlock);
      const Report again = replay(report.failure->trace, body);
      ASSERT_TRUE(again.failure) << again.bound;
      EXPECT_EQ(again.failure->trace, report.failure->trace);
    }
  }
}

// The spinner stops at its hint, is woken, and fails: the replay has to wake it too.
TEST(sampling, what_comes_after_a_spin_loop_replays) {
  const auto body = [] {
    atomic<int> ready{0};
    thread spinner([&] {
      while (ready.load(acquire) != 2) spin_hint();
      check(false, "behind the loop");
    });
    ready.store(1, release);
    ready.store(2, release);
    spinner.join();
  };
  for (const Strategy strategy :
       {Strategy::random, Strategy::pct, Strategy::pos, Strategy::bounded}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Options options = sampled(strategy, 100);
      options.seed = seed;
      options.preemption_bound = static_cast<unsigned>(seed % 4);
      const Report report = explore(options, body);
      ASSERT_TRUE(report.failure) << report.bound;
      EXPECT_EQ(report.failure->kind, FailureKind::check) << report.failure->message;
      const Report again = replay(report.failure->trace, body);
      ASSERT_TRUE(again.failure) << again.bound;
      EXPECT_EQ(again.failure->trace, report.failure->trace);
    }
  }
}

TEST(sampling, many_events_cost_each_the_same) {
  // A store history without bound, or a search through all reads of a location, would take hours.
  const auto body = [] {
    atomic<int> x{0};
    const auto work = [&] {
      for (int i = 0; i < 100'000; ++i) {
        x.fetch_add(1, seq_cst);
        (void)x.load(relaxed);
      }
    };
    thread first(work);
    thread second(work);
    first.join();
    second.join();
    check(x.load(relaxed) == 200'000, "no increment is lost");
  };
  for (const Strategy strategy : {Strategy::random, Strategy::pct, Strategy::pos}) {
    Options options = sampled(strategy, 2);
    options.memory_model = MemoryModel::rc11;
    options.max_steps = 1'000'000;
    const Report report = explore(options, body);
    EXPECT_EQ(report.executions, 2U) << report.bound;
  }
}

// ---- what is asked ------------------------------------------------------------------------------

TEST(sampling, what_is_out_of_range_is_refused) {
  const auto nothing = [] {};
  EXPECT_THROW(explore(sampled(Strategy::pct, 0), nothing), std::invalid_argument);
  EXPECT_THROW(explore(sampled(Strategy::pos, 0), nothing), std::invalid_argument);
  EXPECT_THROW(explore(sampled(Strategy::random, 0), nothing), std::invalid_argument);
  EXPECT_NO_THROW(explore(sampled(Strategy::bounded, 0), nothing));
  Options options = sampled(Strategy::pct, 10);
  options.pct_depth = 0;
  EXPECT_THROW(explore(options, nothing), std::invalid_argument);
  options.pct_depth = 1001;
  EXPECT_THROW(explore(options, nothing), std::invalid_argument);
  options.pct_depth = 1000;
  EXPECT_NO_THROW(explore(options, nothing));
}

TEST(sampling, says_how_much_is_left_to_be_found) {
  const Report few = explore(sampled(Strategy::random, 2'000), racing_reader(2));
  ASSERT_TRUE(few.chance_of_new.has_value());
  EXPECT_EQ(*few.chance_of_new, 0) << "there are three executions";
  EXPECT_NE(few.bound.find("hardly any"), std::string::npos) << few.bound;
  const auto many = [] {
    atomic<int> x{0};
    std::vector<int> seen;
    thread other([&] {
      for (int i = 0; i < 30; ++i) x.fetch_add(1, relaxed);
    });
    for (int i = 0; i < 30; ++i) x.fetch_add(2, relaxed);
    other.join();
  };
  const Report report = explore(sampled(Strategy::random, 500), many);
  ASSERT_TRUE(report.chance_of_new.has_value());
  EXPECT_GT(*report.chance_of_new, 0.99);
  EXPECT_NE(report.bound.find("chance of about"), std::string::npos) << report.bound;
  EXPECT_FALSE(explore(sampled(Strategy::bounded, 10), many).chance_of_new.has_value());
}

}  // namespace
