// In reuse mode a Treiber stack without tags shows its ABA; without the mode it does not, because
// no address comes twice.

#include <gtest/gtest.h>

#include <heddle/sim.hpp>
#include <heddle/sim/runtime/reuse.hpp>

namespace {

using namespace heddle::sim;

struct Node {
  int value;
  Node* next;
};

// The thief decides by what it has read about the object in the slot, and takes the object when the
// slot still holds the same pointer; it never looks into an object that is not its own.
void take_by_pointer(bool reuse) {
  if (reuse) reuse_memory();
  atomic<Node*> slot{new Node{1, nullptr}};
  atomic<int> label{1};
  thread thief([&] {
    Node* seen = slot.load(std::memory_order_acquire);
    const int value = label.load(std::memory_order_acquire);
    if (seen == nullptr) return;
    if (slot.compare_exchange_strong(seen, nullptr, std::memory_order_acq_rel)) {
      check(seen->value == value, "the object is the one that was looked at");
      delete seen;
    }
  });
  if (Node* const old = slot.exchange(nullptr, std::memory_order_acq_rel); old != nullptr) {
    delete old;
    label.store(2, std::memory_order_release);
    slot.store(new Node{2, nullptr}, std::memory_order_release);
  }
  thief.join();
  delete slot.load();
}

TEST(reuse_test, aba_is_found_when_memory_is_reused) {
  const Report report = explore({}, [] { take_by_pointer(true); });
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->kind, FailureKind::check) << report.failure->message;
  const Report again = replay(report.failure->trace, [] { take_by_pointer(true); });
  ASSERT_TRUE(again.failure.has_value());
  EXPECT_EQ(again.failure->message, report.failure->message);
}

TEST(reuse_test, without_reuse_no_address_comes_twice) {
  const Report report = explore({}, [] { take_by_pointer(false); });
  EXPECT_EQ(report.verdict, Verdict::verified) << (report.failure ? report.failure->message : "");
}

TEST(reuse_test, what_is_freed_last_comes_first_and_only_to_the_thread_that_freed_it) {
  const Report report = explore({}, [] {
    reuse_memory();
    auto* const one = new Node{1, nullptr};
    auto* const two = new Node{2, nullptr};
    const void* const places[] = {one, two};
    delete one;
    delete two;
    thread other([&] {
      auto* const fresh = new Node{};
      check(fresh != places[0] && fresh != places[1], "another thread has memory of its own");
      delete fresh;
    });
    other.join();
    auto* const again = new Node{};
    auto* const and_again = new Node{};
    check(again == places[1], "what was freed last comes first");
    check(and_again == places[0], "then what was freed before");
    auto* const larger = new Node[2]{};
    check(larger != places[0] && larger != places[1], "another size has another place");
    delete again;
    delete and_again;
    delete[] larger;
  });
  EXPECT_EQ(report.verdict, Verdict::verified) << (report.failure ? report.failure->message : "");
}

TEST(reuse_test, leaks_and_double_frees_are_still_found) {
  const Report leak = explore({}, [] {
    reuse_memory();
    Node* volatile const freed = new Node{};
    delete freed;
    Node* volatile const lost = new Node{};
    check(lost != nullptr);
  });
  ASSERT_TRUE(leak.failure.has_value());
  EXPECT_EQ(leak.failure->kind, FailureKind::leak);
  const Report twice = explore({}, [] {
    reuse_memory();
    Node* volatile const node = new Node{};
    delete node;
    delete node;
  });
  ASSERT_TRUE(twice.failure.has_value());
  EXPECT_EQ(twice.failure->kind, FailureKind::double_free);
}

}  // namespace
