// Each kind of failure has a small program that shows it: with the right kind, the places involved,
// and a trace that replays.

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <heddle/sim.hpp>

namespace {

using namespace heddle::sim;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// Explores, expects the failure, replays its trace and expects it again.
Failure expect_failure(FailureKind kind, const std::function<void()>& body, Options options = {}) {
  const Report report = explore(options, body);
  EXPECT_EQ(report.verdict, Verdict::failed);
  if (!report.failure) {
    ADD_FAILURE() << "no failure was found; executions: " << report.executions
                  << " bound: " << report.bound;
    return {};
  }
  EXPECT_EQ(to_string(report.failure->kind), to_string(kind)) << report.failure->message;
  const Report again = replay(report.failure->trace, body);
  EXPECT_EQ(again.verdict, Verdict::failed) << again.bound;
  if (again.failure) {
    EXPECT_EQ(again.failure->kind, report.failure->kind);
    EXPECT_EQ(again.failure->message, report.failure->message);
    EXPECT_EQ(again.failure->trace, report.failure->trace);
  }
  return *report.failure;
}

void expect_verified(const std::function<void()>& body, Options options = {}) {
  const Report report = explore(options, body);
  EXPECT_EQ(report.verdict, Verdict::verified)
      << (report.failure ? report.failure->message : report.bound);
  EXPECT_GT(report.executions, 0U);
}

TEST(failures, a_false_check_is_found_with_its_place) {
  const Failure failure = expect_failure(FailureKind::check, [] {
    atomic<int> x{0};
    thread writer([&] { x.store(1, relaxed); });
    const int seen = x.load(relaxed);
    writer.join();
    check(seen == 0, "nobody wrote yet");
  });
  EXPECT_EQ(failure.message, "nobody wrote yet");
  EXPECT_NE(failure.trace.file.find("failures_test.cpp"), std::string::npos);
  EXPECT_GT(failure.trace.line, 0U);
}

TEST(failures, an_uncaught_exception_is_found) {
  const Failure failure = expect_failure(FailureKind::exception, [] {
    thread thrower([] { throw std::runtime_error("no more paper"); });
    thrower.join();
  });
  EXPECT_NE(failure.message.find("no more paper"), std::string::npos);
}

TEST(failures, an_exception_that_is_caught_is_none) {
  expect_verified([] {
    atomic<int> x{0};
    thread other([&] {
      try {
        x.store(1, relaxed);
        throw 3;
      } catch (int) {
        x.store(2, relaxed);
      }
    });
    try {
      x.load(relaxed);
      throw 4;
    } catch (int) {
      x.load(relaxed);
    }
    other.join();
  });
}

TEST(failures, a_data_race_names_both_places) {
  const Failure failure = expect_failure(FailureKind::data_race, [] {
    cell<int> data{0};
    atomic<int> flag{0};
    thread writer([&] {
      data.write(1);
      flag.store(1, relaxed);
    });
    if (flag.load(acquire) == 1) data.read();
    writer.join();
  });
  ASSERT_EQ(failure.trace.conflict.size(), 2U);
  EXPECT_NE(failure.trace.conflict[0].find("failures_test.cpp"), std::string::npos);
  EXPECT_NE(failure.trace.conflict[1].find("failures_test.cpp"), std::string::npos);
  EXPECT_NE(failure.trace.conflict[0], failure.trace.conflict[1]);
}

TEST(failures, release_and_acquire_order_a_cell) {
  expect_verified([] {
    cell<int> data{0};
    atomic<int> flag{0};
    thread writer([&] {
      data.write(1);
      flag.store(1, release);
    });
    if (flag.load(acquire) == 1) check(data.read() == 1);
    writer.join();
    data.write(2);
  });
}

TEST(failures, a_write_races_with_one_of_several_readers) {
  expect_failure(FailureKind::data_race, [] {
    cell<int> data{0};
    thread first([&] { data.read(); });
    thread second([&] { data.read(); });
    first.join();
    data.write(1);
    second.join();
  });
}

TEST(failures, two_unordered_writes_race) {
  expect_failure(FailureKind::data_race, [] {
    cell<int> data{0};
    thread other([&] { data.write(1); });
    data.write(2);
    other.join();
  });
}

TEST(failures, a_mutex_orders_cells) {
  expect_verified([] {
    cell<int> data{0};
    mutex lock;
    thread other([&] {
      const std::unique_lock held(lock);
      data.write(data.read() + 1);
    });
    {
      const std::unique_lock held(lock);
      data.write(data.read() + 1);
    }
    other.join();
    check(data.read() == 2);
  });
}

TEST(failures, an_object_used_after_its_destruction_is_found) {
  expect_failure(FailureKind::use_after_free, [] {
    auto x = std::make_unique<atomic<int>>(0);
    atomic<int>* volatile raw = x.get();  // the compiler must not see through this
    x.reset();
    raw->load(relaxed);
  });
}

TEST(failures, an_object_destroyed_while_another_thread_may_use_it_is_found) {
  const Failure failure = expect_failure(FailureKind::use_after_free, [] {
    auto x = std::make_unique<atomic<int>>(0);
    atomic<int> done{0};
    thread user([&, raw = x.get()] {
      raw->store(1, relaxed);
      done.store(1, relaxed);
    });
    if (done.load(relaxed) == 1) x.reset();
    user.join();
  });
  EXPECT_EQ(failure.trace.conflict.size(), 2U);
}

TEST(failures, a_cell_in_freed_memory_is_found) {
  expect_failure(FailureKind::use_after_free, [] {
    auto x = std::make_unique<cell<int>>(0);
    cell<int>* volatile raw = x.get();
    x.reset();
    raw->read();
  });
}

TEST(failures, a_cell_read_before_its_first_write_is_found) {
  expect_failure(FailureKind::uninitialised_read, [] {
    cell<int> data;
    data.read();
  });
}

TEST(failures, an_atomic_that_was_never_built_is_found) {
  expect_failure(FailureKind::uninitialised_read, [] {
    auto memory = std::make_unique<std::byte[]>(sizeof(atomic<int>));
    reinterpret_cast<atomic<int>*>(memory.get())->load(relaxed);
  });
}

TEST(failures, an_atomic_published_without_release_races_with_its_construction) {
  const Failure failure = expect_failure(FailureKind::data_race, [] {
    atomic<atomic<int>*> published{nullptr};
    std::unique_ptr<atomic<int>> object;
    thread maker([&] {
      object = std::make_unique<atomic<int>>(1);
      published.store(object.get(), relaxed);
    });
    if (atomic<int>* const seen = published.load(relaxed); seen != nullptr) seen->load(relaxed);
    maker.join();
  });
  EXPECT_EQ(failure.trace.conflict.size(), 2U);
}

TEST(failures, memory_freed_twice_is_found) {
  expect_failure(FailureKind::double_free, [] {
    int* const memory = new int(1);
    int* volatile same = memory;
    delete memory;
    delete same;
  });
}

TEST(failures, a_leak_is_found) {
  const Failure failure = expect_failure(FailureKind::leak, [] {
    [[maybe_unused]] int* volatile lost = new int(1);
    lost = nullptr;
  });
  EXPECT_NE(failure.message.find("4 bytes"), std::string::npos);
}

TEST(failures, a_captured_vector_that_grows_inside_is_reported_and_outside_is_the_way_out) {
  std::vector<int> results;
  const Failure failure = expect_failure(FailureKind::leak, [&] {
    std::vector<int>* const captured = &results;
    new (captured) std::vector<int>();  // a fresh one, so that the execution can be repeated
    captured->push_back(1);
  });
  EXPECT_NE(failure.message.find("outside"), std::string::npos);
  new (&results) std::vector<int>();
  expect_verified([&] { outside([&] { results.push_back(1); }); });
  EXPECT_EQ(results.size(), 1U);
}

TEST(failures, two_mutexes_taken_in_opposite_order_deadlock) {
  const Failure failure = expect_failure(FailureKind::deadlock, [] {
    mutex a, b;
    thread other([&] {
      const std::unique_lock first(b);
      const std::unique_lock second(a);
    });
    {
      const std::unique_lock first(a);
      const std::unique_lock second(b);
    }
    other.join();
  });
  EXPECT_NE(failure.message.find("thread 0"), std::string::npos);
  EXPECT_NE(failure.message.find("thread 1"), std::string::npos);
}

TEST(failures, a_notify_before_the_wait_is_a_lost_wakeup) {
  const Failure failure = expect_failure(FailureKind::deadlock,
                                         [] {
                                           mutex lock;
                                           condition_variable ready;
                                           thread waiter([&] {
                                             std::unique_lock held(lock);
                                             ready.wait(held);
                                           });
                                           ready.notify_one();
                                           waiter.join();
                                         },
                                         {.spurious_wakeups = 0});
  EXPECT_NE(failure.message.find("lost wakeup"), std::string::npos);
}

TEST(failures, a_predicate_under_the_mutex_loses_no_wakeup) {
  expect_verified([] {
    mutex lock;
    condition_variable ready;
    bool set = false;
    thread waiter([&] {
      std::unique_lock held(lock);
      ready.wait(held, [&] { return set; });
    });
    {
      const std::unique_lock held(lock);
      set = true;
    }
    ready.notify_one();
    waiter.join();
  });
}

TEST(failures, a_flag_set_outside_of_the_mutex_loses_a_wakeup) {  // B48
  expect_failure(FailureKind::deadlock, [] {
    mutex lock;
    condition_variable ready;
    atomic<bool> stop{false};
    thread waiter([&] {
      std::unique_lock held(lock);
      ready.wait(held, [&] { return stop.load(); });
    });
    stop.store(true);
    ready.notify_all();
    waiter.join();
  });
}

TEST(failures, a_wait_without_a_predicate_meets_a_spurious_wakeup) {
  const auto body = [] {
    mutex lock;
    condition_variable ready;
    bool set = false;
    thread setter([&] {
      const std::unique_lock held(lock);
      set = true;
      ready.notify_one();
    });
    {
      std::unique_lock held(lock);
      if (!set) ready.wait(held);
      check(set, "woken without reason");
    }
    setter.join();
  };
  expect_failure(FailureKind::check, body);
  expect_verified(body, {.spurious_wakeups = 0});
}

TEST(failures, a_timed_wait_does_not_hide_a_lost_wakeup_when_timeouts_are_off) {
  const auto body = [] {
    mutex lock;
    condition_variable ready;
    thread waiter([&] {
      std::unique_lock held(lock);
      ready.wait_for(held, std::chrono::seconds(1));
    });
    ready.notify_one();
    waiter.join();
  };
  expect_verified(body);
  expect_failure(FailureKind::deadlock, body, {.timeouts = false, .spurious_wakeups = 0});
}

TEST(failures, a_spin_on_what_nobody_writes_is_a_livelock) {
  expect_failure(FailureKind::livelock, [] {
    atomic<int> x{0};
    thread other([&] {
      while (x.load(relaxed) != 2) spin_hint();
    });
    x.store(1, relaxed);
    other.join();
  });
}

TEST(failures, a_spin_that_ends_is_none) {
  expect_verified([] {
    atomic<int> x{0};
    thread other([&] {
      while (x.load(relaxed) != 2) spin_hint();
    });
    x.store(1, relaxed);
    x.store(2, relaxed);
    other.join();
  });
}

TEST(failures, a_spin_lock_that_is_never_released_is_a_livelock) {
  expect_failure(FailureKind::livelock, [] {
    atomic<int> lock{1};
    int expected = 0;
    while (!lock.compare_exchange_strong(expected, 1)) {
      expected = 0;
      spin_hint();
    }
  });
}

TEST(failures, an_exchange_loop_that_learns_from_its_failure_is_none) {
  expect_verified([] {
    atomic<int> x{0};
    const auto increment = [&x] {
      int seen = x.load(relaxed);
      while (!x.compare_exchange_strong(seen, seen + 1, relaxed, relaxed)) spin_hint();
    };
    thread other(increment);
    increment();
    other.join();
    check(x.load(relaxed) == 2);
  });
}

TEST(failures, a_spin_hint_in_a_bounded_spin_is_misuse) {
  expect_failure(FailureKind::misuse, [] {
    atomic<int> x{0};
    for (int round = 0; round < 2 && x.load(relaxed) == 0; ++round) spin_hint();
  });
}

TEST(failures, an_atomic_wait_without_notify_is_a_lost_wakeup) {
  const auto body = [](bool notify) {
    return [notify] {
      atomic<int> x{0};
      thread waiter([&] { x.wait(0); });
      x.store(1);
      if (notify) x.notify_one();
      waiter.join();
    };
  };
  expect_failure(FailureKind::deadlock, body(false));
  expect_verified(body(true));
}

TEST(failures, a_thread_that_is_not_joined_is_found) {
  expect_failure(FailureKind::unjoined_thread, [] { thread forgotten([] {}); });
}

TEST(failures, misuse_of_sync_objects_is_found) {
  expect_failure(FailureKind::misuse, [] {
    mutex lock;
    lock.lock();
    lock.lock();
  });
  expect_failure(FailureKind::misuse, [] {
    mutex lock;
    lock.unlock();
  });
  expect_failure(FailureKind::misuse, [] {
    mutex lock;
    lock.lock();
  });
  expect_failure(FailureKind::misuse, [] {
    mutex lock;
    condition_variable ready;
    std::unique_lock held(lock, std::defer_lock);
    ready.wait(held);
  });
  expect_failure(FailureKind::misuse, [] {
    thread other([] {});
    other.join();
    other.join();
  });
  expect_failure(FailureKind::misuse, [] { choose(0); });
}

TEST(failures, a_body_that_changes_between_runs_is_nondeterministic) {
  int run = 0;
  const Report report = explore({}, [&] {
    ++run;
    atomic<int> x{0};
    thread other([&] { x.store(1, relaxed); });
    if (run > 1) x.store(2, relaxed);
    x.load(relaxed);
    other.join();
  });
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->kind, FailureKind::nondeterminism) << report.failure->message;
}

