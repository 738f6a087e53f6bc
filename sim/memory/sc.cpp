#include <heddle/sim/memory/sc.hpp>

#include <algorithm>

namespace heddle::sim::memory {

using graph::ClockRows;
using graph::Event;
using graph::EventKind;
using graph::from_initial;
using graph::no_event;

void SequentialConsistency::compute_clocks(Graph& graph, event_id id) const {
  compute_porf(graph, id);
  ClockRows& clocks = graph.clocks();
  const tick* const row = clocks.row(id, ClockRows::porf);
  std::copy(row, row + clocks.width(), clocks.row(id, ClockRows::hb));
  // Every read synchronises: what a write releases is all that is porf-before it.
  graph[id].releases_nothing = false;
  std::copy(row, row + clocks.width(), clocks.row(id, ClockRows::release));
}

// The relation is acyclic exactly when its events can be executed one by one, and any enabled event
// may be executed first: a read when its source is the newest write, a write when its predecessor
// in co is the newest write and all reads of that have been executed.
bool SequentialConsistency::consistent(const Graph& graph) const {
  next_.assign(graph.threads(), 0);
  current_.assign(graph.locations(), 0);
  readers_left_.assign(graph.size(), 0);
  initial_readers_left_.assign(graph.locations(), 0);
  for (event_id id = 0; id < graph.size(); ++id) {
    const Event& event = graph[id];
    if (!event.reads()) continue;
    ++(event.source == from_initial ? initial_readers_left_[event.location]
                                    : readers_left_[event.source]);
  }
  std::size_t left = graph.size();
  bool moved = true;
  while (left > 0 && moved) {
    moved = false;
    for (graph::thread_id t = 0; t < graph.threads(); ++t) {
      const auto& order = graph.thread(t);
      if (order.events.empty()) continue;
      const event_id parent = order.spawned_by;
      if (parent != no_event && next_[graph[parent].thread] <= graph[parent].index) continue;
      while (next_[t] < order.events.size()) {
        const Event& event = graph[order.events[next_[t]]];
        if (event.kind == EventKind::join) {
          if (next_[event.argument] < graph.thread(event.argument).events.size()) break;
        } else if (event.accesses()) {
          std::uint32_t& newest = current_[event.location];
          if (event.reads() && graph.position_of(event.source) != newest) break;
          const auto readers_of_newest = [&]() -> std::uint32_t& {
            const event_id write = graph.write_at(event.location, newest);
            return write == from_initial ? initial_readers_left_[event.location]
                                         : readers_left_[write];
          };
          if (event.writes) {
            const std::uint32_t own = event.reads() ? 1 : 0;
            if (event.co_position != newest + 1 || readers_of_newest() != own) break;
            if (own != 0) readers_of_newest() = 0;
            newest = event.co_position;
          } else {
            --readers_of_newest();
          }
        }
        ++next_[t];
        --left;
        moved = true;
      }
    }
  }
  return left == 0;
}

}  // namespace heddle::sim::memory
