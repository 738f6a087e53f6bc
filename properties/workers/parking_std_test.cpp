// The parker, the idle set and the options, on real threads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include <heddle/scheduler/workers/idle_set.hpp>
#include <heddle/scheduler/workers/options.hpp>
#include <heddle/scheduler/workers/parker.hpp>

namespace {

using namespace heddle;
using namespace std::chrono_literals;

TEST(parker, B80_a_token_from_before_the_park_is_not_lost_and_counts_once) {
  Parker parker;
  parker.unpark();
  parker.unpark();
  EXPECT_TRUE(parker.park());
  EXPECT_FALSE(parker.park(sync::clock::now() + 1ms)) << "two unparks, one token";
}

TEST(parker, a_deadline_in_the_past_ends_the_park) {
  Parker parker;
  EXPECT_FALSE(parker.park(sync::clock::now() - 1s));
  EXPECT_FALSE(parker.park(sync::clock::now() + 5ms));
  parker.unpark();
  EXPECT_TRUE(parker.park(sync::clock::now() - 1s));
}

TEST(parker, every_unpark_after_a_return_ends_the_next_park) {
  Parker parker;
  std::atomic<unsigned> returned{0};
  constexpr unsigned rounds = 5'000;
  std::thread sleeper([&] {
    for (unsigned i = 0; i < rounds; ++i) {
      (void)parker.park();
      returned.fetch_add(1);
    }
  });
  for (unsigned i = 0; i < rounds; ++i) {
    parker.unpark();
    while (returned.load() != i + 1) std::this_thread::yield();
  }
  sleeper.join();
}

TEST(idle_set, wakes_nobody_when_nobody_sleeps_or_somebody_searches) {
  IdleSet idle(3);
  EXPECT_FALSE(idle.choose_after_publishing());
  idle.begin_search();
  idle.begin_search();
  EXPECT_FALSE(idle.enter(0)) << "not the last searcher";
  EXPECT_FALSE(idle.choose_after_publishing()) << "the other one searches";
  EXPECT_TRUE(idle.enter(1));
  const auto chosen = idle.choose_after_publishing(0);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(*chosen, 0U) << "the preferred one";
  EXPECT_EQ(idle.searching(), 1U);
  EXPECT_FALSE(idle.choose_after_publishing()) << "the woken one searches";
  EXPECT_TRUE(idle.end_search());
  EXPECT_EQ(idle.choose_after_publishing(0), 1U) << "the preferred one is awake";
}

TEST(idle_set, B10_who_was_taken_out_is_not_in_it_twice) {
  IdleSet idle(2);
  idle.begin_search();
  EXPECT_TRUE(idle.enter(1));
  EXPECT_EQ(idle.take_all(), std::vector<IdleSet::WorkerId>{1});
  EXPECT_FALSE(idle.leave(1)) << "a token is coming";
  EXPECT_EQ(idle.searching(), 1U);
  EXPECT_EQ(idle.idle(), 0U);
  EXPECT_TRUE(idle.enter(1));
  EXPECT_TRUE(idle.leave(1));
  EXPECT_EQ(idle.idle(), 0U);
}

TEST(options, the_defaults_are_valid) {
  EXPECT_FALSE(Options{}.validate());
  EXPECT_GE(Options::default_workers(), 1U);
}

TEST(options, each_nonsense_is_named) {
  const auto message = [](auto change) {
    Options options;
    change(options);
    const Error error = options.validate();
    EXPECT_EQ(error.code(), Errc::invalid_argument);
    return error.message();
  };
  EXPECT_NE(message([](Options& o) { o.workers = 0; }).find("workers is 0"), std::string::npos);
  EXPECT_NE(message([](Options& o) { o.workers = 5000; }).find("at most 1024"), std::string::npos);
  EXPECT_NE(message([](Options& o) { o.steal_batch = 0; }).find("steal_batch"), std::string::npos);
  EXPECT_NE(message([](Options& o) { o.global_batch = 9999; }).find("global_batch"),
            std::string::npos);
  EXPECT_NE(message([](Options& o) { o.local_max = 1; }).find("local_max"), std::string::npos);
  EXPECT_NE(message([](Options& o) { o.shutdown_deadline = -1s; }).find("shutdown_deadline"),
            std::string::npos);
  EXPECT_NE(message([](Options& o) { o.stall_limit = -1s; }).find("stall_limit"),
            std::string::npos);
}

}  // namespace