TEST(verdicts, a_limit_is_a_result) {
  const auto body = [] {
    atomic<int> x{0};
    std::vector<thread> threads;
    for (int i = 0; i < 6; ++i) threads.emplace_back([&] { x.fetch_add(1, relaxed); });
    for (thread& t : threads) t.join();
  };
  const Report few = explore({.max_executions = 10}, body);
  EXPECT_EQ(few.verdict, Verdict::incomplete);
  EXPECT_EQ(few.executions, 10U);
  EXPECT_NE(few.bound.find("max_executions"), std::string::npos);
  const Report brief = explore({.time_limit = std::chrono::nanoseconds(1)}, body);
  EXPECT_EQ(brief.verdict, Verdict::incomplete);
  EXPECT_NE(brief.bound.find("time_limit"), std::string::npos);
  const Report endless = explore({.max_steps = 1000}, [] {
    atomic<int> x{0};
    while (x.load(relaxed) == 0) yield();
  });
  EXPECT_EQ(endless.verdict, Verdict::incomplete);
  EXPECT_NE(endless.bound.find("max_steps"), std::string::npos);
}

// Each call reads its caller's frame after the deeper call: no frame can be done away with.
unsigned descend(unsigned depth, const volatile unsigned* above) {
  volatile unsigned here[64] = {depth};
  if (depth == 0) return above[0];
  return descend(depth - 1, here) + here[0] + above[0];
}

