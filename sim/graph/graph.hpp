// An execution graph: events in insertion order, program order per thread, modification order and
// reads per location, and the clocks of every event.
//
// Threads:    one.
// Invariants: G1 an event's id is its stamp: its index in `events`
//             G2 within a thread, ids grow with program order
//             G3 `co` of a location holds its writes in modification order, co_position = index + 1
//             G4 an RMW that writes stands directly after its source in `co`, except in the
//                intermediate graphs of a conflict, which are never run
//             G5 `reads` of a location holds its reads in id order
// Source:     the objects are those of TruSt (POPL 2022), section 1.1 of its artifact's terms.
#pragma once

#include <cstdint>
#include <vector>

#include <heddle/sim/graph/clock.hpp>
#include <heddle/sim/graph/event.hpp>

namespace heddle::sim::graph {

struct ThreadEvents {
  std::vector<event_id> events;
  event_id spawned_by = no_event;  ///< the spawn event; none for thread 0
  event_id joined_by = no_event;   ///< the join event, once it is there
};

struct LocationEvents {
  std::vector<event_id> co;
  std::vector<event_id> reads;
  value initial{};
};

class Graph {
 public:
  std::size_t size() const noexcept { return events_.size(); }
  Event& operator[](event_id id) noexcept { return events_[id]; }
  const Event& operator[](event_id id) const noexcept { return events_[id]; }

  std::size_t threads() const noexcept { return threads_.size(); }
  const ThreadEvents& thread(thread_id t) const noexcept { return threads_[t]; }
  std::size_t locations() const noexcept { return locations_.size(); }
  const LocationEvents& location(location_id x) const noexcept { return locations_[x]; }
  ClockRows& clocks() noexcept { return clocks_; }
  const ClockRows& clocks() const noexcept { return clocks_; }

  void ensure_thread(thread_id t);
  void ensure_location(location_id x, const value& initial) {
    if (x >= locations_.size()) locations_.resize(x + 1);
    locations_[x].initial = initial;
  }

  /// Adds an event at the end of its thread. Reads are entered in their location without a source;
  /// writes still have to be placed.
  event_id append(const Event& event);
  /// Gives a read its source, and with it its value, whether an await is satisfied by that, and
  /// what a read-modify-write does. A write part still has to be placed.
  void set_source(event_id read, event_id source) noexcept;
  /// Enters a write in its location's modification order at `position` (1 is directly after the
  /// initial value).
  void place(event_id write, std::uint32_t position);
  /// Takes a write out of its modification order.
  void unplace(event_id write);
  /// The same for good: the event stays and writes nothing.
  void withdraw(event_id write) {
    unplace(write);
    events_[write].writes = false;
  }

  /// Removes every event with an id of at least `count`. Reads that stay but lose their source
  /// (they were revisited in place) are put into `orphans`.
  void cut(std::size_t count, std::vector<event_id>& orphans);

  /// Copies to `out` the events of this graph with an id of at most `last` or covered by the clock
  /// `prefix`. The write part of `dropped_write` is left out of the modification order.
  /// Returns the new id of `tracked`.
  event_id restrict_to(Graph& out, event_id last, const tick* prefix, event_id dropped_write,
                       event_id tracked, std::vector<event_id>& orphans) const;

  value value_of(event_id write, location_id x) const noexcept {
    return write == from_initial ? locations_[x].initial : events_[write].written;
  }
  std::uint32_t position_of(event_id write) const noexcept {
    return write == from_initial ? 0 : events_[write].co_position;
  }
  /// The write at `position` in modification order, 0 the initial one.
  event_id write_at(location_id x, std::uint32_t position) const noexcept {
    return position == 0 ? from_initial : locations_[x].co[position - 1];
  }
  event_id co_maximal(location_id x) const noexcept {
    const auto& co = locations_[x].co;
    return co.empty() ? from_initial : co.back();
  }
  /// The last event of thread t before index i, or its spawn event; no_event for the start of
  /// thread 0.
  event_id before(thread_id t, std::uint32_t index) const noexcept {
    return index == 0 ? threads_[t].spawned_by : threads_[t].events[index - 1];
  }

  void clear() noexcept;
  /// Throws std::logic_error naming the invariant that does not hold.
  void validate() const;
  /// Equal for graphs with the same events, sources and modification orders.
  std::uint64_t hash() const;

 private:
  std::vector<Event> events_;
  std::vector<ThreadEvents> threads_;
  std::vector<LocationEvents> locations_;
  ClockRows clocks_;
  // Scratch space of restrict_to, in the graph that is made.
  std::vector<event_id> renamed_;
  std::vector<std::uint8_t> written_;
};

}  // namespace heddle::sim::graph
