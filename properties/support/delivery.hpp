// Who took what: conservation for queues whose items are numbers 1..n.
//
// Threads: any model thread. The counts are plain memory: they are no part of the program under
//          test, and model threads take turns.
#pragma once

#include <array>
#include <cstddef>

#include <heddle/sim.hpp>

namespace heddle::properties {

template <std::size_t Items>
class delivery {
 public:
  /// Someone took `item`. Reports at once what was never put in and what was taken before.
  void take(int item, sim::source_location site = sim::source_location::current()) {
    const bool known = item >= 1 && item <= static_cast<int>(Items);
    sim::check(known, "an item that was never put in", site);
    if (!known) return;
    sim::check(++taken_[static_cast<std::size_t>(item - 1)] == 1, "an item delivered twice", site);
  }

  /// The same, but only counts: for a scenario that is about lost items alone.
  void count(int item) {
    if (item >= 1 && item <= static_cast<int>(Items)) ++taken_[static_cast<std::size_t>(item - 1)];
  }

  /// All threads are done and the queue was emptied.
  void check_nothing_lost(sim::source_location site = sim::source_location::current()) const {
    for (const int times : taken_) sim::check(times >= 1, "an item was lost", site);
  }

 private:
  std::array<int, Items> taken_{};
};

}  // namespace heddle::properties
