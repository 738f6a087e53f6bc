// Flawed designs that were published or shipped, in small form. Each must be caught, by the check
// that its scenario names: a check that catches nothing is a defect. Beside each stands its sound
// twin, which verifies.
#include <array>
#include <cstddef>
#include <span>

#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/sim.hpp>

#include "../support/delivery.hpp"
#include "growing_deque.hpp"
#include "naive_batch_deque.hpp"
#include "park_handshake.hpp"
#include "plain_deque.hpp"

namespace {

using heddle::properties::delivery;
using heddle::sim::FailureKind;
namespace known_bad = heddle::known_bad;
namespace sync = heddle::sync;

constexpr auto take = [](auto& delivered, int item) { delivered.take(item); };
constexpr auto count = [](auto& delivered, int item) { delivered.count(item); };

/// Lets the owner take what is left, and checks that nothing was lost.
template <class Deque, std::size_t Items, class Note = decltype(take)>
void finish(Deque& deque, delivery<Items>& delivered, Note note = take) {
  for (int item = 0; deque.pop(item);) note(delivered, item);
  delivered.check_nothing_lost();
}

// ---- batches by one CAS -------------------------------------------------------------------------

// `note` decides whether a second delivery is reported at once, or only the losses in the end.
template <class Note>
void naive_batch(Note note) {
  known_bad::naive_batch_deque deque;
  delivery<5> delivered;
  sync::thread thief([&] {
    std::array<int, 4> buffer{};
    const std::size_t got = deque.steal_half(buffer);
    for (const int item : std::span(buffer).first(got)) note(delivered, item);
  });
  for (int item = 1; item <= 4; ++item) deque.push(item);
  for (int pops = 0, item = 0; pops < 3; ++pops) {
    if (deque.pop(item)) note(delivered, item);
  }
  deque.push(5);
  thief.join();
  finish(deque, delivered, note);
}

HEDDLE_SCENARIO(known_bad_batch_twice, "a batch taken by one CAS that the owner knows nothing of",
                {.threads = 2,
                 .expect = FailureKind::check,
                 .caught_by = "no item is delivered twice",
                 .group = "known_bad"}) {
  naive_batch(take);
}

HEDDLE_SCENARIO(known_bad_batch_lost, "the same: top passes bottom, and a later push is not found",
                {.threads = 2,
                 .expect = FailureKind::check,
                 .caught_by = "no item is lost",
                 .group = "known_bad"}) {
  naive_batch(count);
}

// ---- the plain deque ----------------------------------------------------------------------------

template <class Choices>
void plain(int pushes_before, int pops) {
  known_bad::plain_deque<Choices> deque;
  delivery<2> delivered;
  int next = 0;
  while (next < pushes_before) deque.push(++next);
  sync::thread thief([&] {
    int item = 0;
    if (deque.steal(item)) delivered.take(item);
  });
  while (next < 2) deque.push(++next);
  for (int item = 0; pops > 0; --pops) {
    if (deque.pop(item)) delivered.take(item);
  }
  thief.join();
  finish(deque, delivered);
}

HEDDLE_SCENARIO(twin_plain_deque, "sound twin: the plain deque delivers each item once",
                {.threads = 2, .group = "known_bad"}) {
  plain<known_bad::sound>(0, 1);
}

HEDDLE_SCENARIO(known_bad_tail_before_slot, "push stores the tail before the slot (B82)",
                {.threads = 2,
                 .expect = FailureKind::check,
                 .caught_by = "what is taken was put in",
                 .group = "known_bad"}) {
  plain<known_bad::tail_before_slot>(0, 0);
}

HEDDLE_SCENARIO(known_bad_relaxed_pop_store, "pop stores bottom relaxed, under C++20",
                {.threads = 2,
                 .expect = FailureKind::check,
                 .caught_by = "what is taken was put in",
                 .group = "known_bad"}) {
  plain<known_bad::relaxed_pop_store>(0, 1);
}

// ---- the ring -----------------------------------------------------------------------------------

template <class Choices>
void growing() {
  known_bad::growing_deque<Choices> deque;
  delivery<4> delivered;
  deque.push(1);
  deque.push(2);
  sync::thread thief([&] {
    std::array<int, 2> buffer{};
    const std::size_t got = deque.steal_some(buffer);
    for (const int item : std::span(buffer).first(got)) delivered.take(item);
  });
  deque.push(3);  // into a ring of twice the size
  for (int pops = 0, item = 0; pops < 2; ++pops) {
    if (deque.pop(item)) delivered.take(item);
  }
  deque.push(4);
  thief.join();
  finish(deque, delivered);
}

HEDDLE_SCENARIO(twin_growing_deque, "sound twin: the growing deque delivers each item once",
                {.threads = 2, .group = "known_bad"}) {
  growing<known_bad::sound_growth>();
}

HEDDLE_SCENARIO(known_bad_ring_read_once, "the ring is replaced between slot read and CAS (B01)",
                {.threads = 2,
                 .expect = FailureKind::check,
                 .caught_by = "no item is delivered twice",
                 .group = "known_bad"}) {
  growing<known_bad::ring_read_once>();
}

HEDDLE_SCENARIO(known_bad_ring_relaxed, "a new ring is published by a relaxed store",
                {.threads = 2,
                 .expect = FailureKind::data_race,
                 .caught_by = "no access races with a construction",
                 .group = "known_bad"}) {
  growing<known_bad::ring_published_relaxed>();
}

// ---- index too narrow ---------------------------------------------------------------------------

struct three_bits : heddle::deque_limits {
  static constexpr unsigned index_bits = 3;
  static constexpr std::size_t first_capacity = 2;
  static constexpr std::size_t batch_max = 2;
};

// The production deque, but top has 3 bits: after eight items it is what it was, and a thief that
// slept meanwhile does not notice.
HEDDLE_SCENARIO(known_bad_narrow_index, "an index of 3 bits comes back while a thief sleeps (B06)",
                {.threads = 2,
                 .expect = FailureKind::check,
                 .caught_by = "no item is delivered twice",
                 .group = "known_bad"}) {
  constexpr int items = 9;
  heddle::deque<int, three_bits> deque;
  delivery<items> delivered;
  deque.push(1);
  sync::thread thief([&] {
    int item = 0;
    if (deque.steal(item) == heddle::steal_result::item) delivered.take(item);
  });
  int item = 0;
  for (int next = 2; next <= items; ++next) {
    if (deque.pop(item) == heddle::pop_result::item) delivered.take(item);
    deque.push(next);
  }
  thief.join();
  while (deque.pop(item) == heddle::pop_result::item) delivered.take(item);
  delivered.check_nothing_lost();
}

// ---- parking ------------------------------------------------------------------------------------

template <class Order>
void park() {
  known_bad::park_handshake<Order> handshake;
  sync::thread sleeper([&] { handshake.wait_for_work(); });
  handshake.submit();
  sleeper.join();
}

HEDDLE_SCENARIO(twin_park_handshake, "sound twin: with fences the sleeper always wakes",
                {.threads = 2, .timeouts = false, .group = "known_bad"}) {
  park<known_bad::with_fences>();
}

HEDDLE_SCENARIO(known_bad_park_handshake, "parking without store-load order loses a wake (B08)",
                {.threads = 2,
                 .timeouts = false,
                 .expect = FailureKind::deadlock,
                 .caught_by = "no thread waits for what nobody will do",
                 .group = "known_bad"}) {
  park<known_bad::without_fences>();
}

}  // namespace
