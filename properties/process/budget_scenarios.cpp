// Topic budgets under every interleaving: senders against each other, against a release, and
// against the end of the slot.
#include <mutex>
#include <utility>

#include <heddle/scheduler/process/budget.hpp>
#include <heddle/sim.hpp>

namespace {

using heddle::Message;
using heddle::Payload;
using heddle::Reservation;
using heddle::Topic;
using heddle::TopicBudgets;
using heddle::sim::check;
using heddle::sim::thread;
using Answer = TopicBudgets::Answer;

constexpr Topic topic = 7;

/// A message that lets its topic hold `items` at once.
Message limited(std::uint64_t items) {
  Message message(topic, Payload());
  message.limit.items_max = items;
  message.bytes = 1;
  return message;
}

/// The slot's table; the slot lets go of it at the end, as its last act.
class Slot {
 public:
  ~Slot() {
    if (table_ != nullptr) retire();
  }
  Answer admit(std::uint32_t generation, std::uint64_t items, Reservation& share) {
    const std::lock_guard lock(table_->mutex());
    TopicBudgets::Decision decision = table_->admit(generation, limited(items));
    share = std::move(decision.reservation);
    return decision.answer;
  }
  void retire() { std::exchange(table_, nullptr)->retire(); }

 private:
  TopicBudgets* table_ = new TopicBudgets;
};

HEDDLE_SCENARIO(budget_two_senders, "A13: two senders, room for one: one message and one overflow",
                {.threads = 2, .group = "process"}) {
  Slot slot;
  Reservation shares[2];
  Answer answers[2] = {};
  thread other([&] { answers[1] = slot.admit(1, 1, shares[1]); });
  answers[0] = slot.admit(1, 1, shares[0]);
  other.join();
  const bool first = answers[0] == Answer::admitted && answers[1] == Answer::overflow;
  const bool second = answers[1] == Answer::admitted && answers[0] == Answer::overflow;
  check(first || second, "the limit is exact");
  check(static_cast<bool>(shares[0]) != static_cast<bool>(shares[1]), "one of them has a share");
}

/// Known bad: decides first and counts afterwards (H8, for a topic).
class HastyBudget {
 public:
  bool admit(int items) {
    if (used_.load(heddle::sync::memory_order_relaxed) >= items) return false;
    used_.fetch_add(1, heddle::sync::memory_order_relaxed);
    return true;
  }

 private:
  heddle::sync::atomic<int> used_{0};
};

HEDDLE_SCENARIO(known_bad_budget_hasty, "the same with a budget that decides before it counts",
                {.threads = 2,
                 .expect = heddle::sim::FailureKind::check,
                 .caught_by = "the limit is exact",
                 .group = "known_bad"}) {
  HastyBudget budget;
  bool admitted[2] = {};
  thread other([&] { admitted[1] = budget.admit(1); });
  admitted[0] = budget.admit(1);
  other.join();
  check(admitted[0] != admitted[1], "the limit is exact");
}

HEDDLE_SCENARIO(budget_told_once, "A13: of two messages too many one is told, the other is silent",
                {.threads = 3, .group = "process"}) {
  Slot slot;
  Reservation held;
  check(slot.admit(1, 1, held) == Answer::admitted, "there is room for one");
  Reservation shares[2];
  Answer answers[2] = {};
  thread first([&] { answers[0] = slot.admit(1, 1, shares[0]); });
  thread second([&] { answers[1] = slot.admit(1, 1, shares[1]); });
  first.join();
  second.join();
  const int told = (answers[0] == Answer::overflow ? 1 : 0) + (answers[1] == Answer::overflow);
  const int silent = (answers[0] == Answer::discarded ? 1 : 0) + (answers[1] == Answer::discarded);
  check(told == 1 && silent == 1, "told once");
}

HEDDLE_SCENARIO(budget_release, "a release while another message asks: room for both or for one",
                {.threads = 2, .group = "process"}) {
  Slot slot;
  Reservation held;
  check(slot.admit(1, 1, held) == Answer::admitted, "there is room for one");
  thread receiver([&] { held.release(); });
  Reservation share;
  const Answer answer = slot.admit(1, 1, share);
  receiver.join();
  check(answer == Answer::admitted || answer == Answer::overflow, "before or after the release");
  if (answer == Answer::overflow) return;  // the topic is exhausted for good
  Reservation third;
  check(slot.admit(1, 1, third) == Answer::overflow, "the share that was given back counts once");
}

HEDDLE_SCENARIO(budget_outlives_slot, "a share is given back while the slot lets go of its table",
                {.threads = 2, .group = "process"}) {
  Slot slot;
  Reservation held;
  check(slot.admit(1, 1, held) == Answer::admitted, "there is room for one");
  // Whoever is last destroys the table, once, and after the other has left it.
  thread receiver([&] { held.release(); });
  slot.retire();
  receiver.join();
}

HEDDLE_SCENARIO(budget_late_sender,
                "H3: a sender to the last occupant does not touch the next one's",
                {.threads = 3, .group = "process"}) {
  Slot slot;
  Reservation old_share;
  check(slot.admit(1, 1, old_share) == Answer::admitted, "the first occupant's");
  Reservation late_share;
  Answer late = Answer::stale;
  thread sender([&] { late = slot.admit(1, 5, late_share); });
  thread receiver([&] { old_share.release(); });
  Reservation share;
  check(slot.admit(2, 1, share) == Answer::admitted, "the next occupant begins with nothing");
  sender.join();
  receiver.join();
  check(late == Answer::stale || late == Answer::admitted || late == Answer::overflow,
        "before the change, or stale");
  Reservation another;
  check(slot.admit(2, 1, another) == Answer::overflow,
        "neither the late sender nor the late release changed the count");
}

}  // namespace
