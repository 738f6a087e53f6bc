// The production deque is linearizable, by happens-before and under RC11: every execution of these
// programs can be put into one order that a sequential deque allows.
#include <cstdint>

#include <heddle/sim.hpp>

#include "linearizable_deque.hpp"

namespace {

using heddle::deque_limits;
using heddle::properties::linearizable_deque;
namespace sync = heddle::sync;

struct roomy : deque_limits {
  static constexpr std::size_t first_capacity = 4;
  static constexpr std::size_t batch_max = 4;
};
struct batches_of_two : deque_limits {
  static constexpr std::size_t first_capacity = 4;
  static constexpr std::size_t batch_max = 2;
};
struct growing : deque_limits {
  static constexpr std::size_t first_capacity = 1;
  static constexpr std::size_t batch_max = 2;
};

HEDDLE_SCENARIO(deque_order_last_item,
                "owner and two thieves at the last item: one order explains all answers",
                {.threads = 3, .group = "queues"}) {
  linearizable_deque<roomy> program;
  const auto thief = [](auto& d) { d.steal(); };
  program.push();
  program.run(
      [](auto& d) {
        d.pop();
        d.push();
        d.pop();
      },
      thief, thief);
}

HEDDLE_SCENARIO(deque_order_batch, "four items, three pops, one batch: one order explains them",
                {.threads = 2, .group = "queues"}) {
  linearizable_deque<roomy> program;
  program.run(
      [](auto& d) {
        d.push(4);
        d.pop(3);
        d.push();
      },
      [](auto& d) {
        d.steal_half();
        d.steal_half();
      });
}

HEDDLE_SCENARIO(deque_order_beyond_the_limit,
                "pops beyond the limit, a batch and a single steal: one order explains them",
                {.threads = 3, .group = "queues"}) {
  linearizable_deque<batches_of_two> program;
  program.push(4);
  program.run([](auto& d) { d.pop(3); }, [](auto& d) { d.steal_half(); },
              [](auto& d) { d.steal(); });
}

HEDDLE_SCENARIO(deque_order_growing, "a ring that grows under a thief changes no answer",
                {.threads = 2, .group = "queues"}) {
  linearizable_deque<growing> program;
  program.push();
  program.run(
      [](auto& d) {
        d.push(2);
        d.pop();
      },
      [](auto& d) {
        d.steal();
        d.steal_half();
      });
}

// Without synchronisation between its clients a thief may always have come too early. Here it is
// told, outside of the deque, that the pushes have returned: then `empty` needs a reason.
HEDDLE_SCENARIO(deque_order_told, "a thief that knows of the pushes finds what was not yet taken",
                {.threads = 2, .group = "queues"}) {
  linearizable_deque<roomy> program;
  sync::atomic<bool> pushed{false};
  program.run(
      [&](auto& d) {
        d.push(2);
        pushed.store(true, sync::memory_order_release);
        d.pop();
      },
      [&](auto& d) {
        heddle::sim::assume(pushed.load(sync::memory_order_acquire));
        d.steal();
        d.steal();
      });
}

}  // namespace
