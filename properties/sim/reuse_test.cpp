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

class Stack {
 public:
  explicit Stack(Node* top) : head(top) {}

  Node* pop() {
    Node* top = head.load(std::memory_order_acquire);
    while (top != nullptr) {
      Node* const next = top->next;
      if (head.compare_exchange_strong(top, next, std::memory_order_acq_rel)) return top;
    }
    return nullptr;
  }
  void push(Node* node) {
    node->next = head.load(std::memory_order_relaxed);
    while (!head.compare_exchange_strong(node->next, node, std::memory_order_release)) {
    }
  }

  atomic<Node*> head;
};

void pop_against_pop_pop_push(bool reuse) {
  if (reuse) reuse_memory();
  Node* const bottom = new Node{2, nullptr};
  Stack stack(new Node{1, bottom});
  Node* stolen = nullptr;
  thread thief([&] { stolen = stack.pop(); });
  Node* const first = stack.pop();
  Node* const second = stack.pop();
  delete first;
  Node* const again = new Node{3, nullptr};
  stack.push(again);
  thief.join();
  check(second == nullptr || stack.head.load() != second, "a popped node is not in the stack");
  delete second;
  delete stolen;
  if (stolen != again) delete again;
}

TEST(reuse_test, aba_is_found_when_memory_is_reused) {
  const Report report = explore({}, [] { pop_against_pop_pop_push(true); });
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->kind, FailureKind::check);
  const Report again = replay(report.failure->trace, [] { pop_against_pop_pop_push(true); });
  ASSERT_TRUE(again.failure.has_value());
  EXPECT_EQ(again.failure->message, report.failure->message);
}

TEST(reuse_test, without_reuse_no_address_comes_twice) {
  const Report report = explore({}, [] { pop_against_pop_pop_push(false); });
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
