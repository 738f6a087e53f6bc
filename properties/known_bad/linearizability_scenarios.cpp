// Flawed deques that are caught by the order of their answers; and the sound twin, by the same
// check. The second flaw is caught by nothing else: every item comes out exactly once.
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <heddle/sim.hpp>

#include "../support/history_recorder.hpp"
#include "naive_batch_deque.hpp"
#include "plain_deque.hpp"

namespace {

using heddle::properties::history_recorder;
using heddle::sim::FailureKind;
namespace known_bad = heddle::known_bad;
namespace model = heddle::model;
namespace sync = heddle::sync;

using deque_recorder = history_recorder<model::Deque>;

template <class Deque>
void push(deque_recorder& recorder, Deque& deque, int item) {
  recorder.record(model::push(item), [&] {
    deque.push(item);
    return model::done();
  });
}

/// What a thief answers that got the first `attempt.count` of `items`.
template <class Attempt>
model::Outcome answer(Attempt attempt, std::span<const int> items) {
  if (attempt.lost_race) return model::lost_race();
  const auto got = items.first(attempt.count);
  return got.empty() ? model::empty()
                     : model::delivered(std::vector<model::Item>(got.begin(), got.end()));
}

template <class Deque>
void pop(deque_recorder& recorder, Deque& deque) {
  recorder.record(model::pop(), [&] {
    int item = 0;
    return deque.pop(item) ? model::delivered(item) : model::empty();
  });
}

HEDDLE_SCENARIO(known_bad_batch_no_order,
                "a batch taken by one CAS that the owner knows nothing of (B02, H1)",
                {.threads = 2,
                 .expect = FailureKind::check,
                 .caught_by = "one order explains all answers",
                 .group = "known_bad"}) {
  known_bad::naive_batch_deque deque;
  deque_recorder recorder;
  sync::thread thief([&] {
    recorder.record(model::steal_half(4), [&] {
      std::array<int, 4> buffer{};
      const auto attempt = deque.try_steal_half(buffer);
      return answer(attempt, buffer);
    });
  });
  for (int item = 1; item <= 4; ++item) push(recorder, deque, item);
  for (int pops = 0; pops < 3; ++pops) pop(recorder, deque);
  thief.join();
  recorder.check_linearizable();
}

/// One thief knows of the first push, the other one of both. Only the first one's answer can be
/// wrong: there was always an item, as the second one took only one of two.
template <class Choices>
void two_thieves_that_were_told() {
  known_bad::plain_deque<Choices> deque;
  deque_recorder recorder;
  sync::atomic<int> returned{0};
  const auto steal_when = [&](int pushes) {
    heddle::sim::assume(returned.load(sync::memory_order_acquire) >= pushes);
    recorder.record(model::steal(), [&] {
      int item = 0;
      const auto attempt = deque.try_steal(item);
      return answer(attempt, std::span(&item, 1));
    });
  };
  sync::thread second([&] { steal_when(2); });
  sync::thread first([&] { steal_when(1); });
  for (int item = 1; item <= 2; ++item) {
    push(recorder, deque, item);
    returned.store(item, sync::memory_order_release);
  }
  first.join();
  second.join();
  recorder.check_linearizable();
}

HEDDLE_SCENARIO(known_bad_bottom_before_top, "a thief compares an old bottom with a newer top",
                {.threads = 3,
                 .expect = FailureKind::check,
                 .caught_by = "one order explains all answers",
                 .group = "known_bad"}) {
  two_thieves_that_were_told<known_bad::bottom_before_top>();
}

HEDDLE_SCENARIO(twin_top_before_bottom, "sound twin: `empty` is answered only when it was so",
                {.threads = 3, .group = "known_bad"}) {
  two_thieves_that_were_told<known_bad::sound>();
}

}  // namespace
