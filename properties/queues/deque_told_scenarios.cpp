// Without synchronisation between its clients a thief may always have come too early, and `empty`
// is always a right answer of it. Here thieves are told, outside of the deque, what has returned:
// then `empty` needs a reason.
#include <heddle/sim.hpp>

#include "deque_program.hpp"

namespace {

using heddle::deque_limits;
using heddle::properties::deque_program;
using heddle::sim::assume;
namespace sync = heddle::sync;

struct small : deque_limits {
  static constexpr std::size_t first_capacity = 2;
  static constexpr std::size_t batch_max = 2;
};

HEDDLE_SCENARIO(deque_told_of_pushes, "a thief that knows of the pushes finds what nobody took",
                {.threads = 2, .group = "queues"}) {
  deque_program<small, 2> program;
  sync::atomic<bool> pushed{false};
  program.run(
      [&](auto& d) {
        d.push(2);
        pushed.store(true, sync::memory_order_release);
        d.pop();
      },
      [&](auto& d) {
        assume(pushed.load(sync::memory_order_acquire));
        d.steal(2);
      });
}

HEDDLE_SCENARIO(deque_told_of_a_steal, "owner and thief know that the oldest item has been taken",
                {.threads = 3, .group = "queues"}) {
  deque_program<small, 3> program;
  sync::atomic<int> returned{0};
  program.push(2);
  program.run(
      [&](auto& d) {
        assume(returned.load(sync::memory_order_acquire) == 1);
        d.push();
        d.pop();
      },
      [&](auto& d) {
        d.steal();
        returned.store(1, sync::memory_order_release);
      },
      [&](auto& d) {
        assume(returned.load(sync::memory_order_acquire) == 1);
        d.steal_half();
      });
}

// The program of known_bad_bottom_before_top.
HEDDLE_SCENARIO(deque_told_of_one_push_each, "a thief that knows of an item does not say `empty`",
                {.threads = 3, .group = "queues"}) {
  deque_program<small, 2> program;
  sync::atomic<int> returned{0};
  const auto steal_when = [&](int pushes) {
    return [&returned, pushes](auto& d) {
      assume(returned.load(sync::memory_order_acquire) >= pushes);
      d.steal();
    };
  };
  program.run(
      [&](auto& d) {
        for (int pushes = 1; pushes <= 2; ++pushes) {
          d.push();
          returned.store(pushes, sync::memory_order_release);
        }
      },
      steal_when(1), steal_when(2));
}

}  // namespace
