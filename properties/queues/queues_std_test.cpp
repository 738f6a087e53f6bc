// The inject queue, the global queue and the pool, on one thread and under real threads.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <heddle/scheduler/queues/global_queue.hpp>
#include <heddle/scheduler/queues/inject_queue.hpp>
#include <heddle/scheduler/queues/pool.hpp>

namespace {

using namespace heddle;

struct Item : InjectLink {
  unsigned producer = 0;
  unsigned number = 0;
};

TEST(inject_queue, is_first_in_first_out_and_says_when_it_is_empty) {
  InjectQueue<Item> queue;
  std::array<Item, 5> items;
  std::array<Item*, 3> out{};
  EXPECT_TRUE(queue.seems_empty());
  EXPECT_EQ(queue.pop_some(out).result, inject_result::empty);
  for (unsigned round = 0; round < 3; ++round) {
    for (Item& item : items) queue.push(item);
    EXPECT_FALSE(queue.seems_empty());
    auto taken = queue.pop_some(out);
    EXPECT_EQ(taken.result, inject_result::item);
    ASSERT_EQ(taken.count, 3U);
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(out[i], &items[i]);
    taken = queue.pop_some(out);
    ASSERT_EQ(taken.count, 2U);
    EXPECT_EQ(out[0], &items[3]);
    EXPECT_EQ(out[1], &items[4]);
    EXPECT_TRUE(queue.seems_empty());
    EXPECT_EQ(queue.pop_some(out).result, inject_result::empty);
  }
}

TEST(inject_queue, A16_many_producers_and_several_takers_lose_nothing_and_keep_each_order) {
  constexpr unsigned producers = 3;
  constexpr unsigned takers = 2;
  constexpr unsigned each = 20'000;
  InjectQueue<Item> queue;
  std::vector<std::unique_ptr<Item[]>> items;
  for (unsigned p = 0; p < producers; ++p) {
    items.push_back(std::make_unique<Item[]>(each));
    for (unsigned i = 0; i < each; ++i) {
      items[p][i].producer = p;
      items[p][i].number = i;
    }
  }
  std::atomic<unsigned> left{producers * each};
  std::atomic<bool> in_order{true};
  std::vector<std::vector<unsigned char>> seen(producers, std::vector<unsigned char>(each));
  std::vector<std::thread> threads;
  for (unsigned p = 0; p < producers; ++p) {
    threads.emplace_back([&, p] {
      for (unsigned i = 0; i < each; ++i) queue.push(items[p][i]);
    });
  }
  for (unsigned t = 0; t < takers; ++t) {
    threads.emplace_back([&] {
      std::array<Item*, 17> out{};
      std::array<long, producers> last{-1, -1, -1};
      while (left.load() != 0) {
        const auto taken = queue.pop_some(out);
        for (std::size_t i = 0; i < taken.count; ++i) {
          const Item& item = *out[i];
          if (last[item.producer] >= static_cast<long>(item.number)) in_order = false;
          last[item.producer] = item.number;
          ++seen[item.producer][item.number];  // two takers would be a race, which TSan reports
        }
        if (taken.count != 0)
          left.fetch_sub(static_cast<unsigned>(taken.count));
        else
          std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(in_order);
  for (const auto& of_producer : seen) {
    for (const unsigned char times : of_producer) ASSERT_EQ(times, 1);
  }
  EXPECT_TRUE(queue.seems_empty());
}

TEST(global_queue, C3_hands_out_shares) {
  GlobalQueue<int> queue;
  std::array<int, 4> out{};
  EXPECT_EQ(queue.pop_share(out, 2), 0U);
  for (int i = 0; i < 10; ++i) queue.push(i);
  EXPECT_EQ(queue.size(), 10U);
  EXPECT_EQ(queue.pop_share(out, 5), 2U) << "a fifth of ten";
  EXPECT_EQ(out[1], 1);
  EXPECT_EQ(queue.pop_share(out, 1), 4U) << "all that fit";
  EXPECT_EQ(out[3], 5);
  EXPECT_EQ(queue.pop_share(out, 100), 1U) << "at least one";
  EXPECT_EQ(queue.size(), 3U);
  const std::array<int, 2> more{77, 78};
  queue.push_all(more);
  EXPECT_EQ(queue.size(), 5U);
}

struct Thing {
  explicit Thing(std::uint32_t index) : pool_index(index) {}
  sync::cell<std::uint32_t> pool_next{0};
  const std::uint32_t pool_index;
};

TEST(pool, hands_out_different_objects_that_keep_their_places) {
  Pool<Thing> pool;
  Pool<Thing>::Magazine magazine;
  std::vector<Thing*> taken;
  std::set<std::uint32_t> indices;
  for (int i = 0; i < 10'000; ++i) {
    taken.push_back(&pool.take(magazine));
    indices.insert(taken.back()->pool_index);
  }
  EXPECT_EQ(indices.size(), 10'000U);
  EXPECT_FALSE(indices.contains(0));
  for (Thing* thing : taken) EXPECT_EQ(&pool.at(thing->pool_index), thing);
  const std::uint32_t size = pool.size();
  for (Thing* thing : taken) pool.give(magazine, *thing);
  for (int i = 0; i < 10'000; ++i) (void)pool.take(magazine);
  EXPECT_EQ(pool.size(), size) << "what was given back is used again";
}

TEST(pool, an_index_that_was_never_handed_out_finds_nothing) {
  Pool<Thing> pool;
  EXPECT_EQ(pool.find(0), nullptr);
  EXPECT_EQ(pool.find(1), nullptr);
  const Thing& thing = pool.take();
  EXPECT_EQ(pool.find(thing.pool_index), &thing);
  EXPECT_EQ(pool.find(4'000'000'000U), nullptr);
}

TEST(pool, a_producer_and_a_consumer_do_not_make_it_grow) {
  Pool<Thing> pool;
  Pool<Thing>::Magazine producer;
  Pool<Thing>::Magazine consumer;
  for (int i = 0; i < 1'000'000; ++i) pool.give(consumer, pool.take(producer));
  EXPECT_LE(pool.size(), 5 * ProductionLimits::pool_chain);
  pool.empty(consumer);
  pool.empty(producer);
  for (int i = 0; i < 1000; ++i) pool.give(pool.take());
  EXPECT_LE(pool.size(), 5 * ProductionLimits::pool_chain);
}

struct FewLimits : DefaultLimits {
  static constexpr std::uint32_t slab_first_chunk = 2;
  static constexpr unsigned slab_chunks = 2;
  static constexpr std::uint32_t pool_chain = 4;
};

TEST(pool, says_when_it_is_full_and_goes_on_when_something_comes_back) {
  Pool<Thing, FewLimits> pool;  // six places, one of which means "none"
  Pool<Thing, FewLimits>::Magazine magazine;
  std::vector<Thing*> taken;
  for (int i = 0; i < 5; ++i) taken.push_back(&pool.take(magazine));
  EXPECT_THROW((void)pool.take(magazine), std::bad_alloc);
  pool.give(magazine, *taken.back());
  EXPECT_EQ(&pool.take(magazine), taken.back());
}

}  // namespace
