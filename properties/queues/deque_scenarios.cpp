// The production deque under every interleaving and every weak-memory behaviour of small programs.
// Each scenario says which part of the protocol it is about (P1, P2, P3, grow: see deque.hpp).
// Rings and batches are small so that a few items reach every path; the code is the production's.
#include <cstdint>

#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/sim.hpp>

#include "deque_program.hpp"

namespace {

using heddle::deque_limits;
using heddle::properties::deque_program;

// A ring that these programs do not outgrow.
struct roomy : deque_limits {
  static constexpr std::size_t first_capacity = 4;
  static constexpr std::size_t batch_max = 4;
};
// Half of four items is the whole limit: the third and fourth lie beyond it (P3).
struct batches_of_two : deque_limits {
  static constexpr std::size_t first_capacity = 4;
  static constexpr std::size_t batch_max = 2;
};
// Without batches every item but the oldest lies beyond the limit.
struct single_items : deque_limits {
  static constexpr std::size_t first_capacity = 4;
  static constexpr std::size_t batch_max = 1;
};
// Grows with the second item, and again with the third.
struct growing : deque_limits {
  static constexpr std::size_t first_capacity = 1;
  static constexpr std::size_t batch_max = 2;
};
// Slots are used again from the third item on.
struct two_slots : deque_limits {
  static constexpr std::size_t first_capacity = 2;
  static constexpr std::size_t batch_max = 2;
};
// The index wraps within the scenario; the range is wide enough for it.
struct wrapping : deque_limits {
  static constexpr unsigned index_bits = 4;
  static constexpr std::uint64_t first_index = 14;
  static constexpr std::size_t first_capacity = 2;
  static constexpr std::size_t batch_max = 2;
};

// ---- one item (P1) ------------------------------------------------------------------------------

HEDDLE_SCENARIO(deque_last_item, "owner and two thieves: the last item has one taker",
                {.threads = 3, .group = "queues"}) {
  deque_program<roomy, 1> program;
  program.push();
  const auto thief = [](auto& d) { d.steal(); };
  program.run([](auto& d) { d.pop(); }, thief, thief);
}

HEDDLE_SCENARIO(deque_last_item_again, "a deque that was emptied at either end is as good as new",
                {.threads = 3, .group = "queues"}) {
  deque_program<roomy, 2> program;
  program.push();
  const auto thief = [](auto& d) { d.steal(); };
  program.run(
      [](auto& d) {
        d.pop();
        d.push();
        d.pop();
      },
      thief, thief);
}

HEDDLE_SCENARIO(deque_empty, "pop and steal of an empty deque while the first item comes",
                {.threads = 3, .group = "queues"}) {
  deque_program<roomy, 1> program;
  const auto thief = [](auto& d) { d.steal(); };
  program.run(
      [](auto& d) {
        d.pop();
        d.push();
        d.pop();
      },
      thief, [](auto& d) { d.steal_half(); });
}

HEDDLE_SCENARIO(deque_three_thieves, "three thieves and the owner share three items",
                {.threads = 4, .group = "queues"}) {
  deque_program<roomy, 3> program;
  program.push(3);
  const auto thief = [](auto& d) { d.steal(); };
  program.run([](auto& d) { d.pop(); }, thief, thief, thief);
}

// ---- batches against pops (P2, P3) --------------------------------------------------------------

HEDDLE_SCENARIO(deque_batch_against_pops, "four items, three pops, one batch (B02)",
                {.threads = 2, .group = "queues"}) {
  deque_program<roomy, 4> program;
  program.run(
      [](auto& d) {
        d.push(4);
        d.pop(3);
      },
      [](auto& d) { d.steal_half(); });
}

HEDDLE_SCENARIO(deque_batch_then_batch, "a thief that comes again sees how far the owner went down",
                {.threads = 2, .group = "queues"}) {
  deque_program<roomy, 5> program;
  program.push(4);
  program.run(
      [](auto& d) {
        d.pop(3);
        d.push();
      },
      [](auto& d) {
        d.steal();
        d.steal_half(2);
      });
}

HEDDLE_SCENARIO(deque_two_batches, "two thieves with batches and the owner share four items",
                {.threads = 3, .group = "queues"}) {
  deque_program<roomy, 4> program;
  program.push(4);
  const auto thief = [](auto& d) { d.steal_half(); };
  program.run([](auto& d) { d.pop(2); }, thief, thief);
}

HEDDLE_SCENARIO(deque_beyond_the_limit, "pops beyond the limit need no CAS (P3)",
                {.threads = 3, .group = "queues"}) {
  deque_program<batches_of_two, 4> program;
  program.push(4);
  program.run([](auto& d) { d.pop(3); }, [](auto& d) { d.steal_half(); },
              [](auto& d) { d.steal(); });
}

HEDDLE_SCENARIO(deque_single_items, "without batches: a plain Chase-Lev deque, two thieves",
                {.threads = 3, .group = "queues"}) {
  deque_program<single_items, 3> program;
  program.push();
  const auto thief = [](auto& d) { d.steal(); };
  program.run(
      [](auto& d) {
        d.push(2);
        d.pop(2);
      },
      thief, thief);
}

HEDDLE_SCENARIO(deque_single_items_one_thief, "one thief that steals again and again (P3)",
                {.threads = 2, .group = "queues"}) {
  deque_program<single_items, 3> program;
  program.push(3);
  program.run([](auto& d) { d.pop(3); }, [](auto& d) { d.steal(3); });
}

HEDDLE_SCENARIO(deque_limit_stays_low, "items pushed above a low limit are popped without a CAS",
                {.threads = 2, .group = "queues"}) {
  deque_program<roomy, 7> program;
  program.push(4);
  program.pop(3);
  program.push(3);
  program.run([](auto& d) { d.pop(3); }, [](auto& d) { d.steal_half(2); });
}

HEDDLE_SCENARIO(deque_two_thieves_again, "two thieves that come twice, against three pops (P3)",
                {.threads = 3, .group = "queues"}) {
  deque_program<single_items, 4> program;
  program.push(4);
  const auto thief = [](auto& d) { d.steal(2); };
  program.run([](auto& d) { d.pop(3); }, thief, thief);
}

HEDDLE_SCENARIO(deque_three_batches, "three thieves with batches and the owner share four items",
                {.threads = 4, .group = "queues"}) {
  deque_program<roomy, 4> program;
  program.push(4);
  const auto thief = [](auto& d) { d.steal_half(); };
  program.run([](auto& d) { d.pop(2); }, thief, thief, thief);
}

HEDDLE_SCENARIO(deque_long_owner, "an owner that goes up and down, and two thieves",
                {.threads = 3, .group = "queues"}) {
  deque_program<batches_of_two, 4> program;
  program.run(
      [](auto& d) {
        d.push(2);
        d.pop();
        d.push(2);
        d.pop(2);
      },
      [](auto& d) { d.steal(); }, [](auto& d) { d.steal_half(); });
}

// ---- larger programs ----------------------------------------------------------------------------

HEDDLE_SCENARIO(deque_up_and_down, "an owner that pops, pushes and pops, and three thieves",
                {.threads = 4, .group = "queues"}) {
  deque_program<single_items, 4> program;
  program.push(3);
  const auto thief = [](auto& d) { d.steal(); };
  program.run(
      [](auto& d) {
        d.pop(2);
        d.push();
        d.pop();
      },
      thief, thief, thief);
}

HEDDLE_SCENARIO(deque_from_empty, "three thieves wait from the start for what the owner pushes",
                {.threads = 4, .group = "queues"}) {
  deque_program<batches_of_two, 4> program;
  const auto thief = [](auto& d) { d.steal(); };
  program.run(
      [](auto& d) {
        d.push(3);
        d.pop(2);
        d.push();
      },
      thief, thief, [](auto& d) { d.steal_half(); });
}

HEDDLE_SCENARIO(deque_large_batches, "batches of up to four out of eight items, two thieves",
                {.threads = 3, .group = "queues"}) {
  deque_program<roomy, 8> program;
  program.push(7);
  program.run(
      [](auto& d) {
        d.pop(4);
        d.push();
        d.pop();
      },
      [](auto& d) { d.steal_half(2); }, [](auto& d) { d.steal_half(); });
}

HEDDLE_SCENARIO(deque_batches_again, "two thieves take batches twice, the owner pops four times",
                {.threads = 3, .group = "queues"}) {
  deque_program<batches_of_two, 6> program;
  program.push(6);
  const auto thief = [](auto& d) { d.steal_half(2); };
  program.run([](auto& d) { d.pop(4); }, thief, thief);
}

// ---- growing (B01) ------------------------------------------------------------------------------

HEDDLE_SCENARIO(deque_grow, "thieves copy while the owner replaces the ring, pops and pushes (B01)",
                {.threads = 3, .group = "queues"}) {
  deque_program<growing, 4> program;
  program.push(2);
  program.run(
      [](auto& d) {
        d.push();
        d.pop(2);
        d.push();
      },
      [](auto& d) { d.steal(); }, [](auto& d) { d.steal_half(); });
}

HEDDLE_SCENARIO(deque_grow_under_a_stale_top, "the owner grows although a thief has made room",
                {.threads = 3, .group = "queues"}) {
  deque_program<growing, 3> program;
  program.push();
  const auto thief = [](auto& d) { d.steal(); };
  program.run([](auto& d) { d.push(2); }, thief, thief);
}

HEDDLE_SCENARIO(deque_grow_three_thieves, "three thieves while the ring is replaced twice",
                {.threads = 4, .group = "queues"}) {
  deque_program<growing, 3> program;
  program.push();
  const auto thief = [](auto& d) { d.steal(); };
  program.run([](auto& d) { d.push(2); }, thief, thief, [](auto& d) { d.steal_half(); });
}

HEDDLE_SCENARIO(deque_grow_and_batch,
                "a batch reaches over what was pushed before and after growing",
                {.threads = 2, .group = "queues"}) {
  deque_program<growing, 5> program;
  program.push(2);
  program.run(
      [](auto& d) {
        d.push(3);
        d.pop();
      },
      [](auto& d) {
        d.steal();
        d.steal_half();
      });
}

HEDDLE_SCENARIO(deque_grow_from_one, "from one slot to four, with two thieves that come twice",
                {.threads = 3, .group = "queues"}) {
  deque_program<growing, 4> program;
  program.push();
  program.run(
      [](auto& d) {
        d.push(3);
        d.pop();
      },
      [](auto& d) { d.steal(2); }, [](auto& d) { d.steal_half(); });
}

// ---- reuse of slots, wrap-around ----------------------------------------------------------------

HEDDLE_SCENARIO(deque_slots_again, "a slot is used again while a thief reads it",
                {.threads = 3, .group = "queues"}) {
  deque_program<two_slots, 4> program;
  program.push(2);
  const auto thief = [](auto& d) { d.steal(); };
  program.run(
      [](auto& d) {
        d.push();
        d.pop();
        d.push();
      },
      thief, thief);
}

HEDDLE_SCENARIO(deque_wraps, "the index wraps while the owner and a thief are at work (B06)",
                {.threads = 2, .group = "queues"}) {
  deque_program<wrapping, 5> program;
  program.push();
  program.run(
      [](auto& d) {
        d.push(2);
        d.pop();
        d.push(2);
        d.pop(2);
      },
      [](auto& d) {
        d.steal();
        d.steal_half();
      });
}

HEDDLE_SCENARIO(deque_wraps_under_two_thieves, "the index wraps and slots are reused, two thieves",
                {.threads = 3, .group = "queues"}) {
  deque_program<wrapping, 6> program;
  program.push(2);
  program.run(
      [](auto& d) {
        d.pop();
        d.push(2);
        d.pop();
        d.push(2);
      },
      [](auto& d) { d.steal(2); }, [](auto& d) { d.steal_half(); });
}

}  // namespace
