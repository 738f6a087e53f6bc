#include <heddle/sim/explore/revisit.hpp>

namespace heddle::sim::engine {

using graph::Event;
using graph::event_id;
using graph::EventKind;
using graph::Graph;
using graph::no_event;
using memory::covers;

namespace {

// What survives a revisit of `read` by a write with the porf clock `prefix`.
struct Survivors {
  const Graph& graph;
  event_id read;
  const graph::tick* prefix;

  bool event(event_id id) const noexcept { return id <= read || covers(prefix, graph[id]); }
  /// The write part of the read itself (an RMW) is deleted: it will write something else. So is the
  /// write part of an RMW that stays but took its source in place from what is deleted.
  bool write(event_id id) const noexcept {
    while (true) {
      if (id == read || !event(id)) return false;
      const Event& e = graph[id];
      if (e.kind != EventKind::rmw || e.source >= no_event) return true;
      id = e.source;
    }
  }
};

// No write that survives stands after `source` in modification order, but for `w` itself.
bool newest_among_survivors(const Survivors& kept, event_id source, graph::location_id location,
                            event_id w) noexcept {
  const auto& co = kept.graph.location(location).co;
  for (std::uint32_t p = kept.graph.position_of(source); p < co.size(); ++p) {
    if (co[p] != w && kept.write(co[p])) return false;
  }
  return true;
}

bool added_maximally(const Survivors& kept, event_id id, event_id w) noexcept {
  const Event& event = kept.graph[id];
  if (!event.maximal) return false;
  if (!event.accesses()) return true;
  const event_id seen = event.reads() ? event.source : id;
  if (!newest_among_survivors(kept, seen, event.location, w)) return false;
  const bool revisited_by_deleted = event.reads() && !event.in_place && event.source < no_event &&
                                    event.source > id && !kept.event(event.source);
  return !revisited_by_deleted;
}

// A stopped await has no successors, so it may take the write without deleting anything, unless a
// graph that reads the write in the ordinary way exists elsewhere.
bool takes_in_place(const Graph& graph, event_id id, event_id w,
                    const graph::tick* prefix) noexcept {
  const Event& read = graph[id];
  if (read.satisfied || !read.maximal || !read.revisitable) return false;
  const Survivors kept{graph, id, prefix};
  if (!newest_among_survivors(kept, read.source, read.location, w)) return false;
  return read.in_place || read.source >= no_event || read.source < id || kept.event(read.source);
}

}  // namespace

event_id conflicting_rmw(const Graph& graph, event_id id) noexcept {
  const Event& event = graph[id];
  if (event.kind != EventKind::rmw || !event.writes) return no_event;
  const auto& co = graph.location(event.location).co;
  if (event.co_position >= co.size()) return no_event;
  const event_id next = co[event.co_position];
  return graph[next].kind == EventKind::rmw && graph[next].source == event.source ? next : no_event;
}

bool maximal_extension(const Graph& graph, event_id read, event_id write) {
  const Event& w = graph[write];
  const graph::tick* const prefix = graph.clocks().row(write, graph::ClockRows::porf);
  const Survivors kept{graph, read, prefix};
  for (event_id id = read; id < graph.size(); ++id) {
    if (id != read && covers(prefix, graph[id])) continue;
    if (!added_maximally(kept, id, write)) return false;
  }
  if (w.kind == EventKind::rmw) return true;
  const auto& co = graph.location(w.location).co;
  return w.co_position == co.size() || kept.write(co[w.co_position]);
}

void find_revisits(const Graph& graph, event_id id, RevisitSet& found) {
  found.backward.clear();
  found.in_place_reads.clear();
  const Event& w = graph[id];
  const graph::tick* const prefix = graph.clocks().row(id, graph::ClockRows::porf);
  const auto& location = graph.location(w.location);
  const bool co_maximal = w.co_position == location.co.size();
  const event_id conflict = conflicting_rmw(graph, id);
  unsigned stopped_rmws = 0;
  for (const event_id read : location.reads) {
    const Event& r = graph[read];
    if (!r.satisfied && r.kind == EventKind::rmw) ++stopped_rmws;
  }
  for (std::size_t i = location.reads.size(); i > 0; --i) {
    const event_id read = location.reads[i - 1];
    const Event& r = graph[read];
    if (read == id || !r.revisitable || covers(prefix, r)) continue;
    if (conflict != no_event && read > conflict) continue;
    // Two stopped read-modify-writes exclude each other; the ordinary way keeps them apart.
    if (co_maximal && (r.kind != EventKind::rmw || stopped_rmws == 1) && conflict == no_event &&
        takes_in_place(graph, read, id, prefix)) {
      found.in_place_reads.push_back(read);
      continue;
    }
    if (!co_maximal) {
      const auto oldest = memory::oldest_visible(graph, r.location, memory::hb_before(graph, r));
      if (oldest > w.co_position) continue;
    }
    // Of the values that an await does not accept only the newest counts: with any of them its
    // thread stands in the same place.
    if (r.waits && !r.predicate.holds(w.written) &&
        !newest_among_survivors({graph, read, prefix}, id, w.location, id)) {
      continue;
    }
    if (!maximal_extension(graph, read, id)) break;
    found.backward.push_back(read);
  }
}

}  // namespace heddle::sim::engine
