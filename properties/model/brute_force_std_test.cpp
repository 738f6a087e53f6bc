// The checker against one that tries all permutations, on thousands of small random histories.
// Scope: 1-3 threads, 5-7 operations, pending ones among them, six specifications, both orders.
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "random_history.hpp"

namespace heddle {
namespace {

using brute::Kind;
using model::Verdict;

// Read by rapidcheck when it first runs; whoever sets it outside keeps what was set.
const bool many_cases = ::setenv("RC_PARAMS", "max_success=2000", 0) == 0;

struct Tally {
  std::size_t yes = 0;
  std::size_t no = 0;
  std::size_t pending = 0;
  std::size_t searched_no = 0;
};

std::vector<int> random_tape() {
  return *rc::gen::resize(rc::kNominalSize,
                          rc::gen::container<std::vector<int>>(160, rc::gen::inRange(0, 256)));
}

template <class S>
void compare(const S& spec, const brute::Timed& timed, Tally& tally) {
  const auto history = brute::history_of<S>(timed);
  const bool expected = brute::linearizable(timed.sample);
  model::CheckOptions plain;
  plain.counts_first = false;
  plain.explain = false;
  const auto searched = model::check_linearizable(spec, history, plain);
  const auto checked = model::check_linearizable(spec, history);
  const Verdict verdict = expected ? Verdict::linearizable : Verdict::not_linearizable;
  RC_ASSERT(searched.verdict == verdict);
  RC_ASSERT(checked.verdict == verdict);
  RC_ASSERT(checked.conflict.has_value() == !expected);
  (expected ? tally.yes : tally.no) += 1;
  tally.searched_no += checked.states > 0 && !expected ? 1 : 0;
  for (const auto& operation : history.operations()) {
    if (!operation.result.has_value()) {
      ++tally.pending;
      break;
    }
  }
}

template <class S>
void compare_many(const char* what, Kind kind, const S& spec, bool real_time,
                  std::size_t objects = 1) {
  ASSERT_TRUE(many_cases);
  Tally tally;
  const bool agreed = rc::check(what, [&] {
    const auto tape = random_tape();
    compare(spec, brute::random_history(kind, real_time, tape, 7, objects), tally);
  });
  EXPECT_TRUE(agreed);
  EXPECT_GE(tally.yes, 300U);
  EXPECT_GE(tally.no, 300U);
  EXPECT_GE(tally.searched_no, 150U) << "too few histories were refused by the search itself";
  EXPECT_GE(tally.pending, 100U);
}

TEST(BruteForce, agrees_on_deques_in_real_time) {
  compare_many("deque", Kind::deque, model::Deque{}, true);
}
TEST(BruteForce, agrees_on_deques_in_partial_orders) {
  compare_many("deque", Kind::deque, model::Deque{}, false);
}
TEST(BruteForce, agrees_on_deques_whose_batches_are_halves) {
  compare_many("deque", Kind::deque_half, model::Deque{model::Deque::Batch::at_most_half}, false);
}
TEST(BruteForce, agrees_on_queues_in_real_time) {
  compare_many("fifo", Kind::fifo, model::Fifo{}, true);
}
TEST(BruteForce, agrees_on_queues_in_partial_orders) {
  compare_many("fifo", Kind::fifo, model::Fifo{}, false);
}
TEST(BruteForce, agrees_on_bounded_queues) {
  compare_many("fifo of two, real time", Kind::fifo_of_two, model::Fifo{2}, true);
  compare_many("fifo of two, partial order", Kind::fifo_of_two, model::Fifo{2}, false);
}
TEST(BruteForce, agrees_on_stacks_in_real_time) {
  compare_many("lifo", Kind::lifo, model::Lifo{}, true);
}
TEST(BruteForce, agrees_on_stacks_in_partial_orders) {
  compare_many("lifo", Kind::lifo, model::Lifo{}, false);
}
TEST(BruteForce, agrees_on_registers_in_real_time) {
  compare_many("register", Kind::cell, model::AtomicRegister{}, true);
}
TEST(BruteForce, agrees_on_registers_in_partial_orders) {
  compare_many("register", Kind::cell, model::AtomicRegister{}, false);
}

// Locality: in real time, judging each object by itself judges them together.
TEST(BruteForce, agrees_on_several_objects_in_real_time) {
  compare_many("two stacks", Kind::lifo, model::Lifo{}, true, 2);
  compare_many("three registers", Kind::cell, model::AtomicRegister{}, true, 3);
}

}  // namespace
}  // namespace heddle
