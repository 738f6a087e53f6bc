// Events, yields, budgets, cancellation and admission as processes and senders see them.
#include "function_process.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle_test;
using namespace std::chrono_literals;

/// Started, with handlers registered before.
class Started {
 public:
  explicit Started(unsigned workers = 2) : scheduler_(with_workers(workers)) {}
  Scheduler* operator->() { return &scheduler_; }
  Pid submit(Hooks hooks) {
    auto pid = scheduler_.submit(process_of(std::move(hooks)));
    EXPECT_TRUE(pid);
    return *pid;
  }

 private:
  Scheduler scheduler_;
};

TEST(messages, A3_each_is_delivered_once_and_in_its_sender_s_order) {
  Started scheduler;
  ASSERT_FALSE(scheduler->start());
  constexpr int senders = 3;
  constexpr int each = 5'000;
  std::vector<int> last(senders, -1);
  std::atomic<int> received{0};
  std::atomic<bool> in_order{true};
  const Pid sink = scheduler.submit({.step = [&](Context&, Events& events, StepOutput&) {
    for (Event& event : events) {
      if (!event.is_message() || event.is_cancel()) continue;
      const int value = *event.payload().get<int>();
      if (last[event.topic()] != value - 1) in_order = false;
      last[event.topic()] = value;
      ++received;
    }
  }});
  std::vector<std::thread> threads;
  for (unsigned sender = 0; sender < senders; ++sender) {
    threads.emplace_back([&, sender] {
      for (int i = 0; i < each; ++i) EXPECT_TRUE(scheduler->send(sink, {sender, i}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(eventually([&] { return received == senders * each; }));
  EXPECT_TRUE(in_order);
}

TEST(messages, from_says_who_sent_it) {
  Started scheduler;
  ASSERT_FALSE(scheduler->start());
  std::atomic<std::uint64_t> seen{0};
  const Pid sink = scheduler.submit({.step = [&](Context&, Events& events, StepOutput&) {
    for (Event& event : events) {
      if (event.topic() == 1) seen = std::hash<Pid>{}(event.from());
    }
  }});
  const Pid source = scheduler.submit({.step = [&](Context& context, Events&, StepOutput&) {
    EXPECT_TRUE(context.send(sink, {1, Payload()}));
  }});
  EXPECT_TRUE(eventually([&] { return seen == std::hash<Pid>{}(source); }));
}

TEST(yields, A5_a_handler_completes_inside_later_with_an_error_or_not_at_all) {
  Started scheduler;
  std::mutex mutex;
  std::vector<std::thread> later;
  ASSERT_FALSE(scheduler->register_command(1, [](Command& command, Completer& completer) {
    EXPECT_TRUE(completer.complete(*command.data.get<int>() * 2));
    EXPECT_EQ(completer.complete(0).reason, Errc::already_completed);
    return Error(Errc::user, "too late to matter");
  }));
  ASSERT_FALSE(scheduler->register_command(300, [&](Command&, Completer& completer) {
    const std::lock_guard lock(mutex);
    later.emplace_back([own = std::move(completer)]() mutable {
      EXPECT_TRUE(own.complete(30));
      EXPECT_EQ(own.fail(Errc::user).reason, Errc::already_completed);
    });
    return Error();
  }));
  ASSERT_FALSE(
      scheduler->register_command(3, [](Command&, Completer&) { return Error(Errc::user, "no"); }));
  ASSERT_FALSE(scheduler->register_command(
      4, [](Command&, Completer&) -> Error { throw std::runtime_error("oh"); }));
  ASSERT_FALSE(scheduler->register_command(5, [](Command&, Completer&) { return Error(); }));
  ASSERT_FALSE(scheduler->start());

  std::vector<std::string> results(7);
  std::atomic<int> left{6};
  const Pid pid = scheduler.submit({.step = [&](Context&, Events& events, StepOutput& output) {
    if (events.empty()) {
      output.yield(1, 1, 21);
      output.yield(300, 2);
      for (std::uint64_t tag = 3; tag <= 5; ++tag) output.yield(static_cast<CommandId>(tag), tag);
      output.yield(99, 6);
    }
    for (Event& event : events) {
      if (event.kind() != EventKind::yield_complete) continue;
      const Error error = event.error();
      results[event.tag()] = error ? error.message() : std::to_string(*event.payload().get<int>());
      --left;
    }
    output.blocked();
  }});
  ASSERT_TRUE(eventually([&] { return left == 0; }));
  EXPECT_EQ(results[1], "42");
  EXPECT_EQ(results[2], "30");
  EXPECT_EQ(results[3], "handler_failed: user: no");
  EXPECT_EQ(results[4], "handler_failed: oh");
  EXPECT_EQ(results[5], "abandoned");
  EXPECT_EQ(results[6], "unknown_command");
  EXPECT_TRUE(scheduler->info(pid));
  for (std::thread& thread : later) thread.join();
}

TEST(yields, H3_a_late_completion_does_not_reach_who_has_the_slot_now) {
  std::optional<Completer> kept;
  std::atomic<bool> held{false};
  std::atomic<int> strangers{0};
  {
    Started scheduler(1);
    ASSERT_FALSE(scheduler->register_command(1, [&](Command&, Completer& completer) {
      kept.emplace(std::move(completer));
      held = true;
      return Error();
    }));
    ASSERT_FALSE(scheduler->start());
    const Pid old = scheduler.submit({.step = [](Context&, Events&, StepOutput& output) {
      output.yield(1, 1);
      output.blocked();
    }});
    ASSERT_TRUE(eventually([&] { return held.load(); }));
    EXPECT_TRUE(scheduler->terminate(old));
    EXPECT_TRUE(eventually([&] { return !scheduler->info(old); }));
    // Spawn until the slot is used again; by a process, as its worker has what it freed.
    std::atomic<bool> reused{false};
    (void)scheduler.submit({.step = [&](Context& context, Events&, StepOutput& output) {
      for (int i = 0; i < 1000 && !reused; ++i) {
        const Pid pid =
            *context.submit(process_of({.step = [&](Context&, Events& events, StepOutput&) {
              if (!events.empty() && !(*events.begin()).is_cancel()) ++strangers;
            }}));
        if (pid.slot == old.slot && pid.generation != old.generation) reused = true;
      }
      output.done();
    }});
    EXPECT_TRUE(eventually([&] { return reused.load(); }));
    // The stranger has begun and waits.
    EXPECT_EQ(kept->complete(1).reason, Errc::no_such_process);
    EXPECT_EQ(strangers, 0);
    scheduler->shutdown(0s);
  }
  EXPECT_EQ(strangers, 0);
}

/// A receiver that notes what it gets as text, and holds reservations while `hold` is set.
struct Notebook {
  std::mutex mutex;
  std::string text;
  std::vector<Reservation> held;
  std::atomic<bool> hold{false};
  std::atomic<int> events{0};

  Hooks hooks() {
    return {.step = [this](Context&, Events& batch, StepOutput&) {
      const std::lock_guard lock(mutex);
      for (Event& event : batch) {
        if (event.is_cancel()) continue;
        if (event.kind() == EventKind::message) text += std::to_string(*event.payload().get<int>());
        if (event.kind() == EventKind::limit_exceeded) text += 'L';
        if (event.kind() == EventKind::terminal) text += 'T';
        if (hold) held.push_back(std::move(event.reservation()));
        ++events;
      }
    }};
  }
};

Message limited(int value, std::uint64_t items_max) {
  Message message(7, value);
  message.limit.items_max = items_max;
  return message;
}

TEST(yields, a_completer_may_outlive_its_scheduler) {
  std::optional<Completer> kept;
  {
    Started scheduler(1);
    std::atomic<bool> held{false};
    ASSERT_FALSE(scheduler->register_command(1, [&](Command&, Completer& completer) {
      kept.emplace(std::move(completer));
      held = true;
      return Error();
    }));
    ASSERT_FALSE(scheduler->start());
    (void)scheduler.submit({.step = [](Context&, Events&, StepOutput& output) {
      output.yield(1, 1);
      output.blocked();
    }});
    ASSERT_TRUE(eventually([&] { return held.load(); }));
  }
  EXPECT_EQ(kept->complete(1).reason, Errc::no_such_process);
}

TEST(budget, A13_overflow_is_told_once_then_the_topic_is_silent) {
  Notebook notebook;
  notebook.hold = true;
  Started scheduler(1);
  ASSERT_FALSE(scheduler->start());
  const Pid pid = scheduler.submit(notebook.hooks());
  EXPECT_EQ(scheduler->send(pid, limited(1, 2)).admission, Admission::accepted);
  EXPECT_EQ(scheduler->send(pid, limited(2, 2)).admission, Admission::accepted);
  EXPECT_EQ(scheduler->send(pid, limited(3, 2)).admission, Admission::dropped);
  EXPECT_EQ(scheduler->send(pid, limited(4, 2)).admission, Admission::dropped);
  EXPECT_EQ(scheduler->send(pid, {7, 5}).admission, Admission::dropped);
  EXPECT_EQ(scheduler->send(pid, {8, 6}).admission, Admission::accepted);
  ASSERT_TRUE(eventually([&] { return notebook.events == 5; }));
  const std::lock_guard lock(notebook.mutex);
  EXPECT_EQ(notebook.text, "12LT6");
  EXPECT_EQ(scheduler->statistics().dropped, 3U);
}

TEST(budget, A13_what_is_released_may_be_used_again) {
  Notebook notebook;
  Started scheduler(1);
  ASSERT_FALSE(scheduler->start());
  const Pid pid = scheduler.submit(notebook.hooks());
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(scheduler->send(pid, limited(i, 1)).admission, Admission::accepted);
    ASSERT_TRUE(eventually([&] { return notebook.events == i + 1; }));
    // The event is released when its step is over: that is, when the process is idle again.
    ASSERT_TRUE(eventually([&] { return scheduler->info(pid)->state == ProcessState::idle; }));
  }
}

TEST(budget, A15_a_dropped_message_wakes_the_receiver) {
  std::atomic<int> steps{0};
  std::vector<Reservation> held;
  Started scheduler(1);
  ASSERT_FALSE(scheduler->start());
  const Pid pid = scheduler.submit({.step = [&](Context&, Events& events, StepOutput&) {
    for (Event& event : events) held.push_back(std::move(event.reservation()));
    ++steps;
  }});
  EXPECT_TRUE(scheduler->send(pid, limited(1, 1)));
  EXPECT_TRUE(scheduler->send(pid, limited(2, 1)));
  const auto idle_again = [&] { return scheduler->info(pid)->state == ProcessState::idle; };
  EXPECT_TRUE(eventually([&] { return scheduler->statistics().delivered == 3 && idle_again(); }));
  const int before = steps;
  EXPECT_EQ(scheduler->send(pid, limited(3, 1)).admission, Admission::dropped);
  EXPECT_TRUE(eventually([&] { return steps == before + 1; }));
}

TEST(admission, A14_a_cancelled_token_refuses_before_anything_else) {
  Notebook notebook;
  Started scheduler(1);
  ASSERT_FALSE(scheduler->start());
  const Pid pid = scheduler.submit(notebook.hooks());
  CancellationSource source;
  const CancellationToken token = source.token();
  EXPECT_TRUE(scheduler->send(pid, {0, 1}, token));
  EXPECT_TRUE(scheduler->send(pid, {0, 2}, CancellationToken()));
  source.cancel();
  EXPECT_EQ(scheduler->send(pid, {0, 3}, token).reason, Errc::cancelled);
  EXPECT_EQ(scheduler->send(Pid{}, {0, 3}, token).reason, Errc::cancelled)
      << "looked at before the target is looked up";
  ASSERT_TRUE(eventually([&] { return notebook.events == 2; }));
}

TEST(admission, A15_unknown_stale_and_reserved_are_refused) {
  Started scheduler(1);
  ASSERT_FALSE(scheduler->start());
  const Pid pid = scheduler.submit({});
  EXPECT_EQ(scheduler->send(Pid{}, {0, 1}).reason, Errc::no_such_process);
  EXPECT_EQ(scheduler->send(Pid{pid.slot, pid.generation + 1}, {0, 1}).reason,
            Errc::no_such_process);
  EXPECT_EQ(scheduler->send(Pid{~0U, 1}, {0, 1}).reason, Errc::no_such_process);
  EXPECT_EQ(scheduler->send(pid, {topics::cancel, 1}).reason, Errc::invalid_argument);
  EXPECT_TRUE(scheduler->terminate(pid));
  EXPECT_TRUE(eventually([&] {
    return scheduler->send(pid, {0, 1}).reason == Errc::no_such_process;
  }));
}

TEST(cancel, is_sent_once) {
  std::atomic<int> cancels{0};
  Started scheduler(1);
  ASSERT_FALSE(scheduler->start());
  const Pid pid = scheduler.submit({.step = [&](Context&, Events& events, StepOutput& output) {
    for (Event& event : events) {
      if (event.is_cancel())
        ++cancels;
      else
        output.done();
    }
  }});
  EXPECT_TRUE(scheduler->cancel(pid));
  EXPECT_FALSE(scheduler->cancel(pid));
  ASSERT_TRUE(eventually([&] { return cancels == 1; }));
  EXPECT_FALSE(scheduler->cancel(pid));
  EXPECT_TRUE(scheduler->send(pid, {0, 1}));
  EXPECT_TRUE(eventually([&] { return !scheduler->info(pid); }));
  EXPECT_FALSE(scheduler->cancel(pid));
  EXPECT_EQ(cancels, 1);
}

TEST(watch, a_process_hears_how_another_ended) {
  std::atomic<int> reports{0};
  Started scheduler(2);
  ASSERT_FALSE(scheduler->start());
  const Pid child = scheduler.submit({.step = [](Context&, Events& events, StepOutput& output) {
    if (!events.empty()) output.fail(Error(Errc::user, "tired"));
  }});
  const Pid parent = scheduler.submit({.step = [&](Context& context, Events& events, StepOutput&) {
    if (events.empty()) {
      EXPECT_FALSE(context.watch(child));
      EXPECT_TRUE(context.send(child, {0, 1}));
    }
    for (Event& event : events) {
      if (event.topic() != topics::exit) continue;
      const ExitReport& report = *event.payload().get<ExitReport>();
      EXPECT_EQ(report.pid, child);
      EXPECT_EQ(event.from(), child);
      EXPECT_EQ(report.reason, ExitReason::failed);
      EXPECT_EQ(report.error.message(), "user: tired");
      ++reports;
    }
  }});
  EXPECT_TRUE(eventually([&] { return reports == 1; }));
  EXPECT_EQ(scheduler->watch(parent, child).code(), Errc::no_such_process);
}

TEST(watch, spawn_watched_misses_no_end) {
  std::atomic<int> reports{0};
  std::atomic<int> refused{0};
  constexpr int children = 500;
  class Short : public Process {
   public:
    Error init(Context, std::string_view method, Payload) override {
      return method.empty() ? Error() : Error(Errc::unknown_method);
    }
    void step(Events&, StepOutput& output) override { output.done(); }
  };
  Started scheduler(2);
  ASSERT_FALSE(scheduler->start());
  (void)scheduler.submit({.step = [&](Context& context, Events& events, StepOutput&) {
    if (events.empty()) {
      for (int i = 0; i < children; ++i) EXPECT_TRUE(context.spawn_watched<Short>());
      if (!context.spawn_watched<Short>("no such method")) ++refused;
    }
    for (Event& event : events) reports += event.topic() == topics::exit ? 1 : 0;
  }});
  EXPECT_TRUE(eventually([&] { return reports == children; }));
  EXPECT_EQ(refused, 1);
  EXPECT_TRUE(eventually([&] { return scheduler->statistics().live == 1; }));
  EXPECT_EQ(reports, children) << "a failed spawn is not reported a second time";
}

TEST(watch, who_is_told_finds_the_process_gone_from_the_statistics) {
  Started scheduler(2);
  ASSERT_FALSE(scheduler->start());
  for (int i = 0; i < 300; ++i) {
    const Pid pid = scheduler.submit({.step = [](Context&, Events& events, StepOutput& output) {
      if (!events.empty()) output.done();
    }});
    std::thread later([&] { (void)scheduler->send(pid, {0, 1}); });
    const auto report = scheduler->wait(pid);
    if (report) {
      EXPECT_EQ(scheduler->statistics().live, 0U);
    }
    later.join();
  }
}

TEST(accounting, at_the_end_accepted_is_delivered_plus_discarded) {
  Started scheduler(2);
  ASSERT_FALSE(scheduler->start());
  std::vector<Pid> pids;
  for (int i = 0; i < 20; ++i) {
    pids.push_back(scheduler.submit({.step = [](Context&, Events& events, StepOutput& output) {
      if (events.size() > 2) output.done();
    }}));
  }
  for (int i = 0; i < 20'000; ++i) (void)scheduler->send(pids[i % 20U], {0, i});
  scheduler->shutdown(0s);
  const Statistics all = scheduler->statistics();
  EXPECT_EQ(all.accepted, all.delivered + all.discarded);
  EXPECT_GT(all.accepted, 0U);
}

}  // namespace
