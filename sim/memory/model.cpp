#include <heddle/sim/memory/model.hpp>

#include <algorithm>

#include <heddle/sim/memory/rc11.hpp>
#include <heddle/sim/memory/sc.hpp>

namespace heddle::sim::memory {

using graph::ClockRows;
using graph::Event;
using graph::EventKind;
using graph::join_into;
using graph::no_event;

std::unique_ptr<Model> make_model(MemoryModel which) {
  if (which == MemoryModel::sc) return std::make_unique<SequentialConsistency>();
  return std::make_unique<Rc11>();
}

void Model::take_source(Graph& graph, event_id read, event_id source) const {
  graph.set_source(read, source);
  const Event& event = graph[read];
  if (event.kind == EventKind::rmw && event.writes) {
    graph.place(read, graph.position_of(source) + 1);
  }
  compute_clocks(graph, read);
}

void compute_porf(Graph& graph, event_id id) {
  ClockRows& clocks = graph.clocks();
  const Event& event = graph[id];
  const std::size_t width = clocks.width();
  tick* const row = clocks.row(id, ClockRows::porf);
  const event_id previous = graph.before(event.thread, event.index);
  if (previous == no_event) {
    std::fill(row, row + width, 0);
  } else {
    const tick* const base = clocks.row(previous, ClockRows::porf);
    graph::copy_row(row, base, width);
  }
  row[event.thread] = event.index + 1;
  if (event.reads()) {
    if (event.source < no_event) join_into(row, clocks.row(event.source, ClockRows::porf), width);
  } else if (event.kind == EventKind::join) {
    const auto& child = graph.thread(event.argument);
    const auto length = static_cast<std::uint32_t>(child.events.size());
    join_into(row, clocks.row(graph.before(event.argument, length), ClockRows::porf), width);
    row[event.argument] = length + 1;
  }
}

const tick* hb_before(const Graph& graph, const Event& event) noexcept {
  const event_id previous = graph.before(event.thread, event.index);
  if (previous != no_event) return graph.clocks().row(previous, ClockRows::hb);
  return graph.clocks().nothing();  // the first event of thread 0
}

std::uint32_t oldest_visible(const Graph& graph, graph::location_id location,
                             const tick* clock) noexcept {
  const auto& events = graph.location(location);
  std::uint32_t oldest = 0;
  for (std::size_t i = events.co.size(); i > 0; --i) {
    if (covers(clock, graph[events.co[i - 1]])) {
      oldest = static_cast<std::uint32_t>(i);
      break;
    }
  }
  if (oldest == events.co.size()) return oldest;
  for (const event_id id : events.reads) {
    const Event& read = graph[id];
    if (!covers(clock, read)) continue;
    oldest = std::max(oldest, graph.position_of(read.source));
  }
  return oldest;
}

}  // namespace heddle::sim::memory

std::string_view heddle::sim::to_string(MemoryModel model) noexcept {
  return model == MemoryModel::sc ? "sc" : "rc11";
}