TEST(verdicts, a_stack_that_overflows_is_a_limit) {
  const auto body = [] {
    thread deep([] {
      const volatile unsigned top[1] = {1};
      check(descend(10'000, top) != 0);
    });
    deep.join();
  };
  const Report small = explore({.stack_bytes = 64 * 1024}, body);
  EXPECT_EQ(small.verdict, Verdict::incomplete);
  EXPECT_NE(small.bound.find("stack_bytes"), std::string::npos) << small.bound;
  EXPECT_EQ(explore({.stack_bytes = 8 * 1024 * 1024}, body).verdict, Verdict::verified);
}

TEST(verdicts, twelve_threads_work) {
  const Report report = explore({}, [] {
    std::vector<std::unique_ptr<atomic<int>>> own;
    std::vector<thread> threads;
    for (int i = 0; i < 12; ++i) own.push_back(std::make_unique<atomic<int>>(0));
    for (int i = 0; i < 12; ++i) threads.emplace_back([&own, i] { own[i]->store(i, relaxed); });
    for (thread& t : threads) t.join();
    for (int i = 0; i < 12; ++i) check(own[i]->load(relaxed) == i);
  });
  EXPECT_EQ(report.verdict, Verdict::verified);
  EXPECT_EQ(report.executions, 1U);
}

TEST(verdicts, bad_options_are_refused) {
  EXPECT_THROW(explore({.jobs = 0}, [] {}), std::invalid_argument);
  EXPECT_THROW(explore({.time_limit = std::chrono::nanoseconds(-1)}, [] {}), std::invalid_argument);
  EXPECT_THROW(explore({}, {}), std::invalid_argument);
}

TEST(verdicts, choices_and_outcomes_are_complete) {
  const Report report = explore({}, [] { observe("n", choose(3) * 10 + choose(2)); });
  EXPECT_EQ(report.executions, 6U);
  EXPECT_EQ(report.outcomes.size(), 6U);
}

TEST(verdicts, assume_blocks_an_execution) {
  const Report report = explore({}, [] { assume(choose(3) != 1); });
  EXPECT_EQ(report.executions, 2U);
  EXPECT_EQ(report.blocked, 1U);
}

}  // namespace
