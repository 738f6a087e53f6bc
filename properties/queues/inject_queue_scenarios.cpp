// The inject queue under every interleaving of producers and takers.
#include <array>

#include <heddle/scheduler/queues/inject_queue.hpp>
#include <heddle/sim.hpp>

namespace {

using heddle::inject_result;
using heddle::InjectLink;
using heddle::InjectQueue;
using heddle::sim::check;
using heddle::sim::thread;
namespace sync = heddle::sync;

struct Item : InjectLink {
  sync::cell<int> sent{0};
  sync::cell<int> taken{0};
};

/// Takes one; notes that it was taken. A second taker, or one that does not see what the producer
/// wrote, would be a data race.
inject_result take(InjectQueue<Item>& queue, Item** which = nullptr) {
  std::array<Item*, 1> out{};
  const auto result = queue.pop_some(out);
  if (result.count == 1) {
    check(out[0]->sent.read() == 1, "the item is as its producer left it");
    out[0]->taken.write(out[0]->taken.read() + 1);
    if (which != nullptr) *which = out[0];
  }
  return result.result;
}

void send(InjectQueue<Item>& queue, Item& item) {
  item.sent.write(1);
  queue.push(item);
}

void take_the_rest(InjectQueue<Item>& queue) {
  inject_result last = inject_result::item;
  while (last == inject_result::item) last = take(queue);
  check(last == inject_result::empty, "with nobody in between, the end can be reached");
  check(queue.seems_empty(), "and the queue is empty");
}

HEDDLE_SCENARIO(inject_two_producers, "two producers and the owner: nothing is lost",
                {.threads = 3, .group = "queues"}) {
  InjectQueue<Item> queue;
  Item a;
  Item b;
  thread first([&] { send(queue, a); });
  thread second([&] { send(queue, b); });
  (void)take(queue);
  first.join();
  second.join();
  take_the_rest(queue);
  check(a.taken.read() == 1 && b.taken.read() == 1, "each once");
}

HEDDLE_SCENARIO(inject_order, "the items of one producer are taken in its order",
                {.threads = 2, .group = "queues"}) {
  InjectQueue<Item> queue;
  std::array<Item, 3> items;
  thread producer([&] {
    for (Item& item : items) send(queue, item);
  });
  std::size_t next = 0;
  for (int i = 0; i < 3; ++i) {
    Item* which = nullptr;
    if (take(queue, &which) != inject_result::item) continue;
    check(which == &items[next], "in order");
    ++next;
  }
  producer.join();
  take_the_rest(queue);
}

HEDDLE_SCENARIO(inject_half_linked,
                "B12, H9: behind a push that is half done, a finished one is not taken for nothing",
                {.threads = 3, .group = "queues"}) {
  InjectQueue<Item> queue;
  Item a;
  Item b;
  sync::atomic<bool> pushed{false};
  thread half([&] { send(queue, a); });
  thread whole([&] {
    send(queue, b);
    pushed.store(true, sync::memory_order_release);
  });
  if (pushed.load(sync::memory_order_acquire)) {
    check(!queue.seems_empty(), "it does not even seem empty");
    check(take(queue) != inject_result::empty, "item or retry");
  }
  half.join();
  whole.join();
  take_the_rest(queue);
  check(a.taken.read() == 1 && b.taken.read() == 1, "each once");
}

HEDDLE_SCENARIO(inject_two_takers, "A16: the owner and a thief share what a producer sends",
                {.threads = 3, .group = "queues"}) {
  InjectQueue<Item> queue;
  Item a;
  Item b;
  send(queue, a);
  thread producer([&] { send(queue, b); });
  thread thief([&] { (void)take(queue); });
  (void)take(queue);
  producer.join();
  thief.join();
  take_the_rest(queue);
  check(a.taken.read() == 1 && b.taken.read() == 1, "each once");
}

HEDDLE_SCENARIO(inject_takers_only, "two takers of two items: no item twice, and no false end",
                {.threads = 3, .group = "queues"}) {
  InjectQueue<Item> queue;
  Item a;
  Item b;
  send(queue, a);
  send(queue, b);
  const auto taker = [&] { check(take(queue) != inject_result::empty, "there are two items"); };
  thread first(taker);
  thread second(taker);
  first.join();
  second.join();
  take_the_rest(queue);
  check(a.taken.read() == 1 && b.taken.read() == 1, "each once");
}

HEDDLE_SCENARIO(inject_again, "an item that was taken may be pushed again at once",
                {.threads = 2, .group = "queues"}) {
  InjectQueue<Item> queue;
  Item a;
  Item b;
  send(queue, a);
  thread producer([&] { send(queue, b); });
  Item* which = nullptr;
  if (take(queue, &which) == inject_result::item) send(queue, *which);
  producer.join();
  take_the_rest(queue);
  check(a.taken.read() + b.taken.read() == (which != nullptr ? 3 : 2), "each as often as pushed");
}

HEDDLE_SCENARIO(inject_behind_the_last,
                "who has pushed behind the last item is not told that there is nothing",
                {.threads = 2, .group = "queues"}) {
  InjectQueue<Item> queue;
  Item a;
  Item b;
  send(queue, a);
  thread producer([&] {
    send(queue, b);
    check(!queue.seems_empty(), "one take does not reach it");
  });
  (void)take(queue);
  producer.join();
  take_the_rest(queue);
  check(a.taken.read() == 1 && b.taken.read() == 1, "each once");
}

HEDDLE_SCENARIO(inject_comes_back, "an item whose link is still that of its last stay",
                {.threads = 2, .group = "queues"}) {
  InjectQueue<Item> queue;
  Item a;
  Item b;
  send(queue, b);
  send(queue, a);
  check(take(queue) == inject_result::item, "b is there");
  thread producer([&] { send(queue, b); });
  (void)take(queue);
  (void)take(queue);
  producer.join();
  take_the_rest(queue);
  check(a.taken.read() == 1 && b.taken.read() == 2, "once for each push");
}

HEDDLE_SCENARIO(inject_comes_back_second, "the same, behind an item that follows the stub",
                {.threads = 2, .group = "queues"}) {
  InjectQueue<Item> queue;
  Item a;
  Item b;
  send(queue, b);
  check(take(queue) == inject_result::item, "there is nobody else");
  send(queue, a);
  thread producer([&] { send(queue, b); });
  (void)take(queue);
  (void)take(queue);
  producer.join();
  take_the_rest(queue);
  check(a.taken.read() == 1 && b.taken.read() == 2, "once for each push");
}

}  // namespace
