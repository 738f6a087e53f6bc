// The search by itself: pending operations, several next states, budget, effort, exact memo.
#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <heddle/model.hpp>

namespace heddle::model {
namespace {

using Ids = std::vector<OperationId>;

template <Specification S>
Verdict verdict_of(const S& spec, const History<S>& history) {
  return check_linearizable(spec, history).verdict;
}

TEST(Search, an_empty_history_is_linearizable) {
  EXPECT_EQ(verdict_of(Deque{}, History<Deque>{}), Verdict::linearizable);
}

TEST(Search, gives_the_order_that_it_found) {
  History<Fifo> history;
  const OperationId taking = history.call(1, pop());
  history.record(0, push(1), done());
  history.returns(taking, delivered(1));
  const CheckResult result = check_linearizable(Fifo{}, history);
  EXPECT_EQ(result.verdict, Verdict::linearizable);
  EXPECT_EQ(result.linearization, (Ids{1, 0}));
}

TEST(Search, a_pending_push_may_explain_a_delivery) {
  History<Deque> history;
  history.call(0, push(1));
  history.record(1, steal(), delivered(1));
  const CheckResult result = check_linearizable(Deque{}, history);
  EXPECT_EQ(result.verdict, Verdict::linearizable);
  EXPECT_EQ(result.linearization, (Ids{0, 1}));
}

TEST(Search, a_pending_operation_need_not_take_effect) {
  History<Deque> history;
  history.record(0, push(1), done());
  history.call(1, steal());
  history.record(0, pop(), delivered(1));
  EXPECT_EQ(verdict_of(Deque{}, history), Verdict::linearizable);
}

TEST(Search, a_pending_batch_may_have_taken_any_number) {
  for (std::size_t taken = 0; taken <= 3; ++taken) {
    History<Deque> history;
    for (Item item = 1; item <= 4; ++item) {
      history.record(0, push(item), done());
    }
    history.call(1, steal_half(3));
    for (Item item = 4; item > static_cast<Item>(taken); --item) {
      history.record(0, pop(), delivered(item));
    }
    history.record(0, pop(), empty());
    EXPECT_EQ(verdict_of(Deque{}, history), Verdict::linearizable) << taken;
  }
  History<Deque> history;
  for (Item item = 1; item <= 4; ++item) {
    history.record(0, push(item), done());
  }
  history.call(1, steal_half(3));
  history.record(0, pop(), empty());
  EXPECT_EQ(verdict_of(Deque{}, history), Verdict::not_linearizable) << "4 of at most 3";
}

TEST(Search, pending_operations_without_effect_cost_nothing) {
  History<AtomicRegister> history;
  for (unsigned thread = 0; thread < 20; ++thread) {
    history.call(thread, read());
  }
  history.record(20, write(1), 0);
  history.record(20, read(), 2);
  CheckOptions options;
  options.explain = false;
  const CheckResult result = check_linearizable(AtomicRegister{}, history, options);
  EXPECT_EQ(result.verdict, Verdict::not_linearizable);
  EXPECT_EQ(result.states, 1U);
}

TEST(Search, a_pending_operation_takes_effect_once) {
  History<Deque> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  history.call(1, steal());
  history.record(0, pop(), empty());
  EXPECT_EQ(verdict_of(Deque{}, history), Verdict::not_linearizable);
}

TEST(Search, a_pending_operation_takes_no_effect_before_its_call) {
  History<Deque> history;
  history.record(1, steal(), delivered(1));
  history.call(0, push(1));
  EXPECT_EQ(verdict_of(Deque{}, history), Verdict::not_linearizable);
}

TEST(Search, a_budget_that_is_spent_is_unknown) {
  // Eight pushes at once and a pop of something else: every set of pushes has to be tried.
  History<Lifo> history;
  for (Item item = 1; item <= 8; ++item) {
    history.add({push(item), done(), static_cast<unsigned>(item), 0}, {0, 10});
  }
  history.add({pop(), empty(), 0, 0}, {11, 12});
  CheckOptions options;
  options.counts_first = false;
  options.explain = false;
  const CheckResult full = check_linearizable(Lifo{}, history, options);
  EXPECT_EQ(full.verdict, Verdict::not_linearizable);
  for (const std::uint64_t states : {std::uint64_t{0}, std::uint64_t{1}, full.states - 1}) {
    options.states_max = states;
    const CheckResult cut = check_linearizable(Lifo{}, history, options);
    EXPECT_EQ(cut.verdict, Verdict::unknown);
    EXPECT_EQ(cut.states, states);
    EXPECT_FALSE(cut.conflict.has_value());
  }
  options.states_max = full.states;
  EXPECT_EQ(check_linearizable(Lifo{}, history, options).verdict, Verdict::not_linearizable);
}

TEST(Search, a_spent_budget_never_hides_a_conflict_of_another_object) {
  History<Lifo> history;
  for (Item item = 1; item <= 8; ++item) {
    history.add({push(item), done(), static_cast<unsigned>(item), 1}, {0, 10});
  }
  history.add({pop(), empty(), 0, 1}, {11, 12});
  history.add({pop(), delivered(1), 0, 2}, {13, 14});
  CheckOptions options;
  options.states_max = 10;
  const CheckResult result = check_linearizable(Lifo{}, history, options);
  EXPECT_EQ(result.verdict, Verdict::not_linearizable);
  EXPECT_EQ(result.conflict->object, 2U);
}

TEST(Search, a_conflict_that_could_not_be_minimised_says_so) {
  History<Deque> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  history.record(0, pop(), empty());
  CheckOptions options;
  options.minimise_states_max = 0;
  const CheckResult result = check_linearizable(Deque{}, history, options);
  ASSERT_EQ(result.verdict, Verdict::not_linearizable);
  EXPECT_FALSE(result.conflict->minimal);
  EXPECT_EQ(result.conflict->operations, (Ids{0, 1, 2}));
  EXPECT_NE(result.conflict->text.find("budget"), std::string::npos) << result.conflict->text;
}

/// What `operation` answers when it leaves `after` of `before`.
Outcome answer_of(const Request& request, const Deque::State& before, const Deque::State& after) {
  if (request.verb == Request::Verb::push) {
    return done();
  }
  if (after.size() == before.size()) {
    return empty();
  }
  if (request.verb == Request::Verb::pop) {
    return delivered(before.back());
  }
  const auto taken = static_cast<std::ptrdiff_t>(before.size() - after.size());
  return delivered(std::vector<Item>(before.begin(), before.begin() + taken));
}

/// A correct run of an owner and its thieves: each step is a call, an effect or a return.
History<Deque> long_run(unsigned thieves, std::size_t operations) {
  struct Open {
    enum class At { idle, called, effective } at = At::idle;
    OperationId id = 0;
    Outcome outcome{};
  };
  History<Deque> history;
  std::mt19937 random(1);
  Deque::State contents;
  std::vector<Open> open(thieves + 1);
  Item next = 1;
  for (std::size_t finished = 0; finished < operations;) {
    const auto thread = static_cast<unsigned>(random() % open.size());
    Open& one = open[thread];
    if (one.at == Open::At::idle) {
      const bool often = random() % 3 != 0;
      one.at = Open::At::called;
      one.id = history.call(
          thread, thread == 0 ? (often ? push(next++) : pop()) : (often ? steal() : steal_half(4)));
    } else if (one.at == Open::At::called) {
      const auto after = Deque{}.step(contents, history[one.id]).back();  // the most it may take
      one.at = Open::At::effective;
      one.outcome = answer_of(history[one.id].call, contents, after);
      contents = after;
    } else {
      history.returns(one.id, one.outcome);
      one.at = Open::At::idle;
      ++finished;
    }
  }
  return history;
}

TEST(Search, long_histories_take_few_steps_per_operation) {
  const auto history = long_run(3, 20'000);
  const CheckResult result = check_linearizable(Deque{}, history);
  EXPECT_EQ(result.verdict, Verdict::linearizable);
  EXPECT_LE(result.states, 4 * history.size());
  const AnswerCounts answers = count_answers(history.operations());
  EXPECT_GE(answers.items, 3'000U);
  EXPECT_GE(answers.empty, 1'000U);
}

TEST(Search, a_fault_deep_in_a_long_history_is_found_and_told_in_few_operations) {
  auto history = long_run(3, 3'000);
  history.record(0, push(-1), done());
  history.record(0, push(-2), done());
  history.record(0, pop(), delivered(-1));
  const CheckResult result = check_linearizable(Deque{}, history);
  ASSERT_EQ(result.verdict, Verdict::not_linearizable);
  const std::size_t size = history.size();
  EXPECT_EQ(result.conflict->operations, (Ids{size - 3, size - 2, size - 1}))
      << result.conflict->text;
}

// Memo entries are compared exactly: a specification whose states all collide judges the same.
struct CollidingLifo : Lifo {
  static std::size_t hash(const State&) { return 0; }
  CollidingLifo relaxed() const { return *this; }
};

TEST(Search, colliding_hashes_change_nothing) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    History<Lifo> history;
    History<CollidingLifo> colliding;
    for (unsigned at = 0; at < 8; ++at) {
      const bool pushes = at < 4;
      OperationOf<Lifo> operation{pushes ? push(at + 1) : pop(), pushes ? done() : empty(), at, 0};
      if (!pushes && random() % 4 != 0) {
        operation.result = delivered(static_cast<Item>(random() % 4 + 1));
      }
      const std::uint64_t called = random() % 20;
      const Interval interval{called, called + 1 + random() % 20};
      history.add(operation, interval);
      colliding.add(operation, interval);
    }
    CheckOptions options;
    options.counts_first = false;
    const CheckResult one = check_linearizable(Lifo{}, history, options);
    const CheckResult other = check_linearizable(CollidingLifo{}, colliding, options);
    EXPECT_EQ(one.verdict, other.verdict);
    EXPECT_EQ(one.states, other.states);
  }
}

TEST(Search, the_memo_saves_most_of_a_hopeless_search) {
  // Ten pushes of one item at once: 10! orders, 2^10 sets of placed pushes, 11 states.
  History<Fifo> history;
  for (unsigned thread = 0; thread < 10; ++thread) {
    history.add({push(1), done(), thread, 0}, {0, 10});
  }
  history.add({pop(), empty(), 0, 0}, {11, 12});
  CheckOptions options;
  options.counts_first = false;
  options.explain = false;
  const CheckResult result = check_linearizable(Fifo{}, history, options);
  EXPECT_EQ(result.verdict, Verdict::not_linearizable);
  EXPECT_EQ(result.states, 1023U);
}

// Locality holds for real time only. Two queues, two threads, program order alone: each queue has
// an order, both together have none (Herlihy and Wing's example for sequential consistency).
TEST(Search, a_partial_order_judges_each_object_by_itself) {
  History<Fifo> history;
  const std::uint64_t p = 1;
  const std::uint64_t q = 2;
  history.record(0, push(1), done(), p);
  history.record(0, push(1), done(), q);
  history.record(0, pop(), delivered(2), p);
  history.record(1, push(2), done(), q);
  history.record(1, push(2), done(), p);
  history.record(1, pop(), delivered(1), q);
  History<Fifo> by_program_order = history;
  by_program_order.order_by([&](OperationId a, OperationId b) {
    return history[a].thread == history[b].thread && a < b;
  });
  EXPECT_EQ(verdict_of(Fifo{}, by_program_order), Verdict::linearizable);
  EXPECT_EQ(verdict_of(Fifo{}, history), Verdict::not_linearizable);
}

}  // namespace
}  // namespace heddle::model
