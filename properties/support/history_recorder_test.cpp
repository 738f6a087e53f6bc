// The recorder between the simulator and the linearizability checker: right objects pass in every
// execution, wrong ones fail with the operations that show why.
#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "history_recorder.hpp"

namespace heddle::properties {
namespace {

using Recorder = history_recorder<model::AtomicRegister>;

sim::Report explore(const std::function<void()>& body,
                    sim::MemoryModel memory = sim::MemoryModel::rc11) {
  sim::Options options;
  options.memory_model = memory;
  return sim::explore(options, body);
}

/// Counts by an addition in one step, or by a load and a store.
void two_threads_count(bool in_one_step) {
  sim::atomic<int> counter{0};
  Recorder recorder;
  const auto add = [&] {
    recorder.record(model::fetch_add(1), [&]() -> std::int64_t {
      if (in_one_step) return counter.fetch_add(1, std::memory_order_relaxed);
      const int before = counter.load(std::memory_order_relaxed);
      counter.store(before + 1, std::memory_order_relaxed);
      return before;
    });
  };
  sim::thread other(add);
  add();
  other.join();
  recorder.record(model::read(), [&] { return counter.load(std::memory_order_relaxed); });
  recorder.check_linearizable();
}

TEST(HistoryRecorder, a_right_counter_passes_in_every_execution) {
  const sim::Report report = explore([] { two_threads_count(true); });
  EXPECT_EQ(report.verdict, sim::Verdict::verified) << report.bound;
  EXPECT_EQ(report.executions, 2U);
}

TEST(HistoryRecorder, a_wrong_counter_fails_with_the_operations_that_show_why) {
  const auto body = [] { two_threads_count(false); };
  for (const auto memory : {sim::MemoryModel::sc, sim::MemoryModel::rc11}) {
    const sim::Report report = explore(body, memory);
    ASSERT_EQ(report.verdict, sim::Verdict::failed) << report.bound;
    EXPECT_EQ(report.failure->kind, sim::FailureKind::check);
    EXPECT_EQ(
        report.failure->message,
        R"(not linearizable: no order of these 2 operations (of 3) that keeps to happens-before is allowed by the specification.
  #0   thread 0   fetch_add(1) -> 0
  #1   thread 1   fetch_add(1) -> 0
The longest order that works, with the state behind each operation:
  start              0
  fetch_add(1) -> 0  1
What cannot come next:
  #1   fetch_add(1) -> 0: the value is 1
)");
    const sim::Report again = sim::replay(report.failure->trace, body);
    ASSERT_EQ(again.verdict, sim::Verdict::failed) << again.bound;
    EXPECT_EQ(again.failure->message, report.failure->message);
  }
}

TEST(HistoryRecorder, operations_stand_in_the_trace) {
  const sim::Report report = explore([] { two_threads_count(false); });
  ASSERT_TRUE(report.failure.has_value());
  const auto& steps = report.failure->trace.steps;
  const auto count = [&](sim::TraceStep::Kind kind, const std::string& text) {
    return std::count_if(steps.begin(), steps.end(), [&](const sim::TraceStep& step) {
      return step.kind == kind && step.text == text;
    });
  };
  EXPECT_EQ(count(sim::TraceStep::Kind::operation_begin, "fetch_add(1)"), 2);
  EXPECT_EQ(count(sim::TraceStep::Kind::operation_end, "0"), 2);
  EXPECT_EQ(count(sim::TraceStep::Kind::operation_begin, "read()"), 1);
}

/// One thread writes; the other sees that the write has returned, by a flag of which only an
/// acquire orders what it guards, and reads.
void write_and_read(history_order order, std::memory_order of_flag, bool reads_old_value) {
  sim::atomic<int> value{0};
  sim::atomic<int> returned{0};
  Recorder recorder;
  sim::thread writer([&] {
    recorder.record(model::write(1), [&]() -> std::int64_t {
      value.store(1, std::memory_order_relaxed);
      return 0;
    });
    returned.store(1, std::memory_order_release);
  });
  sim::assume(returned.load(of_flag) == 1);
  recorder.record(model::read(),
                  [&] { return reads_old_value ? 0 : value.load(std::memory_order_relaxed); });
  writer.join();
  recorder.check_linearizable(order);
}

TEST(HistoryRecorder, without_synchronisation_an_old_value_is_no_fault) {
  const auto verdict = [](history_order order, std::memory_order of_flag, bool reads_old_value) {
    return explore([=] { write_and_read(order, of_flag, reads_old_value); }).verdict;
  };
  const auto acquire = std::memory_order_acquire;
  const auto relaxed = std::memory_order_relaxed;
  EXPECT_EQ(verdict(history_order::happens_before, relaxed, false), sim::Verdict::verified);
  EXPECT_EQ(verdict(history_order::happens_before, relaxed, true), sim::Verdict::verified);
  EXPECT_EQ(verdict(history_order::happens_before, acquire, false), sim::Verdict::verified);
  EXPECT_EQ(verdict(history_order::happens_before, acquire, true), sim::Verdict::failed);
  // The positions in a run, which are no order of an execution graph, show a fault where none is.
  EXPECT_EQ(verdict(history_order::real_time, relaxed, true), sim::Verdict::failed);
}

TEST(HistoryRecorder, real_time_is_the_order_of_the_calls_and_returns_of_a_run) {
  const sim::Report report = explore([] {
    history_recorder<model::Lifo> recorder;
    recorder.record(model::push(1), [] { return model::done(); });
    recorder.record(model::push(2), [] { return model::done(); });
    recorder.record(model::pop(), [] { return model::delivered(1); });
    recorder.check_linearizable(history_order::real_time);
  });
  ASSERT_EQ(report.verdict, sim::Verdict::failed) << report.bound;
  EXPECT_NE(report.failure->message.find("these 3 operations (of 3) that keeps to real time"),
            std::string::npos)
      << report.failure->message;
}

TEST(HistoryRecorder, an_operation_that_throws_is_pending) {
  const sim::Report report = explore([] {
    history_recorder<model::Lifo> recorder;
    try {
      recorder.record(model::push(1),
                      []() -> model::Outcome { throw std::runtime_error("half done"); });
    } catch (const std::runtime_error&) {
    }
    sim::check(!recorder.history()[0].result.has_value(), "not returned");
    recorder.record(model::pop(), [] { return model::delivered(1); });
    recorder.check_linearizable();
  });
  EXPECT_EQ(report.verdict, sim::Verdict::verified)
      << (report.failure ? report.failure->message : report.bound);
}

TEST(HistoryRecorder, what_could_not_be_decided_is_not_passed) {
  const sim::Report report = explore([] {
    Recorder recorder;
    recorder.record(model::read(), []() -> std::int64_t { return 0; });
    model::CheckOptions options;
    options.states_max = 0;
    recorder.check_linearizable(history_order::happens_before, options);
  });
  ASSERT_EQ(report.verdict, sim::Verdict::failed);
  EXPECT_NE(report.failure->message.find("budget"), std::string::npos) << report.failure->message;
}

TEST(HistoryRecorder, a_race_is_lost_only_to_a_rival) {
  const auto body = [](bool has_rival) {
    return [has_rival] {
      history_recorder<model::Deque> recorder;
      const auto lose = [&] { recorder.record(model::steal(), [] { return model::lost_race(); }); };
      sim::thread thief(lose);
      if (!has_rival) thief.join();
      recorder.record(model::pop(), [] { return model::empty(); });
      if (has_rival) thief.join();
      recorder.check_linearizable();
      recorder.check_lost_races();
    };
  };
  EXPECT_EQ(explore(body(true)).verdict, sim::Verdict::verified);
  const sim::Report alone = explore(body(false));
  ASSERT_EQ(alone.verdict, sim::Verdict::failed);
  EXPECT_EQ(alone.failure->message, "a race was lost without a rival");
}

TEST(HistoryRecorder, items_of_a_locked_stack_are_checked_in_every_execution) {
  const auto body = [](bool last_in_first_out) {
    return [last_in_first_out] {
      sim::mutex mutex;
      std::vector<model::Item> items;
      history_recorder<model::Lifo> recorder;
      const auto push = [&](model::Item item) {
        recorder.record(model::push(item), [&] {
          const std::unique_lock<sim::mutex> lock(mutex);
          items.push_back(item);
          return model::done();
        });
      };
      const auto pop = [&] {
        recorder.record(model::pop(), [&] {
          const std::unique_lock<sim::mutex> lock(mutex);
          if (items.empty()) return model::empty();
          const auto taken = last_in_first_out ? items.end() - 1 : items.begin();
          const model::Outcome outcome = model::delivered(*taken);
          items.erase(taken);
          return outcome;
        });
      };
      for (const model::Item item : {1, 2, 3}) push(item);
      sim::thread other(pop);
      pop();
      other.join();
      pop();
      recorder.check_linearizable();
    };
  };
  const sim::Report right = explore(body(true));
  EXPECT_EQ(right.verdict, sim::Verdict::verified)
      << (right.failure ? right.failure->message : right.bound);
  EXPECT_EQ(right.executions, 2U);
  const sim::Report wrong = explore(body(false));
  ASSERT_EQ(wrong.verdict, sim::Verdict::failed);
  // 1 goes while 3 is there.
  EXPECT_NE(wrong.failure->message.find("no order of these 3 operations (of 6)"), std::string::npos)
      << wrong.failure->message;
}

}  // namespace
}  // namespace heddle::properties
