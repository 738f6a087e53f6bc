// Processes from init to close, start and shutdown, and every kind of misuse.
#include "function_process.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <system_error>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle_test;
using namespace std::chrono_literals;

TEST(life, A1_init_step_close_each_in_its_place) {
  std::vector<std::string> calls;
  Scheduler scheduler(with_workers(1));
  ASSERT_FALSE(scheduler.start());
  const auto pid =
      scheduler.submit(process_of({.init =
                                       [&](Context, std::string_view method, Payload& input) {
                                         calls.push_back("init " + std::string(method) + " " +
                                                         std::to_string(*input.get<int>()));
                                         return Error();
                                       },
                                   .step =
                                       [&](Context&, Events&, StepOutput& output) {
                                         calls.emplace_back("step");
                                         if (calls.size() < 4)
                                           output.again();
                                         else
                                           output.done();
                                       },
                                   .close = [&] { calls.emplace_back("close"); }}),
                       "main", 7);
  ASSERT_TRUE(pid);
  // It may be gone already; then there is nothing to wait for.
  const auto report = scheduler.wait(*pid);
  if (report) {
    EXPECT_EQ(report->reason, ExitReason::done);
  }
  scheduler.shutdown();
  EXPECT_EQ(calls, (std::vector<std::string>{"init main 7", "step", "step", "step", "close"}));
}

TEST(life, A2_an_unknown_method_leaves_nothing_behind) {
  int closed = 0;
  Scheduler scheduler(with_workers(1));
  ASSERT_FALSE(scheduler.start());
  const auto pid = scheduler.submit(
      process_of({.init =
                      [](Context, std::string_view method, Payload&) {
                        return method == "known" ? Error()
                                                 : Error(Errc::unknown_method, std::string(method));
                      },
                  .close = [&] { ++closed; }}),
      "unknown");
  EXPECT_FALSE(pid);
  EXPECT_EQ(pid.error().message(), "unknown_method: unknown");
  EXPECT_EQ(closed, 1);
  EXPECT_EQ(scheduler.statistics().live, 0U);
}

TEST(life, A20_a_throwing_init_step_or_close_ends_that_process_only) {
  std::atomic<int> closed{0};
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  const auto close = [&] { ++closed; };
  const auto init = scheduler.submit(process_of(
      {.init = [](Context, std::string_view, Payload&) -> Error { throw std::runtime_error("i"); },
       .close = close}));
  EXPECT_EQ(init.error().message(), "init_failed: i");
  const auto wait_first = [](Context&, Events& events, StepOutput&) {
    if (!events.empty()) throw std::runtime_error("s");
  };
  const auto step = scheduler.submit(process_of({.step = wait_first, .close = close}));
  const auto end = scheduler.submit(process_of({.step = until_cancelled, .close = [&] {
                                                  ++closed;
                                                  throw std::runtime_error("c");
                                                }}));
  const auto well = scheduler.submit(process_of({.step = until_cancelled, .close = close}));
  ASSERT_TRUE(step && end && well);
  std::thread waiter([&] {
    const auto report = scheduler.wait(*step);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->reason, ExitReason::failed);
    EXPECT_EQ(report->error.message(), "step_failed: s");
  });
  std::thread second([&] {
    const auto report = scheduler.wait(*end);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->reason, ExitReason::failed);
    EXPECT_EQ(report->error.code(), Errc::close_failed);
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(scheduler.send(*step, {0, 1}));
  EXPECT_TRUE(scheduler.cancel(*end));
  waiter.join();
  second.join();
  EXPECT_EQ(closed, 3);
  EXPECT_TRUE(scheduler.info(*well));
  scheduler.shutdown();
  EXPECT_EQ(closed, 4);
}

TEST(life, A18_terminate_ends_a_process_once_and_says_when_there_is_none) {
  int closed = 0;
  Scheduler scheduler(with_workers(1));
  ASSERT_FALSE(scheduler.start());
  const auto pid = scheduler.submit(process_of({.close = [&] { ++closed; }}));
  ASSERT_TRUE(pid);
  EXPECT_TRUE(scheduler.terminate(*pid));
  EXPECT_TRUE(eventually([&] { return !scheduler.terminate(*pid); }));
  scheduler.shutdown();
  EXPECT_EQ(closed, 1);
  EXPECT_FALSE(scheduler.terminate(*pid));
  EXPECT_FALSE(scheduler.terminate(Pid{}));
  EXPECT_FALSE(scheduler.terminate(Pid{4'000'000'000U, 1}));
}

TEST(life, A18_a_process_terminates_itself_and_others_from_inside_of_a_step) {
  std::atomic<int> closed{0};
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  const auto victim = scheduler.submit(process_of({.close = [&] { ++closed; }}));
  ASSERT_TRUE(victim);
  const auto self = scheduler.submit(process_of({.step =
                                                     [&](Context& context, Events&, StepOutput&) {
                                                       context.terminate(*victim);
                                                       context.terminate(context.self());
                                                     },
                                                 .close = [&] { ++closed; }}));
  ASSERT_TRUE(self);
  EXPECT_TRUE(eventually([&] { return closed == 2; }));
}

TEST(shutdown, A17_processes_are_asked_and_those_that_listen_end_in_time) {
  std::atomic<int> asked{0};
  std::atomic<int> closed{0};
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(scheduler.submit(process_of({.step =
                                                 [&](Context&, Events& events, StepOutput& output) {
                                                   for (Event& event : events) {
                                                     if (!event.is_cancel()) continue;
                                                     ++asked;
                                                     output.done();
                                                   }
                                                 },
                                             .close = [&] { ++closed; }})));
  }
  const auto began = std::chrono::steady_clock::now();
  scheduler.shutdown(60s);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 30s);
  EXPECT_EQ(asked, 100) << "each exactly once";
  EXPECT_EQ(closed, 100);
}

TEST(shutdown, A17_those_that_do_not_listen_are_ended_at_the_deadline) {
  std::atomic<int> closed{0};
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(scheduler.submit(process_of({.close = [&] { ++closed; }})));
    ASSERT_TRUE(scheduler.submit(
        process_of({.step = [](Context&, Events&, StepOutput& output) { output.again(); },
                    .close = [&] { ++closed; }})));
  }
  scheduler.shutdown(30ms);
  EXPECT_EQ(closed, 100);
  EXPECT_EQ(scheduler.statistics().live, 0U);
}

