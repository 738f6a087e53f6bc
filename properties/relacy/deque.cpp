// The production deque under Relacy: an independent second opinion on what the simulator says of
// it. Relacy's own searches are not exhaustive for weak memory (it looks at most one store back),
// so these are samples; what they have over the simulator's proofs is that nothing is shared.
//
// Each test has a deque to fill before the threads start, an owner (thread 0) and two thieves.
#include <array>
#include <cstddef>
#include <iostream>
#include <memory>
#include <ostream>
#include <span>
#include <streambuf>

#include <gtest/gtest.h>

#include <heddle/scheduler/queues/deque.hpp>

namespace {

using heddle::deque_limits;
using heddle::pop_result;
using heddle::steal_result;

struct small_limits : deque_limits {
  static constexpr unsigned index_bits = 5;
  static constexpr std::uint64_t first_index = 30;
  static constexpr std::size_t first_capacity = 2;
  static constexpr std::size_t batch_max = 4;
};

constexpr int items = 6;

// `Sound` false: the deque's owner keeps an item that it has popped, so that the check is seen to
// fail.
template <bool Sound>
struct program
    : rl::test_suite<program<Sound>, 3,
                     Sound ? rl::test_result_success : rl::test_result_user_assert_failed> {
  std::unique_ptr<heddle::deque<int, small_limits>> deque;
  std::array<rl::atomic<int>, items> taken;

  void take(int item) {
    HEDDLE_ASSERT(item >= 1, "items come from the owner");
    HEDDLE_ASSERT(item <= items, "items come from the owner");
    const int before = taken.at(static_cast<std::size_t>(item - 1))
                           .load(rl::mo_relaxed, rl::debug_info("take", __FILE__, __LINE__));
    HEDDLE_ASSERT(before == 0, "no item is delivered twice");
    taken.at(static_cast<std::size_t>(item - 1))
        .store(1, rl::mo_relaxed, rl::debug_info("take", __FILE__, __LINE__));
  }

  void before() {
    deque = std::make_unique<heddle::deque<int, small_limits>>();
    for (auto& each : taken) {
      each.store(0, rl::mo_relaxed, rl::debug_info("before", __FILE__, __LINE__));
    }
    deque->push(1);
    deque->push(2);
  }

  void thread(unsigned index) {
    int item = 0;
    if (index == 0) {
      deque->push(3);
      deque->push(4);
      pop();
      pop();
      deque->push(5);
      pop();
      deque->push(6);
    } else if (index == 1) {
      if (deque->steal(item) == steal_result::item) take(item);
    } else {
      std::array<int, 4> buffer{};
      const std::size_t count = deque->steal_half(buffer).count;
      for (const int each : std::span(buffer).first(count)) take(each);
    }
  }

  void pop() {
    int item = 0;
    if (deque->pop(item) == pop_result::empty) return;
    take(item);
    if (!Sound) deque->push(item);
  }

  void after() {
    for (int item = 0; deque->pop(item) == pop_result::item;) take(item);
    for (auto& each : taken) {
      const int times = each.load(rl::mo_relaxed, rl::debug_info("after", __FILE__, __LINE__));
      HEDDLE_ASSERT(times == 1, "no item is lost");
    }
    deque.reset();
  }
};

std::ostream& nowhere() {
  struct sink : std::streambuf {
    int overflow(int character) override { return character; }
  };
  static sink buffer;
  static std::ostream stream(&buffer);
  return stream;
}

// Relacy writes while its allocator is at work, so a stream that allocates would free elsewhere
// what it got there: std::cout does not.
template <class Program>
bool passes(rl::scheduler_type_e search, rl::iteration_t iterations,
            std::ostream& out = std::cout) {
  rl::test_params parameters;
  parameters.output_stream = &out;
  parameters.progress_stream = &out;
  parameters.search_type = search;
  parameters.iteration_count = iterations;
  parameters.context_bound = 2;
  return rl::simulate<Program>(parameters);
}

TEST(deque_relacy, random_schedules) {
  EXPECT_TRUE(passes<program<true>>(rl::random_scheduler_type, 100'000));
}

TEST(deque_relacy, two_preemptions) {
  EXPECT_TRUE(passes<program<true>>(rl::fair_context_bound_scheduler_type, 100'000));
}

TEST(deque_relacy, a_double_delivery_is_seen) {
  EXPECT_TRUE(passes<program<false>>(rl::random_scheduler_type, 1'000, nowhere()));
}

}  // namespace
