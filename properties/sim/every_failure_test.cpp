// With stop_at_first_failure = false a failure ends its thread and not the execution: what the
// other threads still write leads to the executions in which nothing fails, and to the other
// failures.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include <heddle/sim.hpp>

namespace {

using namespace heddle::sim;
constexpr auto relaxed = std::memory_order_relaxed;

Options all_failures() {
  Options options;
  options.stop_at_first_failure = false;
  return options;
}

// The reader fails before the writer has written: its write is what makes the other execution.
TEST(every_failure_test, what_is_written_after_a_failure_is_still_met) {
  const Report report = explore(all_failures(), [] {
    atomic<int> gate{0};
    atomic<int> x{0};
    thread writer([&] {
      gate.load(relaxed);
      x.store(1, relaxed);
    });
    check(x.load(relaxed) == 1, "the write is seen");
    writer.join();
  });
  EXPECT_EQ(report.verdict, Verdict::failed);
  EXPECT_EQ(report.failures, 1U);
  EXPECT_EQ(report.executions, 1U);
}

// Of two threads that can both fail every combination is met.
TEST(every_failure_test, failures_of_several_threads_are_counted_apart) {
  const auto body = [] {
    atomic<int> x{0};
    atomic<int> y{0};
    thread first([&] {
      y.store(1, relaxed);
      check(x.load(relaxed) == 1, "x is seen");
    });
    x.store(1, relaxed);
    check(y.load(relaxed) == 1, "y is seen");
    first.join();
  };
  const Report all = explore(all_failures(), body);
  EXPECT_EQ(all.verdict, Verdict::failed);
  EXPECT_EQ(all.executions, 1U);
  EXPECT_EQ(all.failures, 3U);
  const Report first = explore({}, body);
  EXPECT_EQ(first.verdict, Verdict::failed);
  EXPECT_EQ(first.failures, 1U);
}

// The trace of a failure ends where it failed, whatever the others did afterwards.
TEST(every_failure_test, the_recorded_trace_replays) {
  const auto body = [] {
    atomic<int> x{0};
    thread writer([&] { x.store(1, relaxed); });
    check(x.load(relaxed) == 1, "the write is seen");
    writer.join();
  };
  const Report report = explore(all_failures(), body);
  ASSERT_TRUE(report.failure.has_value());
  const Report again = replay(report.failure->trace, body);
  ASSERT_TRUE(again.failure.has_value());
  EXPECT_EQ(again.failure->message, report.failure->message);
}

// A pointer into nowhere ends the execution, not the program, and replays like any failure.
TEST(every_failure_test, a_wild_pointer_is_a_failure_of_its_thread) {
  const auto body = [] {
    atomic<int*> target{nullptr};
    thread other([&] { target.store(reinterpret_cast<int*>(16), relaxed); });
    int* const seen = target.load(relaxed);
    if (seen != nullptr) *static_cast<volatile int*>(seen) = 1;
    other.join();
  };
  const Report report = explore({}, body);
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->kind, FailureKind::misuse);
  EXPECT_NE(report.failure->message.find("null pointer"), std::string::npos);
  EXPECT_NE(report.failure->message.find("every_failure_test.cpp"), std::string::npos);
  const Report again = replay(report.failure->trace, body);
  ASSERT_TRUE(again.failure.has_value());
  EXPECT_EQ(again.failure->message, report.failure->message);
}

TEST(every_failure_test, a_pointer_from_unwritten_memory_is_an_uninitialised_read) {
  const Report report = explore({}, [] {
    struct Node {
      Node* next;
    };
    Node* const node = new Node;
    Node* volatile* const place = &node->next;
    Node* const wild = *place;
    *static_cast<Node* volatile*>(&wild->next) = nullptr;
    delete node;
  });
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->kind, FailureKind::uninitialised_read);
}

}  // namespace