TEST(shutdown, H7_a_process_may_finish_by_another_asynchronous_step) {
  std::vector<std::thread> handlers;
  Scheduler scheduler(with_workers(1));
  ASSERT_FALSE(scheduler.register_command(9, [&](Command&, Completer& completer) {
    handlers.emplace_back([own = std::move(completer)]() mutable {
      std::this_thread::sleep_for(50ms);
      EXPECT_TRUE(own.complete(std::string("saved")));
    });
    return Error();
  }));
  ASSERT_FALSE(scheduler.start());
  bool saved = false;
  ASSERT_TRUE(scheduler.submit(process_of({.step = [&](Context&, Events& events, StepOutput& out) {
    for (Event& event : events) {
      if (event.is_cancel()) {
        out.yield(9, 1);
        out.blocked();
      } else if (event.kind() == EventKind::yield_complete) {
        saved = true;
        out.done();
      }
    }
  }})));
  scheduler.shutdown(60s);
  EXPECT_TRUE(saved);
  for (std::thread& handler : handlers) handler.join();
}

TEST(shutdown, every_waiter_gets_an_answer) {
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  std::vector<std::thread> waiters;
  std::atomic<int> answers{0};
  for (int i = 0; i < 8; ++i) {
    const auto pid = scheduler.submit(process_of({}));
    ASSERT_TRUE(pid);
    waiters.emplace_back([&scheduler, &answers, pid = *pid] {
      const auto report = scheduler.wait(pid);
      if (report)
        EXPECT_EQ(report->reason, ExitReason::terminated);
      else
        EXPECT_EQ(report.error().code(), Errc::no_such_process);
      ++answers;
    });
  }
  scheduler.shutdown(0s);
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(answers, 8);
}

TEST(shutdown, from_inside_of_a_step_it_begins_and_the_destructor_waits) {
  std::atomic<int> closed{0};
  {
    Scheduler scheduler(with_workers(2));
    ASSERT_FALSE(scheduler.start());
    ASSERT_TRUE(
        scheduler.submit(process_of({.step = until_cancelled, .close = [&] { ++closed; }})));
    ASSERT_TRUE(scheduler.submit(process_of({.step =
                                                 [](Context& context, Events&, StepOutput& output) {
                                                   context.request_shutdown();
                                                   output.done();
                                                 },
                                             .close = [&] { ++closed; }})));
    EXPECT_TRUE(eventually([&] { return closed == 2; }));
    EXPECT_TRUE(eventually([&] { return !scheduler.submit(process_of({})); }));
  }
}

TEST(start, a_scheduler_starts_again_after_each_shutdown) {
  Scheduler scheduler(with_workers(2));
  for (int round = 0; round < 20; ++round) {
    ASSERT_FALSE(scheduler.start());
    std::atomic<bool> ran{false};
    ASSERT_TRUE(scheduler.submit(process_of({.step = [&](Context&, Events&, StepOutput& output) {
      ran = true;
      output.done();
    }})));
    EXPECT_TRUE(eventually([&] { return ran.load(); }));
    scheduler.shutdown();
  }
}

TEST(start, B66_submissions_right_after_start_and_a_shutdown_right_after_that) {
  for (int round = 0; round < 50; ++round) {
    int closed = 0;
    Scheduler scheduler(with_workers(3));
    ASSERT_FALSE(scheduler.start());
    ASSERT_TRUE(
        scheduler.submit(process_of({.step = until_cancelled, .close = [&] { ++closed; }})));
    scheduler.shutdown();
    EXPECT_EQ(closed, 1);
  }
}

