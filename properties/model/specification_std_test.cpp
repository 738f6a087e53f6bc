// What the specifications allow, refuse and say.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <heddle/model.hpp>

namespace heddle::model {
namespace {

using Items = std::vector<Item>;
using States = std::vector<Items>;

static_assert(Specification<Deque> && Explaining<Deque> && Observing<Deque> && Counting<Deque>);
static_assert(Specification<Fifo> && Explaining<Fifo> && Observing<Fifo> && Counting<Fifo>);
static_assert(Specification<Lifo> && Explaining<Lifo> && Observing<Lifo> && Counting<Lifo>);
static_assert(Specification<AtomicRegister> && Observing<AtomicRegister>);
static_assert(!Projecting<AtomicRegister>, "a number is not a collection");

template <class S>
auto after(const S& spec, const Items& items, const Request& call, std::optional<Outcome> result) {
  return next_states(spec, items, CollectionOperation{call, std::move(result), 0, 0});
}

TEST(DequeSpecification, owner_works_at_the_bottom) {
  EXPECT_EQ(after(Deque{}, {1, 2}, push(3), done()), (States{{1, 2, 3}}));
  EXPECT_EQ(after(Deque{}, {1, 2}, pop(), delivered(2)), (States{{1}}));
  EXPECT_EQ(after(Deque{}, {1, 2}, pop(), delivered(1)), States{});
  EXPECT_EQ(after(Deque{}, {}, pop(), empty()), (States{{}}));
  EXPECT_EQ(after(Deque{}, {1}, pop(), empty()), States{});
  EXPECT_EQ(after(Deque{}, {}, pop(), delivered(1)), States{});
  EXPECT_EQ(after(Deque{}, {1}, pop(), lost_race()), States{}) << "an owner gets its answer";
}

TEST(DequeSpecification, thieves_take_from_the_top) {
  EXPECT_EQ(after(Deque{}, {1, 2}, steal(), delivered(1)), (States{{2}}));
  EXPECT_EQ(after(Deque{}, {1, 2}, steal(), delivered(2)), States{});
  EXPECT_EQ(after(Deque{}, {1, 2}, steal(), delivered({1, 2})), States{}) << "not a batch";
  EXPECT_EQ(after(Deque{}, {1}, steal(), empty()), States{});
  EXPECT_EQ(after(Deque{}, {}, steal(), empty()), (States{{}}));
  EXPECT_EQ(after(Deque{}, {1}, steal(), lost_race()), (States{{1}}));
  EXPECT_EQ(after(Deque{}, {}, steal_half(2), lost_race()), (States{{}}));
}

TEST(DequeSpecification, batches_come_from_the_top_and_fit) {
  const Items five{1, 2, 3, 4, 5};
  EXPECT_EQ(after(Deque{}, five, steal_half(3), delivered({1, 2})), (States{{3, 4, 5}}));
  EXPECT_EQ(after(Deque{}, five, steal_half(2), delivered({1, 2, 3})), States{});
  EXPECT_EQ(after(Deque{}, five, steal_half(3), delivered({2, 3})), States{});
  EXPECT_EQ(after(Deque{}, five, steal_half(3), delivered(Items{})), States{});
  const Deque halves{Deque::Batch::at_most_half};
  EXPECT_EQ(after(halves, five, steal_half(32), delivered({1, 2, 3})), (States{{4, 5}}));
  EXPECT_EQ(after(halves, five, steal_half(32), delivered({1, 2, 3, 4})), States{});
  EXPECT_EQ(after(halves, {1}, steal_half(32), delivered(1)), (States{{}}));
}

TEST(DequeSpecification, pending_operations_may_do_all_they_can) {
  EXPECT_EQ(after(Deque{}, {1}, push(2), std::nullopt), (States{{1, 2}}));
  EXPECT_EQ(after(Deque{}, {1, 2}, pop(), std::nullopt), (States{{1}}));
  EXPECT_EQ(after(Deque{}, {}, pop(), std::nullopt), (States{{}}));
  EXPECT_EQ(after(Deque{}, {1, 2}, steal(), std::nullopt), (States{{1, 2}, {2}}));
  EXPECT_EQ(after(Deque{}, {1, 2, 3}, steal_half(2), std::nullopt),
            (States{{1, 2, 3}, {2, 3}, {3}}));
}

TEST(FifoSpecification, first_in_is_first_out) {
  EXPECT_EQ(after(Fifo{}, {1, 2}, push(3), done()), (States{{1, 2, 3}}));
  EXPECT_EQ(after(Fifo{}, {1, 2}, pop(), delivered(1)), (States{{2}}));
  EXPECT_EQ(after(Fifo{}, {1, 2}, pop(), delivered(2)), States{});
  EXPECT_EQ(after(Fifo{}, {1}, pop(), empty()), States{});
  EXPECT_EQ(after(Fifo{}, {1}, pop(), retry()), (States{{1}}));
  EXPECT_EQ(after(Fifo{}, {1}, pop(), std::nullopt), (States{{}, {1}}));
  EXPECT_EQ(after(Fifo{}, {1}, steal(), delivered(1)), States{}) << "a queue has no thieves";
}

TEST(FifoSpecification, a_bound_refuses_exactly_when_it_is_reached) {
  const Fifo two{2};
  EXPECT_EQ(after(two, {1}, push(2), done()), (States{{1, 2}}));
  EXPECT_EQ(after(two, {1}, push(2), full()), States{});
  EXPECT_EQ(after(two, {1, 2}, push(3), done()), States{});
  EXPECT_EQ(after(two, {1, 2}, push(3), full()), (States{{1, 2}}));
  EXPECT_EQ(after(two, {1, 2}, push(3), std::nullopt), (States{{1, 2}}));
  EXPECT_EQ(after(Fifo{}, {1, 2}, push(3), full()), States{});
}

TEST(LifoSpecification, last_in_is_first_out) {
  EXPECT_EQ(after(Lifo{}, {1, 2}, push(3), done()), (States{{1, 2, 3}}));
  EXPECT_EQ(after(Lifo{}, {1, 2}, pop(), delivered(2)), (States{{1}}));
  EXPECT_EQ(after(Lifo{}, {1, 2}, pop(), delivered(1)), States{});
  EXPECT_EQ(after(Lifo{}, {1, 2}, pop(), std::nullopt), (States{{1}}));
  EXPECT_EQ(after(Lifo{}, {}, pop(), empty()), (States{{}}));
  EXPECT_EQ(after(Lifo{}, {1}, pop(), retry()), States{});
}

TEST(RegisterSpecification, answers_with_the_value_before) {
  const AtomicRegister spec;
  using Op = OperationOf<AtomicRegister>;
  EXPECT_EQ(spec.step(3, Op{read(), 3, 0, 0}), 3);
  EXPECT_EQ(spec.step(3, Op{read(), 4, 0, 0}), std::nullopt);
  EXPECT_EQ(spec.step(3, Op{write(9), 0, 0, 0}), 9);
  EXPECT_EQ(spec.step(3, Op{fetch_add(2), 3, 0, 0}), 5);
  EXPECT_EQ(spec.step(3, Op{fetch_add(2), 2, 0, 0}), std::nullopt);
  EXPECT_EQ(spec.step(3, Op{compare_exchange(3, 7), 3, 0, 0}), 7);
  EXPECT_EQ(spec.step(3, Op{compare_exchange(4, 7), 3, 0, 0}), 3);
  EXPECT_EQ(spec.step(3, Op{compare_exchange(4, 7), 4, 0, 0}), std::nullopt);
  EXPECT_TRUE(spec.only_observes(Op{compare_exchange(4, 7), 3, 0, 0}));
  EXPECT_FALSE(spec.only_observes(Op{compare_exchange(4, 7), std::nullopt, 0, 0}));
  EXPECT_EQ((AtomicRegister{5}.initial()), 5);
}

std::string words(const Request& call, std::optional<Outcome> result) {
  return describe(Deque{}, CollectionOperation{call, std::move(result), 0, 0});
}

TEST(Words, of_operations) {
  EXPECT_EQ(words(push(7), done()), "push(7)");
  EXPECT_EQ(words(push(7), full()), "push(7) -> full");
  EXPECT_EQ(words(pop(), delivered(7)), "pop() -> 7");
  EXPECT_EQ(words(pop(), retry()), "pop() -> retry");
  EXPECT_EQ(words(steal(), lost_race()), "steal() -> lost race");
  EXPECT_EQ(words(steal(), std::nullopt), "steal() (pending)");
  EXPECT_EQ(words(steal_half(4), delivered(7)), "steal_half(4) -> [7]");
  EXPECT_EQ(words(steal_half(4), delivered({7, 8})), "steal_half(4) -> [7, 8]");
  EXPECT_EQ(words(steal_half(4), empty()), "steal_half(4) -> empty");
  const AtomicRegister spec;
  EXPECT_EQ(describe(spec, OperationOf<AtomicRegister>{compare_exchange(1, 2), 0, 0, 0}),
            "compare_exchange(1, 2) -> 0");
  EXPECT_EQ(describe(spec, OperationOf<AtomicRegister>{write(1), std::nullopt, 0, 0}),
            "write(1) (pending)");
}

TEST(Words, of_reasons) {
  const auto why = [](const auto& spec, const Items& items, Request call, Outcome result) {
    return spec.explain(items, CollectionOperation{call, std::move(result), 0, 0});
  };
  const Deque deque;
  EXPECT_EQ(why(deque, {1, 2}, pop(), delivered(1)), "the bottom item is 2");
  EXPECT_EQ(why(deque, {1, 2}, steal(), delivered(2)), "the items from the top are [1, 2]");
  EXPECT_EQ(why(deque, {1, 2}, steal(), empty()), "the deque holds [1, 2]");
  EXPECT_EQ(why(deque, {}, steal(), delivered(1)), "the deque is empty");
  EXPECT_EQ(why(deque, {1, 2}, steal_half(1), delivered({1, 2})),
            "at most 1 may be taken from the 2 there");
  EXPECT_EQ(why(deque, {1}, steal_half(1), delivered(Items{})), "a batch has at least one item");
  EXPECT_EQ(why(deque, {1}, pop(), lost_race()), "never an answer to this operation");
  EXPECT_EQ(why(Fifo{}, {1, 2}, pop(), delivered(2)), "the oldest item is 1");
  EXPECT_EQ(why(Fifo{2}, {1}, push(2), full()), "the queue holds 1 of 2");
  EXPECT_EQ(why(Fifo{1}, {1}, push(2), done()), "the queue is full with [1]");
  EXPECT_EQ(why(Fifo{}, {1}, pop(), empty()), "the queue holds [1]");
  EXPECT_EQ(why(Lifo{}, {1, 2}, pop(), delivered(1)), "the newest item is 2");
  EXPECT_EQ(why(Lifo{}, {}, pop(), delivered(1)), "the stack is empty");
}

// Conservation.

std::vector<CollectionOperation> some_operations() {
  History<Deque> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  history.record(0, push(3), done());
  history.record(1, steal_half(2), delivered({1, 2}));
  history.record(1, steal(), lost_race());
  history.record(0, pop(), empty());
  history.call(1, steal());
  return history.operations();
}

TEST(Conservation, finds_the_item_that_is_missing) {
  const auto operations = some_operations();
  EXPECT_EQ(find_lost_item(operations, Items{3}), std::nullopt);
  EXPECT_EQ(find_lost_item(operations, Items{}),
            "Item 3 was lost: pushed by #2 push(3) of thread 0, never delivered, and not among "
            "the 0 that are left.");
}

TEST(Conservation, counts_copies_of_one_item) {
  History<Fifo> history;
  history.record(0, push(1), done());
  history.record(0, push(1), done());
  history.record(0, pop(), delivered(1));
  EXPECT_NE(find_lost_item(history.operations(), Items{}), std::nullopt);
  EXPECT_EQ(find_lost_item(history.operations(), Items{1}), std::nullopt);
  history.record(0, pop(), delivered(1));
  EXPECT_EQ(find_lost_item(history.operations(), Items{}), std::nullopt);
  EXPECT_EQ(check_linearizable(Fifo{}, history).verdict, Verdict::linearizable);
  history.record(0, pop(), delivered(1));
  const CheckResult result = check_linearizable(Fifo{}, history);
  EXPECT_EQ(result.verdict, Verdict::not_linearizable);
  EXPECT_EQ(result.states, 0U) << "counting sees it without a search";
  EXPECT_NE(result.conflict->text.find("Item 1 was pushed twice and delivered 3 times"),
            std::string::npos)
      << result.conflict->text;
}

TEST(Conservation, an_item_may_be_pushed_again_when_it_has_gone) {
  History<Fifo> history;
  history.record(0, push(1), done());
  history.record(0, pop(), delivered(1));
  history.record(0, push(1), done());
  EXPECT_EQ(check_linearizable(Fifo{}, history).verdict, Verdict::linearizable);
}

TEST(Conservation, a_refused_push_gives_nothing_to_deliver) {
  History<Fifo> history;
  history.record(0, push(1), full());
  history.record(0, pop(), delivered(1));
  const CheckResult result = check_linearizable(Fifo{0}, history);
  EXPECT_EQ(result.verdict, Verdict::not_linearizable);
  EXPECT_EQ(result.states, 0U);
}

TEST(Conservation, answers_are_counted) {
  const AnswerCounts counts = count_answers(some_operations());
  EXPECT_EQ(counts.done, 3U);
  EXPECT_EQ(counts.deliveries, 1U);
  EXPECT_EQ(counts.items, 2U);
  EXPECT_EQ(counts.lost_race, 1U);
  EXPECT_EQ(counts.empty, 1U);
  EXPECT_EQ(counts.pending, 1U);
  EXPECT_EQ(counts.retry + counts.full, 0U);
}

TEST(Conservation, a_race_is_lost_to_somebody) {
  History<Deque> history;
  const OperationId open = history.call(0, push(1));
  history.record(1, steal(), lost_race());
  history.returns(open, done());
  const OperationId alone = history.record(1, steal(), lost_race());
  const OperationId elsewhere = history.call(0, pop(), 5);
  history.record(1, steal(), lost_race());
  history.returns(elsewhere, empty());
  EXPECT_EQ(check_linearizable(Deque{}, history).verdict, Verdict::linearizable);
  EXPECT_EQ(lost_races_without_rival(history.operations(), history.order()),
            (std::vector<OperationId>{alone, alone + 2}));
}

}  // namespace
}  // namespace heddle::model
