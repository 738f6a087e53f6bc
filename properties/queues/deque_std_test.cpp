// The deque on one thread and on real ones. What every interleaving and the memory model do to it
// is the business of deque_scenarios.cpp.
//
// Oracle of the stress tests: every item is a pointer to a payload that says which number it is,
// with a checksum over it; whoever takes it checks that, and counts it. In the end every number
// must have been counted once. Payloads are plain memory, so ThreadSanitizer sees whether the
// deque orders the owner's writes before the thief's reads.
#include <array>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <heddle/scheduler/queues/deque.hpp>

namespace {

using heddle::deque;
using heddle::deque_limits;
using heddle::pop_result;
using heddle::steal_result;

struct small_limits : deque_limits {
  static constexpr unsigned index_bits = 5;
  static constexpr std::uint64_t first_index = 30;
  static constexpr std::size_t first_capacity = 2;
  static constexpr std::size_t batch_max = 3;
};

template <class D>
std::optional<int> pop(D& d) {
  int item = 0;
  if (d.pop(item) == pop_result::empty) return std::nullopt;
  return item;
}

template <class D>
std::optional<int> steal(D& d) {
  int item = 0;
  const steal_result result = d.steal(item);
  EXPECT_NE(result, steal_result::lost_race) << "there is nobody to lose against";
  if (result != steal_result::item) return std::nullopt;
  return item;
}

template <class D>
std::vector<int> steal_half(D& d, std::size_t room = 64) {
  std::vector<int> items(room);
  const auto [result, count] = d.steal_half(items);
  EXPECT_NE(result, steal_result::lost_race) << "there is nobody to lose against";
  EXPECT_EQ(result == steal_result::item, count > 0);
  items.resize(count);
  return items;
}

template <class D>
void push_up_to(D& d, int first, int last) {
  for (int i = first; i <= last; ++i) d.push(i);
}

TEST(deque, is_empty_at_first) {
  deque<int> d;
  EXPECT_EQ(pop(d), std::nullopt);
  EXPECT_EQ(steal(d), std::nullopt);
  EXPECT_TRUE(steal_half(d).empty());
  EXPECT_EQ(d.size(), 0U);
}

TEST(deque, the_owner_takes_the_newest_and_thieves_the_oldest) {
  deque<int> d;
  push_up_to(d, 1, 4);
  EXPECT_EQ(d.size(), 4U);
  EXPECT_EQ(pop(d), 4);
  EXPECT_EQ(steal(d), 1);
  EXPECT_EQ(pop(d), 3);
  EXPECT_EQ(steal(d), 2);
  EXPECT_EQ(pop(d), std::nullopt);
  EXPECT_EQ(steal(d), std::nullopt);
}

TEST(deque, is_usable_again_after_it_was_emptied_from_either_end) {
  deque<int> d;
  for (int round = 0; round < 1000; ++round) {
    d.push(round);
    EXPECT_EQ(round % 2 == 0 ? pop(d) : steal(d), round);
    EXPECT_EQ(d.size(), 0U);
  }
}

TEST(deque, a_batch_is_the_older_half_in_order) {
  deque<int> d;
  push_up_to(d, 1, 9);
  EXPECT_EQ(steal_half(d), (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(steal_half(d), (std::vector{5, 6}));
  EXPECT_EQ(steal_half(d), std::vector{7});
  EXPECT_EQ(steal_half(d), std::vector{8});
  EXPECT_EQ(steal_half(d), std::vector{9}) << "of one item, half is that item";
  EXPECT_TRUE(steal_half(d).empty());
}

TEST(deque, a_batch_is_at_most_32_and_at_most_the_buffer) {
  deque<int> d;
  push_up_to(d, 1, 1000);
  EXPECT_EQ(steal_half(d, 500).size(), 32U);
  EXPECT_EQ(steal_half(d, 5).size(), 5U);
  EXPECT_EQ(steal(d), 38);
}

TEST(deque, a_batch_never_reaches_what_the_owner_may_take_without_a_word) {
  deque<int> d;
  push_up_to(d, 1, 8);
  for (int i = 8; i > 3; --i) EXPECT_EQ(pop(d), i);
  // The owner has been down to three items; until top moves, thieves are held to half of that,
  // rounded up.
  push_up_to(d, 4, 100);
  EXPECT_EQ(steal_half(d).size(), 2U);
  EXPECT_EQ(steal_half(d).size(), 32U) << "the limit starts anew when top has moved";
}

TEST(deque, grows_without_losing_order) {
  deque<int, small_limits> d;
  EXPECT_EQ(d.capacity(), 2U);
  push_up_to(d, 1, 8);
  EXPECT_EQ(d.capacity(), 8U);
  for (int i = 1; i <= 4; ++i) EXPECT_EQ(steal(d), i);
  for (int i = 8; i >= 5; --i) EXPECT_EQ(pop(d), i);
  EXPECT_EQ(pop(d), std::nullopt);
}

TEST(deque, says_when_it_cannot_grow_and_stays_as_it_was) {
  deque<int, small_limits> d;  // 5-bit indices: half of the range is 16
  push_up_to(d, 1, 8);
  EXPECT_THROW(d.push(9), std::length_error);
  EXPECT_EQ(d.size(), 8U);
  EXPECT_EQ(steal(d), 1);
  d.push(9);
  for (int i = 9; i >= 2; --i) EXPECT_EQ(pop(d), i);
}

TEST(deque, memory_is_bounded_by_twice_the_ring_that_is_in_use) {
  deque<int> d;
  EXPECT_EQ(d.slots_retained(), d.capacity());
  push_up_to(d, 1, 100'000);
  EXPECT_GE(d.capacity(), 100'000U);
  EXPECT_LT(d.slots_retained(), 2 * d.capacity());
}

TEST(deque, churn_below_its_capacity_never_grows_it) {
  deque<int> d;
  const std::size_t before = d.capacity();
  for (int i = 0; i < 1'000'000; ++i) {
    d.push(i);
    if (d.size() > before - 2) {
      EXPECT_NE(steal(d), std::nullopt);
      EXPECT_NE(pop(d), std::nullopt);
    }
  }
  EXPECT_EQ(d.capacity(), before);
  EXPECT_EQ(d.slots_retained(), before);
}

// Any sequence of calls on one thread does what the obvious list does, with indices that wrap
// every 32 items and batches of at most three.
TEST(deque, follows_a_plain_list) {
  EXPECT_TRUE(rc::check("deque follows a plain list", [](const std::vector<std::uint8_t>& calls) {
    deque<int, small_limits> d;
    std::deque<int> list;
    int next = 0;
    for (const std::uint8_t call : calls) {
      const unsigned what = call % 8;
      if (what < 4) {
        if (list.size() == 8) continue;
        list.push_back(++next);
        d.push(next);
      } else if (what < 6) {
        const auto expected = list.empty() ? std::nullopt : std::optional(list.back());
        if (expected) list.pop_back();
        RC_ASSERT(pop(d) == expected);
      } else if (what == 6) {
        const auto expected = list.empty() ? std::nullopt : std::optional(list.front());
        if (expected) list.pop_front();
        RC_ASSERT(steal(d) == expected);
      } else {
        const std::vector<int> batch = steal_half(d);
        RC_ASSERT(batch.empty() == list.empty());
        RC_ASSERT(batch.size() <= std::max<std::size_t>(1, list.size() / 2));
        RC_ASSERT(batch.size() <= small_limits::batch_max);
        for (const int item : batch) {
          RC_ASSERT(item == list.front());
          list.pop_front();
        }
      }
      RC_ASSERT(d.size() == list.size());
    }
  }));
}

// ---- real threads -------------------------------------------------------------------------------

struct payload {
  std::uint64_t number;
  std::uint64_t checksum;
};

constexpr std::uint64_t checksum(std::uint64_t number) {
  return (number + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
}

class ledger {
 public:
  explicit ledger(std::size_t items) : payloads_(items), taken_(items) {}

  payload* make(std::uint64_t number) {
    payloads_[number] = {number, checksum(number)};
    return &payloads_[number];
  }
  void take(const payload* item) {
    if (item == nullptr || item->checksum != checksum(item->number)) {
      torn_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    taken_[item->number].fetch_add(1, std::memory_order_relaxed);
  }
  void expect_each_once() const {
    EXPECT_EQ(torn_.load(), 0U);
    std::size_t lost = 0;
    std::size_t doubled = 0;
    for (const auto& count : taken_) {
      lost += count.load() == 0 ? 1 : 0;
      doubled += count.load() > 1 ? 1 : 0;
    }
    EXPECT_EQ(lost, 0U);
    EXPECT_EQ(doubled, 0U);
  }

 private:
  std::vector<payload> payloads_;
  std::vector<std::atomic<std::uint8_t>> taken_;
  std::atomic<std::uint64_t> torn_{0};
};

struct growing_limits : deque_limits {
  static constexpr std::size_t first_capacity = 2;
};

template <class D>
void thief_until(D& d, std::barrier<>& start, const std::atomic<bool>& stop, ledger& book,
                 bool batches) {
  std::array<payload*, 32> buffer{};
  start.arrive_and_wait();
  for (;;) {
    const bool last_look = stop.load();
    payload* item = nullptr;
    std::size_t count = 0;
    steal_result result{};
    if (batches) {
      const auto batch = d.steal_half(buffer);
      result = batch.result;
      count = batch.count;
    } else {
      result = d.steal(item);
      count = result == steal_result::item ? 1 : 0;
      buffer[0] = item;
    }
    for (std::size_t i = 0; i < count; ++i) book.take(buffer[i]);
    if (result == steal_result::empty) {
      if (last_look) return;
    }
  }
}

// The owner pushes and pops in bursts of random length, so that the deque is empty often, has one
// item often, and grows through several rings.
template <class D>
void stress(std::size_t items, unsigned longest_burst, std::uint32_t seed) {
  SCOPED_TRACE(seed);
  ledger book(items);
  D d;
  std::atomic<bool> stop{false};
  std::barrier start(4);
  std::vector<std::thread> thieves;
  for (const bool batches : {false, true, true}) {
    thieves.emplace_back([&, batches] { thief_until(d, start, stop, book, batches); });
  }
  start.arrive_and_wait();
  std::mt19937 random(seed);
  for (std::size_t next = 0; next < items;) {
    for (unsigned n = random() % longest_burst + 1; n > 0 && next < items; --n) {
      d.push(book.make(next++));
    }
    payload* item = nullptr;
    for (unsigned n = 2 * longest_burst; n > 0; --n) {
      if (random() % 128 == 0) break;
      if (d.pop(item) == pop_result::empty) break;
      book.take(item);
    }
  }
  stop = true;
  for (payload* item = nullptr; d.pop(item) == pop_result::item;) book.take(item);
  for (std::thread& each : thieves) each.join();
  book.expect_each_once();
  EXPECT_EQ(d.size(), 0U);
}

// Against a pop that never lowers the limit, the first fails in four runs of five, on two
// processors. That is what such a test is worth; the scenarios find it every time.
TEST(deque_stress, short_bursts) { stress<deque<payload*, growing_limits>>(3'000'000, 12, 1); }
TEST(deque_stress, bursts_around_the_batch) {
  stress<deque<payload*, growing_limits>>(3'000'000, 70, 2);
}
TEST(deque_stress, long_bursts_that_grow) {
  for (std::uint32_t seed = 10; seed < 30; ++seed) {
    stress<deque<payload*, growing_limits>>(20'000, 2'000, seed);
  }
}

}  // namespace
