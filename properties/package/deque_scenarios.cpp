// heddle's own deque in a scenario of somebody else's: the sources under test come from the
// package.
#include <heddle/scheduler.hpp>
#include <heddle/sim.hpp>

namespace sim = heddle::sim;

HEDDLE_SCENARIO(one_item, "the owner and a thief never both get the only item") {
  heddle::deque<int> deque;
  deque.push(7);
  bool stolen = false;
  sim::thread thief([&] {
    int item = 0;
    stolen = deque.steal(item) == heddle::steal_result::item;
  });
  int item = 0;
  const bool popped = deque.pop(item) == heddle::pop_result::item;
  thief.join();
  sim::check(popped != stolen, "exactly one of them has it");
}
