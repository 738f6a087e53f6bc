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
  graph::copy_row(clocks.row(id, ClockRows::hb), row, clocks.width());
  // Every read synchronises: what a write releases is all that is porf-before it.
  graph[id].releases_nothing = false;
  graph::copy_row(clocks.row(id, ClockRows::release), row, clocks.width());
}

bool SequentialConsistency::consistent(const Graph& graph, event_id changed) const {
  return changed == no_event ? executable(graph) : !reaches_itself(graph, changed);
}

// Everything that follows the changed event in modification order, and all that follows from that:
// none of it may be before the changed event, its source or its neighbour in modification order.
bool SequentialConsistency::reaches_itself(const Graph& graph, event_id changed) const {
  const Event& event = graph[changed];
  const auto& co = graph.location(event.location).co;
  const std::uint32_t position = event.writes ? event.co_position : graph.position_of(event.source);
  if (position >= co.size()) return false;
  const ClockRows& clocks = graph.clocks();
  const std::size_t width = clocks.width();
  const tick* const own = clocks.row(changed, ClockRows::porf);
  goal_.assign(own, own + width);
  const auto leads_to = [&](event_id id) {
    if (id != changed) graph::join_into(goal_.data(), clocks.row(id, ClockRows::porf), width);
  };
  if (event.writes) {
    const event_id before = graph.write_at(event.location, position - 1);
    if (before != from_initial) leads_to(before);
    for (const event_id read : graph.location(event.location).reads) {
      if (graph[read].source == before) leads_to(read);
    }
  }
  const std::size_t threads = graph.threads();
  constexpr std::uint32_t never = 0xffff'ffff;
  reached_.assign(threads, never);
  done_.assign(threads, never);
  todo_.clear();
  const auto reach = [&](event_id id) {
    const Event& found = graph[id];
    if (found.index >= reached_[found.thread]) return;
    reached_[found.thread] = found.index;
    todo_.push_back(found.thread);
  };
  reach(co[position]);
  while (!todo_.empty()) {
    const std::uint32_t t = todo_.back();
    todo_.pop_back();
    const auto& order = graph.thread(t).events;
    const std::uint32_t end =
        std::min<std::uint32_t>(done_[t], static_cast<std::uint32_t>(order.size()));
    const std::uint32_t begin = reached_[t];
    if (begin < goal_[t]) return true;
    done_[t] = begin;
    for (std::uint32_t i = begin; i < end; ++i) {
      const event_id id = order[i];
      const Event& step = graph[id];
      if (step.accesses()) {
        const auto& location = graph.location(step.location);
        if (step.writes) {
          if (step.co_position < location.co.size()) reach(location.co[step.co_position]);
          for (const event_id read : location.reads) {
            if (graph[read].source == id) reach(read);
          }
        } else {
          const std::uint32_t seen = graph.position_of(step.source);
          if (seen < location.co.size()) reach(location.co[seen]);
        }
      } else if (step.kind == EventKind::spawn) {
        const auto& child = graph.thread(step.argument).events;
        if (!child.empty()) reach(child.front());
      }
    }
    const event_id joined = graph.thread(t).joined_by;
    if (joined != no_event) reach(joined);
  }
  return false;
}

// The relation is acyclic exactly when its events can be executed one by one, and any enabled event
// may be executed first: a read when its source is the newest write, a write when its predecessor
// in co is the newest write and all reads of that have been executed.
bool SequentialConsistency::executable(const Graph& graph) const {
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
