#include <heddle/sim/explore/sampling/weak_reads.hpp>

#include <algorithm>

namespace heddle::sim::engine {

namespace {

std::uint32_t newest_position(const Graph& graph, graph::location_id x) {
  return static_cast<std::uint32_t>(graph.location(x).co.size());
}

// The happens-before clock of a thread's next event, which is not in the graph yet.
const graph::tick* clock_before(const Graph& graph, const Event& next, std::uint32_t position) {
  const event_id previous = graph.before(next.thread, position);
  if (previous == graph::no_event) return graph.clocks().nothing();
  return graph.clocks().row(previous, graph::ClockRows::hb);
}

std::memory_order order_of_stale(const Event& read) noexcept {
  return read.kind == EventKind::rmw ? read.order_failure : read.order;
}

}  // namespace

void write_last(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  const Event& event = graph[id];
  if (event.writes) graph.place(id, newest_position(graph, event.location) + 1);
  execution.model().compute_clocks(graph, id);
}

void WeakReads::begin_run() {
  history_.clear();
  sc_order_.clear();
  exact_only_ = false;
}

bool WeakReads::would_stop(const Graph& graph, const ModelThread& thread) const {
  const Event& next = thread.next;
  const graph::location_id x = next.location;
  if (!next.waits || next.predicate.holds(graph.value_of(graph.co_maximal(x), x))) return false;
  if (!weak_ || exact_only_ || next.kind == EventKind::rmw) return true;
  const graph::tick* const clock = clock_before(graph, next, thread.position);
  const std::uint32_t newest = newest_position(graph, x);
  for (std::uint32_t position = history_.oldest(x, clock, newest); position < newest; ++position) {
    if (offered(graph, next, position) && harmless(graph, next, clock, position)) return false;
  }
  return true;
}

void WeakReads::complete(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  Event& event = graph[id];
  if (event.reads()) {
    complete_read(execution, id);
  } else {
    if (event.kind == EventKind::choose) event.argument = scheduler_.choose(event.choices);
    write_last(execution, id);
  }
  add(execution, id);
}

void WeakReads::add(Execution& execution, event_id id) {
  if (!weak_) return;
  const Graph& graph = execution.graph();
  const Event& event = graph[id];
  sc_order_.add(id, event);
  if (!event.accesses()) return;
  const std::uint32_t position = event.writes ? event.co_position : graph.position_of(event.source);
  history_.add(event, position, newest_position(graph, event.location));
}

// An old write that the read may take if the SC axiom agrees.
bool WeakReads::offered(const Graph& graph, const Event& read, std::uint32_t position) const {
  const graph::value seen = graph.value_of(graph.write_at(read.location, position), read.location);
  if (read.waits && !read.predicate.holds(seen)) return false;
  return read.kind != EventKind::rmw || !graph::apply(read.operation, seen).writes;
}

bool WeakReads::harmless(const Graph& graph, const Event& read, const graph::tick* clock,
                         std::uint32_t position) const {
  return sc_order_.harmless(clock, order_of_stale(read),
                            graph.write_at(read.location, position + 1));
}

void WeakReads::put_back(Graph& graph, event_id id) {
  if (graph[id].kind != EventKind::rmw || !graph[id].writes) return;
  graph.withdraw(id);
}

bool WeakReads::try_position(Execution& execution, event_id id, std::uint32_t position) {
  Graph& graph = execution.graph();
  const graph::location_id x = graph[id].location;
  const event_id source = graph.write_at(x, position);
  if (position == newest_position(graph, x)) {
    execution.model().take_source(execution.graph(), id, source);
    return true;
  }
  if (!offered(graph, graph[id], position)) return false;
  const graph::tick* const clock = clock_before(graph, graph[id], graph[id].index);
  const bool by_rule = harmless(graph, graph[id], clock, position);
  if (by_rule && !exact_only_) {
    execution.model().take_source(execution.graph(), id, source);
    return true;
  }
  if (graph.size() > exact_events_max) return false;
  execution.model().take_source(execution.graph(), id, source);
  if (execution.model().consistent(graph, id)) {
    exact_only_ = exact_only_ || !by_rule;
    return true;
  }
  put_back(graph, id);
  return false;
}

void WeakReads::complete_read(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  const Event& read = graph[id];
  const graph::location_id x = read.location;
  const std::uint32_t newest = newest_position(graph, x);
  if (!weak_) return execution.model().take_source(execution.graph(), id, graph.co_maximal(x));
  const std::uint32_t oldest = history_.oldest(x, clock_before(graph, read, read.index), newest);
  if (oldest == newest)
    return execution.model().take_source(execution.graph(), id, graph.co_maximal(x));
  if (!scheduler_.enumerates() && !read.waits) {
    const std::uint32_t position = newest - scheduler_.read(newest - oldest + 1);
    if (!try_position(execution, id, position))
      execution.model().take_source(execution.graph(), id, graph.co_maximal(x));
    return;
  }
  // Every number must stand for a write that can be taken: those that cannot are sorted out first.
  const bool exact_only_before = exact_only_;
  positions_.clear();
  for (std::uint32_t position = newest + 1; position-- > oldest;) {
    const graph::value seen = graph.value_of(graph.write_at(x, position), x);
    if (read.waits && !read.predicate.holds(seen)) continue;
    if (position < newest) {
      if (!try_position(execution, id, position)) continue;
      put_back(graph, id);
      exact_only_ = exact_only_before;
    }
    positions_.push_back(position);
  }
  if (positions_.empty())
    return execution.model().take_source(execution.graph(), id, graph.co_maximal(x));
  const auto count = static_cast<std::uint32_t>(positions_.size());
  const bool taken = try_position(execution, id, positions_[scheduler_.read(count)]);
  if (!taken) execution.model().take_source(execution.graph(), id, graph.co_maximal(x));
}

}  // namespace heddle::sim::engine
