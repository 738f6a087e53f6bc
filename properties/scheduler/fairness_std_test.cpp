// Where ready processes go and who runs them: nobody starves, nothing waits behind a step that does
// not end, and nothing spins when there is nothing to do.
#include "function_process.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace heddle;
using namespace heddle_test;
using namespace std::chrono_literals;

/// A step that does not end before it is told to.
struct LongStep {
  std::atomic<bool> entered{false};
  std::atomic<bool> release{false};

  Hooks hooks(std::function<void(Context&)> first = {}) {
    return {.step = [this, first](Context& context, Events&, StepOutput& output) {
      if (first) first(context);
      entered = true;
      while (!release) std::this_thread::yield();
      output.done();
    }};
  }
};

Hooks counting(std::atomic<int>& steps) {
  return {.step = [&steps](Context&, Events&, StepOutput&) { ++steps; }};
}

TEST(fairness, H2_a_submission_is_run_although_one_worker_is_in_a_step_that_does_not_end) {
  LongStep step;
  std::atomic<int> steps{0};
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  ASSERT_TRUE(scheduler.submit(process_of(step.hooks())));
  ASSERT_TRUE(eventually([&] { return step.entered.load(); }));
  ASSERT_TRUE(scheduler.submit(process_of(counting(steps))));
  EXPECT_TRUE(eventually([&] { return steps == 1; }));
  step.release = true;
}

TEST(fairness, H5_work_injected_behind_a_step_that_does_not_end_is_found_by_others) {
  LongStep step;
  std::atomic<int> steps{0};
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  std::vector<Pid> pids;
  for (int i = 0; i < 8; ++i) pids.push_back(*scheduler.submit(process_of(counting(steps))));
  ASSERT_TRUE(eventually([&] { return steps == 8; }));
  ASSERT_TRUE(scheduler.submit(process_of(step.hooks())));
  ASSERT_TRUE(eventually([&] { return step.entered.load(); }));
  // Some of them ran last on the worker that is busy now.
  for (const Pid pid : pids) EXPECT_TRUE(scheduler.send(pid, {0, 1}));
  EXPECT_TRUE(eventually([&] { return steps == 16; }));
  step.release = true;
}

TEST(fairness, B62_a_process_in_the_next_slot_of_a_stalled_worker_is_taken_over) {
  LongStep step;
  std::atomic<int> steps{0};
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  const Pid sleeper = *scheduler.submit(process_of(counting(steps)));
  ASSERT_TRUE(eventually([&] { return steps == 1; }));
  std::this_thread::sleep_for(50ms);  // both workers park
  ASSERT_TRUE(scheduler.submit(process_of(step.hooks([&](Context& context) {
    EXPECT_TRUE(context.send(sleeper, {0, 1}));
  }))));
  EXPECT_TRUE(eventually([&] { return steps == 2; }));
  EXPECT_FALSE(step.release);
  step.release = true;
}

TEST(fairness, H6_a_batch_behind_a_long_step_is_shared) {
  LongStep step;
  std::atomic<int> steps{0};
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  ASSERT_TRUE(scheduler.submit(process_of(step.hooks([&](Context& context) {
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(context.submit(process_of(counting(steps))));
    }
  }))));
  EXPECT_TRUE(eventually([&] { return steps == 40; }));
  step.release = true;
}

TEST(fairness, B61_two_processes_that_wake_each_other_do_not_starve_a_third) {
  std::atomic<int> steps{0};
  std::atomic<bool> stop{false};
  std::vector<Pid> pair(2);
  Scheduler scheduler(with_workers(1));
  ASSERT_FALSE(scheduler.start());
  const auto bounce = [&](std::size_t other) {
    return Hooks{.step = [&, other](Context& context, Events& events, StepOutput&) {
      if (!events.empty() && !stop) (void)context.send(pair[other], {0, 1});
    }};
  };
  pair[0] = *scheduler.submit(process_of(bounce(1)));
  pair[1] = *scheduler.submit(process_of(bounce(0)));
  std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(scheduler.send(pair[0], {0, 1}));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(scheduler.submit(process_of(counting(steps))));
  EXPECT_TRUE(eventually([&] { return steps == 10; }));
  stop = true;
}

