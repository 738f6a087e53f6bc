// The conformance suite over real threads, and what only the std back end promises.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <heddle/sync.hpp>

namespace heddle::properties::conformance {

static void expect(bool condition, const char* what) { EXPECT_TRUE(condition) << what; }

static void run(void (*body)()) {
  for (int times = 0; times < 20; ++times) body();
}

}  // namespace heddle::properties::conformance

#define HEDDLE_BACK_END "on_std"
#include "conformance.hpp"

namespace heddle::properties::conformance {

// The very types, not wrappers.
static_assert(std::is_same_v<sync::atomic<int>, std::atomic<int>>);
static_assert(std::is_same_v<sync::mutex, std::mutex>);
static_assert(std::is_same_v<sync::condition_variable, std::condition_variable>);
static_assert(std::is_same_v<sync::thread, std::thread>);
static_assert(sizeof(sync::cell<int>) == sizeof(int));
static_assert(alignof(sync::cell<double>) == alignof(double));

TEST(sync_std, every_value_below_the_bound_comes) {
  for (const std::uint64_t seed :
       {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{0x9e3779b97f4a7c15}}) {
    sync::random random{seed};
    std::set<unsigned> seen;
    for (int draws = 0; draws < 1000; ++draws) seen.insert(random.below(7));
    EXPECT_EQ(seen.size(), 7U) << seed;
  }
}

TEST(sync_std, threads_and_slots_may_end_together) {
  for (int round = 0; round < 200; ++round) {
    counted::alive = 0;
    std::vector<std::thread> threads;
    std::atomic<int> used{0};
    auto slot = std::make_unique<sync::thread_slot<std::unique_ptr<int>>>();
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        slot->get() = std::make_unique<int>(1);
        used.fetch_add(1);
      });
    }
    while (used.load() != 4) std::this_thread::yield();
    slot.reset();
    for (std::thread& each : threads) each.join();
  }
}

TEST(sync_std, a_thread_that_has_met_many_slots_keeps_none_of_them) {
  sync::thread_slot<int> lasting;
  lasting.get() = 7;
  for (int i = 0; i < 10'000; ++i) {
    sync::thread_slot<int> passing;
    ASSERT_EQ(passing.get(), 0);
    passing.get() = 1;
  }
  EXPECT_EQ(lasting.get(), 7);
}

#ifndef NDEBUG
TEST(sync_std_death, a_failed_assertion_ends_the_program_and_says_where) {
  const auto fail = [] { HEDDLE_ASSERT(1 + 1 == 3, "I9"); };
  EXPECT_DEATH(fail(), "conformance_std_test.cpp:[0-9]+: .*I9: 1 \\+ 1 == 3");
}
#endif

}  // namespace heddle::properties::conformance
