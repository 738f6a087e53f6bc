// The global queue and the pool under every interleaving.
#include <array>

#include <heddle/scheduler/queues/global_queue.hpp>
#include <heddle/scheduler/queues/pool.hpp>
#include <heddle/sim.hpp>

namespace {

using heddle::GlobalQueue;
using heddle::Pool;
using heddle::sim::check;
using heddle::sim::thread;
namespace sync = heddle::sync;

HEDDLE_SCENARIO(global_queue_shared, "two submitters and two takers: each item once",
                {.threads = 3, .group = "queues"}) {
  GlobalQueue<int> queue;
  queue.push(1);
  int taken[2] = {};
  const auto take = [&](int& sum) {
    std::array<int, 1> out{};
    if (queue.pop_share(out, 1) == 1) sum += out[0];
  };
  thread submitter([&] { queue.push(2); });
  thread taker([&] { take(taken[0]); });
  take(taken[1]);
  submitter.join();
  taker.join();
  std::array<int, 2> rest{};
  const std::size_t left = queue.pop_share(rest, 1);
  int sum = taken[0] + taken[1];
  for (std::size_t i = 0; i < left; ++i) sum += rest[i];
  check(sum == 3, "nothing lost, nothing twice");
  check(queue.size() == 0, "and its length says so");
}

struct Thing {
  explicit Thing(std::uint32_t index) : pool_index(index) {}
  sync::cell<std::uint32_t> pool_next{0};
  sync::cell<int> content{0};
  const std::uint32_t pool_index;
};

HEDDLE_SCENARIO(pool_two_magazines, "an object is handed out to one thread at a time",
                {.threads = 2, .group = "queues"}) {
  Pool<Thing> pool;
  const auto use = [&pool] {
    Pool<Thing>::Magazine magazine;
    Thing& first = pool.take(magazine);
    first.content.write(1);  // races with whoever else has it
    pool.give(magazine, first);
    Thing& second = pool.take(magazine);
    second.content.write(2);
    pool.give(magazine, second);
    pool.empty(magazine);
  };
  thread other(use);
  use();
  other.join();
}

HEDDLE_SCENARIO(pool_travelling_object, "what one thread gives another may take, with its content",
                {.threads = 2, .group = "queues"}) {
  Pool<Thing> pool;
  Thing& thing = pool.take();
  thread other([&] {
    thing.content.write(1);
    pool.give(thing);
  });
  Thing& mine = pool.take();
  mine.content.write(2);
  other.join();
  check(&mine == &thing || thing.content.read() == 1, "another one, or the same afterwards");
}

HEDDLE_SCENARIO(pool_lookup,
                "an index from outside finds a whole object or nothing while others grow",
                {.threads = 2, .group = "queues"}) {
  Pool<Thing> pool;
  thread other([&] {
    for (int i = 0; i < 2; ++i) (void)pool.take();
  });
  for (const std::uint32_t index : {1U, 2U}) {
    // Only the constructor writes it: reading it would be a race if it were not published.
    if (const Thing* const thing = pool.find(index)) check(thing->content.read() == 0, "whole");
  }
  other.join();
}

}  // namespace
