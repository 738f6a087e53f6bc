// Orders and histories: what is before what, what a plan keeps of it, and what is refused.
#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <heddle/model.hpp>

namespace heddle::model {
namespace {

TEST(Order, real_time_is_return_before_call) {
  const Order order = Order::real_time({{0, 2}, {1, 4}, {3, 5}, {6, Interval::never}});
  EXPECT_TRUE(order.is_real_time());
  EXPECT_TRUE(order.before(0, 2));
  EXPECT_FALSE(order.before(0, 1));
  EXPECT_FALSE(order.before(1, 2));
  EXPECT_TRUE(order.before(2, 3));
  EXPECT_FALSE(order.before(3, 0));
}

TEST(Order, a_partial_order_is_closed) {
  BitMatrix relation(70);
  relation.set(69, 3);
  relation.set(3, 64);
  const Order order = Order::partial(relation);
  EXPECT_FALSE(order.is_real_time());
  EXPECT_TRUE(order.before(69, 64));
  EXPECT_FALSE(order.before(64, 69));
}

TEST(Order, a_cycle_is_refused) {
  BitMatrix relation(3);
  relation.set(0, 1);
  relation.set(1, 2);
  relation.set(2, 0);
  EXPECT_THROW(Order::partial(relation), std::invalid_argument);
}

TEST(Order, a_return_before_the_call_is_refused) {
  EXPECT_THROW(Order::real_time({{0, 1}, {5, 4}}), std::invalid_argument);
}

TEST(Order, a_plan_needs_a_role_for_every_operation) {
  const Order order = Order::real_time({{0, 1}, {2, 3}});
  EXPECT_THROW(order.plan(std::vector<Role>{Role::required}), std::invalid_argument);
}

/// The order that the edges of a plan imply, by id.
BitMatrix implied(const Plan& plan, std::size_t size) {
  BitMatrix relation(size);
  for (std::size_t from = 0; from < plan.operations.size(); ++from) {
    for (const std::uint32_t to : plan.successors[from]) {
      relation.set(plan.operations[from], plan.operations[to]);
    }
  }
  relation.close_transitively();
  return relation;
}

TEST(Order, plans_keep_the_order_of_what_they_keep) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    const std::size_t size = 1 + random() % 12;
    std::vector<Interval> intervals;
    std::vector<Role> roles;
    for (std::size_t id = 0; id < size; ++id) {
      const std::uint64_t called = random() % 30;
      intervals.push_back({called, called + random() % 12});
      roles.push_back(static_cast<Role>(random() % 3));
    }
    const Order in_time = Order::real_time(intervals);
    BitMatrix relation(size);
    for (OperationId a = 0; a < size; ++a) {
      for (OperationId b = 0; b < size; ++b) {
        if (in_time.before(a, b)) {
          relation.set(a, b);
        }
      }
    }
    for (const Order& order : {in_time, Order::partial(relation)}) {
      const Plan plan = order.plan(roles);
      const BitMatrix kept = implied(plan, size);
      std::vector<std::size_t> number(size, size);
      for (std::size_t at = 0; at < plan.operations.size(); ++at) {
        number[plan.operations[at]] = at;
        EXPECT_EQ(roles[plan.operations[at]], at < plan.required ? Role::required : Role::optional);
      }
      for (OperationId a = 0; a < size; ++a) {
        EXPECT_EQ(number[a] == size, roles[a] == Role::absent);
        for (OperationId b = 0; b < size; ++b) {
          const bool expected =
              roles[a] == Role::required && roles[b] != Role::absent && in_time.before(a, b);
          EXPECT_EQ(kept.test(a, b), expected) << seed << ": " << a << ", " << b;
          if (expected) {
            EXPECT_LT(number[a], number[b]);
          }
        }
      }
    }
  }
}