TEST(fairness, B10_processes_that_yield_take_turns) {
  constexpr int count = 300;  // more than a local queue keeps
  std::vector<std::atomic<int>> steps(count);
  std::atomic<int> worst{0};
  Scheduler scheduler(with_workers(1));
  ASSERT_FALSE(scheduler.start());
  ASSERT_TRUE(scheduler.submit(process_of({.step = [&](Context& context, Events&, StepOutput& out) {
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(context.submit(process_of({.step = [&, i](Context&, Events&, StepOutput& output) {
        if (++steps[i] < 200)
          output.again();
        else
          output.done();
        if (steps[i] != 100) return;
        // By the time that anyone is half through, everybody has begun.
        int begun = 0;
        for (const auto& other : steps) begun += other > 0 ? 1 : 0;
        worst = std::max(worst.load(), count - begun);
      }})));
    }
    out.done();
  }})));
  EXPECT_TRUE(eventually([&] { return scheduler.statistics().live == 0; }));
  EXPECT_EQ(worst, 0);
}

TEST(fairness, spawn_chains_do_not_starve_what_was_there_before) {
  std::atomic<int> steps{0};
  std::atomic<bool> stop{false};
  std::function<void(Context&)> spawn_another = [&](Context& context) {
    if (stop) return;
    (void)context.submit(process_of({.step = [&](Context& inner, Events&, StepOutput& output) {
      spawn_another(inner);
      spawn_another(inner);
      output.done();
      if (steps >= 10) stop = true;
    }}));
  };
  Options options = with_workers(1);
  options.process_limit = 2000;
  Scheduler scheduler(options);
  ASSERT_FALSE(scheduler.start());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(scheduler.submit(process_of(counting(steps))));
  ASSERT_TRUE(scheduler.submit(process_of({.step = [&](Context& context, Events&, StepOutput& out) {
    spawn_another(context);
    out.done();
  }})));
  EXPECT_TRUE(eventually([&] { return steps >= 10; }));
  stop = true;
}

/// How often workers have fallen asleep: each time follows a wake, so who is not woken does not
/// count.
std::uint64_t parks(const Scheduler& scheduler) {
  std::uint64_t sum = 0;
  for (const WorkerStatistics& worker : scheduler.statistics().workers) sum += worker.parks;
  return sum;
}

/// Waits until so many workers sleep, and are not merely about to.
bool asleep(const Scheduler& scheduler, std::uint64_t workers) {
  return eventually([&] { return scheduler.statistics().idle_workers == workers; }) &&
         eventually([&] {
           const std::uint64_t before = parks(scheduler);
           std::this_thread::sleep_for(50ms);
           return parks(scheduler) == before;
         });
}

TEST(idle, without_work_nobody_wakes_up) {
  Scheduler scheduler(with_workers(4));
  ASSERT_FALSE(scheduler.start());
  ASSERT_TRUE(asleep(scheduler, 4));
  const std::uint64_t before = parks(scheduler);
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(parks(scheduler), before);
  EXPECT_EQ(scheduler.statistics().idle_workers, 4U);
}

TEST(idle, processes_that_sleep_cost_no_periodic_wake) {
  std::atomic<int> steps{0};
  Scheduler scheduler(with_workers(4));
  ASSERT_FALSE(scheduler.start());
  const auto sleeper = scheduler.submit(process_of(counting(steps)));
  ASSERT_TRUE(sleeper);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(scheduler.submit(process_of(counting(steps))));
  ASSERT_TRUE(eventually([&] { return steps == 101; }));
  ASSERT_TRUE(asleep(scheduler, 4));
  const std::uint64_t before = parks(scheduler);
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(parks(scheduler), before);
  EXPECT_TRUE(scheduler.send(*sleeper, {0, 1}));
  EXPECT_TRUE(eventually([&] { return steps == 102; }));
  EXPECT_TRUE(eventually([&] { return parks(scheduler) > before; })) << "the count counts";
}

TEST(idle, B87_one_long_step_does_not_keep_the_other_workers_busy) {
  Options options = with_workers(4);
  options.stall_limit = 20ms;
  Scheduler scheduler(options);
  ASSERT_FALSE(scheduler.start());
  std::atomic<bool> release{false};
  ASSERT_TRUE(scheduler.submit(process_of({.step = [&](Context&, Events&, StepOutput& output) {
    while (!release) std::this_thread::sleep_for(5ms);
    output.done();
  }})));
  ASSERT_TRUE(eventually([&] { return scheduler.statistics().idle_workers == 3; }));
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t before = parks(scheduler);
  std::this_thread::sleep_for(400ms);
  const std::uint64_t during = parks(scheduler) - before;
  const auto limits = (std::chrono::steady_clock::now() - began) / options.stall_limit;
  // Only the sentinel looks up, once in a stall limit; the others may just be falling asleep.
  EXPECT_LE(during, static_cast<std::uint64_t>(limits) + 6);
  release = true;
}

}  // namespace
