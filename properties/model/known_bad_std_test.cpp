// Histories with the classical faults of queues and deques: each is refused, with exactly the
// operations that show why and with words that say it.
#include <vector>

#include <gtest/gtest.h>

#include <heddle/model.hpp>

namespace heddle::model {
namespace {

using Ids = std::vector<OperationId>;

template <Specification S>
Conflict conflict_of(const S& spec, const History<S>& history, const CheckOptions& options = {}) {
  const CheckResult result = check_linearizable(spec, history, options);
  EXPECT_EQ(result.verdict, Verdict::not_linearizable);
  EXPECT_TRUE(result.linearization.empty());
  return result.conflict.value_or(Conflict{});
}

CheckOptions by_search_alone() {
  CheckOptions options;
  options.counts_first = false;
  return options;
}

TEST(KnownBad, double_delivery) {
  // Owner and thief get the same item, as when a batch is taken past an owner that does not look.
  History<Deque> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  history.record(0, push(3), done());
  const OperationId batch = history.call(1, steal_half(2));
  history.record(0, pop(), delivered(3));
  history.record(0, pop(), delivered(2));
  history.returns(batch, delivered({1, 2}));
  history.record(0, pop(), empty());
  const Conflict conflict = conflict_of(Deque{}, history);
  EXPECT_EQ(conflict.core, (Ids{3, 5}));
  EXPECT_EQ(conflict.context, (Ids{1}));
  EXPECT_EQ(conflict.operations, (Ids{1, 3, 5}));
  EXPECT_TRUE(conflict.minimal);
  EXPECT_EQ(
      conflict.text,
      R"(not linearizable: no order of these 3 operations (of 7) that keeps to real time is allowed by the specification.
Item 2 was pushed once and delivered twice: by #3 steal_half(2) -> [1, 2] of thread 1 and #5 pop() -> 2 of thread 0.
  #1   thread 0   push(2)                    (context)
  #3   thread 1   steal_half(2) -> [2, ...]  after #1
  #5   thread 0   pop() -> 2                 after #1
The longest order that works, with the state behind each operation:
  start                      []
  push(2)                    [2]
  steal_half(2) -> [2, ...]  []
What cannot come next:
  #5   pop() -> 2: the deque is empty
)");
  // Counting only saves time: the search comes to the same operations.
  EXPECT_EQ(conflict_of(Deque{}, history, by_search_alone()).operations, (Ids{1, 3, 5}));
}

TEST(KnownBad, lost_item) {
  History<Deque> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  history.record(1, steal(), delivered(1));
  history.record(0, pop(), empty());
  history.record(1, steal(), empty());
  const Conflict conflict = conflict_of(Deque{}, history);
  EXPECT_EQ(conflict.operations, (Ids{1, 3}));
  EXPECT_TRUE(conflict.context.empty());
  EXPECT_EQ(
      conflict.text,
      R"(not linearizable: no order of these 2 operations (of 5) that keeps to real time is allowed by the specification.
  #1   thread 0   push(2)
  #3   thread 0   pop() -> empty  after #1
The longest order that works, with the state behind each operation:
  start    []
  push(2)  [2]
What cannot come next:
  #3   pop() -> empty: the deque holds [2]
)");
}

TEST(KnownBad, pop_that_is_not_last_in_first_out) {
  History<Deque> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  history.record(0, push(3), done());
  history.record(1, steal(), delivered(1));
  history.record(0, pop(), delivered(2));
  history.record(0, pop(), delivered(3));
  const Conflict conflict = conflict_of(Deque{}, history);
  EXPECT_EQ(conflict.operations, (Ids{1, 2, 4}));
  EXPECT_TRUE(conflict.context.empty());
  EXPECT_EQ(
      conflict.text,
      R"(not linearizable: no order of these 3 operations (of 6) that keeps to real time is allowed by the specification.
  #1   thread 0   push(2)
  #2   thread 0   push(3)     after #1
  #4   thread 0   pop() -> 2  after #2
The longest order that works, with the state behind each operation:
  start    []
  push(2)  [2]
  push(3)  [2, 3]
What cannot come next:
  #4   pop() -> 2: the bottom item is 3
)");
}

TEST(KnownBad, empty_while_not_empty) {
  // A thief that reads the ends in the wrong order sees an empty deque that never was.
  History<Deque> history;
  history.record(0, push(1), done());
  const OperationId look = history.call(1, steal());
  history.record(0, push(2), done());
  history.record(0, pop(), delivered(2));
  history.returns(look, empty());
  history.record(0, pop(), delivered(1));
  const Conflict conflict = conflict_of(Deque{}, history);
  EXPECT_EQ(conflict.operations, (Ids{0, 1}));
  EXPECT_EQ(
      conflict.text,
      R"(not linearizable: no order of these 2 operations (of 5) that keeps to real time is allowed by the specification.
  #0   thread 0   push(1)
  #1   thread 1   steal() -> empty  after #0
The longest order that works, with the state behind each operation:
  start    []
  push(1)  [1]
What cannot come next:
  #1   steal() -> empty: the deque holds [1]
)");
}

TEST(KnownBad, batch_that_is_not_from_the_top) {
  History<Deque> history;
  for (Item item = 1; item <= 4; ++item) {
    history.record(0, push(item), done());
  }
  history.record(1, steal_half(2), delivered({1, 3}));
  history.record(1, steal(), delivered(2));
  EXPECT_EQ(conflict_of(Deque{}, history).operations, (Ids{1, 2, 4}));
}

TEST(KnownBad, batch_in_the_wrong_order) {
  History<Deque> history;
  for (Item item = 1; item <= 4; ++item) {
    history.record(0, push(item), done());
  }
  history.record(1, steal_half(8), delivered({2, 1}));
  const Conflict conflict = conflict_of(Deque{}, history);
  EXPECT_EQ(conflict.operations, (Ids{0, 1, 4}));
  EXPECT_NE(conflict.text.find("#4   steal_half(8) -> [2, 1]: the items from the top are [1, 2]"),
            std::string::npos)
      << conflict.text;
}

TEST(KnownBad, batch_of_more_than_half) {
  const Deque halves{Deque::Batch::at_most_half};
  History<Deque> history;
  for (Item item = 1; item <= 4; ++item) {
    history.record(0, push(item), done());
  }
  history.record(1, steal_half(8), delivered({1, 2, 3}));
  EXPECT_EQ(check_linearizable(Deque{}, history).verdict, Verdict::linearizable);
  const Conflict conflict = conflict_of(halves, history);
  EXPECT_EQ(conflict.core, (Ids{4}));
  EXPECT_EQ(conflict.operations, (Ids{4}));
  EXPECT_NE(conflict.text.find("the deque is empty"), std::string::npos) << conflict.text;
}

TEST(KnownBad, item_that_was_never_pushed) {
  History<Fifo> history;
  history.record(0, push(1), done());
  history.record(1, pop(), delivered(1));
  history.record(1, pop(), delivered(7));
  const Conflict conflict = conflict_of(Fifo{}, history);
  EXPECT_EQ(conflict.operations, (Ids{2}));
  EXPECT_EQ(
      conflict.text,
      R"(not linearizable: no order of this operation (of 3) that keeps to real time is allowed by the specification.
Item 7 was delivered by #2 pop() -> 7 of thread 1 but never pushed.
  #2   thread 1   pop() -> 7
Nothing can come first, in state []:
  #2   pop() -> 7: the queue is empty
)");
}

TEST(KnownBad, item_that_was_delivered_before_it_was_pushed) {
  History<Fifo> history;
  history.record(1, pop(), delivered(1));
  history.record(0, push(1), done());
  const Conflict conflict = conflict_of(Fifo{}, history);
  EXPECT_EQ(conflict.operations, (Ids{0}));
  EXPECT_NE(conflict.text.find("Item 1 was delivered before it was pushed: #0 pop() -> 1 of "
                               "thread 1 and #1 push(1) of thread 0."),
            std::string::npos)
      << conflict.text;
}

TEST(KnownBad, queue_that_is_not_first_in_first_out) {
  History<Fifo> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  const OperationId late = history.call(0, push(3));
  history.record(1, pop(), delivered(2));
  history.record(1, pop(), delivered(1));
  history.returns(late, done());
  const Conflict conflict = conflict_of(Fifo{}, history);
  EXPECT_EQ(conflict.core, (Ids{0, 3}));
  EXPECT_EQ(conflict.context, (Ids{1}));
}

TEST(KnownBad, stale_read) {
  History<AtomicRegister> history;
  history.record(0, write(1), 0);
  history.record(0, write(2), 0);
  const OperationId pending = history.call(2, write(5));
  history.record(1, read(), 2);
  history.record(1, read(), 1);
  const Conflict conflict = conflict_of(AtomicRegister{}, history);
  EXPECT_EQ(conflict.operations, (Ids{0, 1, 4}));
  EXPECT_EQ(history[pending].result, std::nullopt);
  EXPECT_EQ(
      conflict.text,
      R"(not linearizable: no order of these 3 operations (of 5) that keeps to real time is allowed by the specification.
  #0   thread 0   write(1)
  #1   thread 0   write(2)     after #0
  #4   thread 1   read() -> 1  after #1
The longest order that works, with the state behind each operation:
  start     0
  write(1)  1
  write(2)  2
What cannot come next:
  #4   read() -> 1: the value is 2
)");
}

TEST(KnownBad, lost_update) {
  History<AtomicRegister> history;
  const OperationId one = history.call(0, fetch_add(1));
  const OperationId two = history.call(1, fetch_add(1));
  history.returns(one, 0);
  history.returns(two, 0);
  history.record(0, read(), 1);
  EXPECT_EQ(conflict_of(AtomicRegister{}, history).operations, (Ids{0, 1}));
}

// The same operations under happens-before: what contradicts it is told in its terms.
TEST(KnownBad, stale_read_in_happens_before_order) {
  const auto history_where = [](bool write_is_seen) {
    History<AtomicRegister> history;
    history.record(0, write(1), 0);
    history.record(1, read(), 0);
    history.order_by([=](OperationId a, OperationId) { return a == 0 && write_is_seen; });
    return history;
  };
  EXPECT_EQ(check_linearizable(AtomicRegister{}, history_where(false)).verdict,
            Verdict::linearizable);
  const Conflict conflict = conflict_of(AtomicRegister{}, history_where(true));
  EXPECT_EQ(conflict.operations, (Ids{0, 1}));
  EXPECT_EQ(
      conflict.text,
      R"(not linearizable: no order of these 2 operations (of 2) that keeps to happens-before is allowed by the specification.
  #0   thread 0   write(1)
  #1   thread 1   read() -> 0  after #0
The longest order that works, with the state behind each operation:
  start     0
  write(1)  1
What cannot come next:
  #1   read() -> 0: the value is 1
)");
}

TEST(KnownBad, only_the_object_at_fault_is_shown) {
  History<Lifo> history;
  history.record(0, push(1), done(), 8);
  history.record(0, push(2), done(), 9);
  history.record(0, pop(), delivered(1), 8);
  history.record(1, pop(), empty(), 9);
  const Conflict conflict = conflict_of(Lifo{}, history);
  EXPECT_EQ(conflict.object, 9U);
  EXPECT_EQ(conflict.operations, (Ids{1, 3}));
  EXPECT_EQ(conflict.text.rfind("not linearizable, object 9: ", 0), 0U) << conflict.text;
}

}  // namespace
}  // namespace heddle::model