TEST(Order, plans_of_long_runs_have_few_edges) {
  std::vector<Interval> intervals;
  for (std::uint64_t at = 0; at < 10'000; ++at) {
    intervals.push_back({3 * at, 3 * at + 10});  // four open at a time
  }
  const Plan plan =
      Order::real_time(intervals).plan(std::vector<Role>(intervals.size(), Role::required));
  std::size_t edges = 0;
  for (const auto& successors : plan.successors) {
    edges += successors.size();
  }
  EXPECT_LE(edges, 5 * intervals.size());
}

TEST(PlacedSet, keys_are_equal_exactly_when_the_sets_are) {
  for (const std::size_t required : {1U, 63U, 64U, 65U, 200U}) {
    const std::size_t total = required + 70;
    std::mt19937 random(7);
    PlacedSet placed(required, total);
    std::vector<bool> plain(total, false);
    std::map<std::vector<std::uint64_t>, std::vector<bool>> seen;
    for (int step = 0; step < 4'000; ++step) {
      // Mostly along the order, so that full prefixes occur.
      std::size_t number = random() % total;
      if (random() % 4 != 0) {
        const bool forward = step / 500 % 2 == 0;
        for (number = forward ? 0 : total - 1; plain[number] == forward;
             number += forward ? 1 : -1) {
          if (number == (forward ? total - 1 : 0)) {
            break;
          }
        }
      }
      plain[number] ? placed.remove(number) : placed.place(number);
      plain[number] = !plain[number];
      const auto [at, is_new] = seen.emplace(placed.key(), plain);
      ASSERT_EQ(at->second, plain) << "one key for two sets";
      ASSERT_EQ(placed.required_left(),
                static_cast<std::size_t>(std::count(
                    plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(required), false)));
    }
    std::map<std::vector<bool>, std::size_t> sets;
    for (const auto& [key, set] : seen) {
      ASSERT_EQ(++sets[set], 1U) << "two keys for one set";
    }
  }
}

TEST(History, records_calls_and_returns_in_real_time) {
  History<Deque> history;
  const OperationId first = history.call(0, push(1));
  const OperationId second = history.call(1, steal());
  history.returns(first, done());
  const OperationId third = history.record(0, pop(), empty());
  EXPECT_EQ(history.size(), 3U);
  EXPECT_EQ(history[second].thread, 1U);
  EXPECT_FALSE(history[second].result.has_value());
  const Order order = history.order();
  EXPECT_TRUE(order.before(first, third));
  EXPECT_FALSE(order.before(first, second));
  EXPECT_FALSE(order.before(second, third));
}

TEST(History, refuses_returns_that_nobody_waits_for) {
  History<Deque> history;
  const OperationId id = history.record(0, push(1), done());
  EXPECT_THROW(history.returns(id, done()), std::invalid_argument);
  EXPECT_THROW(history.returns(id + 1, done()), std::invalid_argument);
}

TEST(History, takes_its_order_last) {
  History<Deque> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  history.order_by([](OperationId a, OperationId b) { return a < b; });
  EXPECT_TRUE(history.order().before(0, 1));
  EXPECT_THROW(history.call(0, pop()), std::logic_error);
}

TEST(History, what_has_not_returned_is_before_nothing) {
  History<Deque> history;
  history.call(0, push(1));
  history.record(1, steal(), empty());
  history.order_by([](OperationId a, OperationId b) { return a < b; });
  EXPECT_FALSE(history.order().before(0, 1));
  history.order_by([](OperationId a, OperationId b) { return a > b; });
  EXPECT_TRUE(history.order().before(1, 0));
}

TEST(History, an_order_with_a_cycle_is_refused_by_the_check) {
  History<Deque> history;
  history.record(0, push(1), done());
  history.record(0, push(2), done());
  history.order_by([](OperationId, OperationId) { return true; });
  EXPECT_THROW(check_linearizable(Deque{}, history), std::invalid_argument);
}

}  // namespace
}  // namespace heddle::model