TEST(start, two_schedulers_live_side_by_side_and_may_use_each_other) {
  Scheduler first(with_workers(1));
  Scheduler second(with_workers(1));
  ASSERT_FALSE(first.start());
  ASSERT_FALSE(second.start());
  std::atomic<int> sum{0};
  const auto adder = second.submit(process_of({.step = [&](Context&, Events& events, StepOutput&) {
    for (Event& event : events) {
      if (const int* const value = event.payload().get<int>()) sum += *value;
    }
  }}));
  ASSERT_TRUE(adder);
  ASSERT_TRUE(first.submit(process_of({.step = [&](Context&, Events&, StepOutput& output) {
    for (int i = 1; i <= 10; ++i) EXPECT_TRUE(second.send(*adder, {0, i}));
    output.done();
  }})));
  EXPECT_TRUE(eventually([&] { return sum == 55; }));
}

TEST(start, a_thread_that_cannot_be_created_is_an_error_and_a_second_try_works) {
  int allowed = 1;
  Options options = with_workers(3);
  options.create_thread = [&](std::function<void()> body) {
    if (allowed-- == 0) {
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    }
    return std::thread(std::move(body));
  };
  Scheduler scheduler(options);
  EXPECT_EQ(scheduler.start().code(), Errc::thread_creation);
  EXPECT_EQ(scheduler.submit(process_of({})).error().code(), Errc::not_running);
  allowed = 100;
  ASSERT_FALSE(scheduler.start());
  std::atomic<bool> ran{false};
  ASSERT_TRUE(scheduler.submit(process_of({.step = [&](Context&, Events&, StepOutput& output) {
    ran = true;
    output.done();
  }})));
  EXPECT_TRUE(eventually([&] { return ran.load(); }));
}

TEST(misuse, each_gives_a_clear_error) {
  EXPECT_THROW(Scheduler(with_workers(0)), std::invalid_argument);
  Scheduler scheduler(with_workers(1));
  EXPECT_EQ(scheduler.submit(process_of({})).error().message(),
            "not_running: the scheduler has not been started");
  EXPECT_EQ(scheduler.submit(nullptr).error().code(), Errc::invalid_argument);
  ASSERT_FALSE(scheduler.start());
  EXPECT_EQ(scheduler.start().code(), Errc::already_running);
  EXPECT_EQ(scheduler.register_command(1, [](Command&, Completer&) { return Error(); }).code(),
            Errc::already_running);
  EXPECT_EQ(scheduler.wait(Pid{}).error().code(), Errc::no_such_process);
  EXPECT_EQ(scheduler.watch(Pid{}, Pid{}).code(), Errc::no_such_process);
  std::atomic<int> code{-1};
  ASSERT_TRUE(scheduler.submit(process_of({.step = [&](Context& context, Events&, StepOutput& out) {
    code = static_cast<int>(scheduler.wait(context.self()).error().code());
    out.done();
  }})));
  EXPECT_TRUE(eventually([&] { return code == static_cast<int>(Errc::would_block); }));
  scheduler.shutdown();
  scheduler.shutdown();
  EXPECT_EQ(scheduler.submit(process_of({})).error().code(), Errc::not_running);
}

TEST(limit, H8_the_process_limit_is_exact_and_comes_back) {
  Options options = with_workers(2);
  options.process_limit = 3;
  Scheduler scheduler(options);
  ASSERT_FALSE(scheduler.start());
  std::vector<Pid> pids;
  for (int i = 0; i < 3; ++i) {
    const auto pid = scheduler.submit(process_of({}));
    ASSERT_TRUE(pid);
    pids.push_back(*pid);
  }
  EXPECT_EQ(scheduler.submit(process_of({})).error().code(), Errc::process_limit);
  EXPECT_TRUE(scheduler.terminate(pids[1]));
  EXPECT_TRUE(eventually([&] { return static_cast<bool>(scheduler.submit(process_of({}))); }));
  EXPECT_EQ(scheduler.submit(process_of({})).error().code(), Errc::process_limit);
  EXPECT_EQ(scheduler.statistics().live, 3U);
}

TEST(statistics, A19_count_what_happened) {
  Scheduler scheduler(with_workers(2));
  ASSERT_FALSE(scheduler.start());
  const auto pid = scheduler.submit(process_of({.step = until_cancelled}));
  ASSERT_TRUE(pid);
  EXPECT_TRUE(eventually([&] {
    const auto info = scheduler.info(*pid);
    return info && info->state == ProcessState::idle;
  }));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(scheduler.send(*pid, {0, i}));
  EXPECT_TRUE(eventually([&] { return scheduler.statistics().delivered == 10; }));
  const auto info = scheduler.info(*pid);
  ASSERT_TRUE(info);
  EXPECT_GE(info->steps, 2U);
  EXPECT_LE(info->started_at, sync::clock::now());
  const Statistics all = scheduler.statistics();
  EXPECT_EQ(all.workers.size(), 2U);
  EXPECT_EQ(all.live, 1U);
  EXPECT_EQ(all.submitted, 1U);
  EXPECT_EQ(all.accepted, 10U);
  EXPECT_EQ(all.discarded, 0U);
  EXPECT_EQ(all.steps, all.workers[0].executed + all.workers[1].executed);
  scheduler.shutdown();
  EXPECT_FALSE(scheduler.info(*pid));
}

}  // namespace
