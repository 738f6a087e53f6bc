#include <heddle/sim/memory/rc11.hpp>

#include <algorithm>
#include <limits>

namespace heddle::sim::memory {

using graph::ClockRows;
using graph::Event;
using graph::EventKind;
using graph::is_acquire;
using graph::is_release;
using graph::is_seq_cst;
using graph::join_into;
using graph::no_event;

namespace {

// An acquire fence synchronises with what the relaxed reads before it have read. Reads before an
// earlier acquire fence are covered by that fence.
void join_pending_acquires(Graph& graph, const Event& fence, tick* row) {
  ClockRows& clocks = graph.clocks();
  const auto& order = graph.thread(fence.thread).events;
  for (std::uint32_t i = fence.index; i > 0; --i) {
    const Event& earlier = graph[order[i - 1]];
    if (earlier.kind == EventKind::fence && is_acquire(earlier.order)) break;
    if (!earlier.reads() || earlier.source >= no_event) continue;
    if (graph[earlier.source].releases_nothing) continue;
    join_into(row, clocks.row(earlier.source, ClockRows::release), clocks.width());
  }
}

void compute_release(Graph& graph, event_id id) {
  ClockRows& clocks = graph.clocks();
  Event& event = graph[id];
  const std::size_t width = clocks.width();
  tick* const row = clocks.row(id, ClockRows::release);
  const tick* base = nullptr;
  if (is_release(event.order)) {
    base = clocks.row(id, ClockRows::hb);
  } else if (event.release_fence > 0) {
    const event_id fence = graph.thread(event.thread).events[event.release_fence - 1];
    base = clocks.row(fence, ClockRows::hb);
  }
  event.releases_nothing = base == nullptr;
  if (base != nullptr) graph::copy_row(row, base, width);
  if (event.kind != EventKind::rmw || event.source >= no_event) return;
  if (graph[event.source].releases_nothing) return;
  const tick* const sequence = clocks.row(event.source, ClockRows::release);
  if (event.releases_nothing) {
    graph::copy_row(row, sequence, width);
    event.releases_nothing = false;
  } else {
    join_into(row, sequence, width);
  }
}

}  // namespace

void Rc11::compute_clocks(Graph& graph, event_id id) const {
  compute_porf(graph, id);
  ClockRows& clocks = graph.clocks();
  const Event& event = graph[id];
  const std::size_t width = clocks.width();
  tick* const row = clocks.row(id, ClockRows::hb);
  const event_id previous = graph.before(event.thread, event.index);
  if (previous == no_event) {
    std::fill(row, row + width, 0);
  } else {
    const tick* const base = clocks.row(previous, ClockRows::hb);
    graph::copy_row(row, base, width);
  }
  row[event.thread] = event.index + 1;
  if (event.reads()) {
    if (is_acquire(event.order) && event.source < no_event &&
        !graph[event.source].releases_nothing) {
      join_into(row, clocks.row(event.source, ClockRows::release), width);
    }
  } else if (event.kind == EventKind::fence) {
    if (is_acquire(event.order)) join_pending_acquires(graph, event, row);
  } else if (event.kind == EventKind::join) {
    const auto length = static_cast<std::uint32_t>(graph.thread(event.argument).events.size());
    join_into(row, clocks.row(graph.before(event.argument, length), ClockRows::hb), width);
    row[event.argument] = length + 1;
  }
  if (event.writes) compute_release(graph, id);
}

// An event without successors in its thread adds no edge from any SC event but itself, if it is
// one, and the SC fences before it: a new cycle goes through one of those.
bool Rc11::consistent(const Graph& graph, event_id changed) const {
  collect(graph);
  if (nodes_.size() < 2) return true;
  const auto count = static_cast<std::uint32_t>(nodes_.size());
  colour_.assign(count, 0);
  const tick* const before =
      changed == no_event ? nullptr : graph.clocks().row(changed, ClockRows::hb);
  for (std::uint32_t root = 0; root < count; ++root) {
    const Node& node = nodes_[root];
    const bool new_edges = before == nullptr || node.event == changed ||
                           (node.fence != not_a_fence && covers(before, graph[node.event]));
    if (new_edges && cycle_from(graph, root)) return false;
  }
  return true;
}

void Rc11::collect(const Graph& graph) const {
  nodes_.clear();
  std::uint32_t fences = 0;
  for (event_id id = 0; id < graph.size(); ++id) {
    const Event& event = graph[id];
    if (!is_seq_cst(event.order)) continue;
    if (event.kind == EventKind::fence) {
      nodes_.push_back({id, 0, no_event, no_event, fences++});
    } else if (event.accesses()) {
      const std::uint32_t rank = event.writes ? event.co_position : graph.position_of(event.source);
      const auto& order = graph.thread(event.thread).events;
      // Fences and thread events have no location, hence another one.
      const auto elsewhere = [&](event_id other) {
        return !graph[other].accesses() || graph[other].location != event.location;
      };
      event_id after = no_event;
      for (std::uint32_t i = event.index + 1; i < order.size() && after == no_event; ++i) {
        if (elsewhere(order[i])) after = order[i];
      }
      event_id before = no_event;
      for (std::uint32_t i = event.index; i > 0 && before == no_event; --i) {
        if (elsewhere(order[i - 1])) before = order[i - 1];
      }
      nodes_.push_back({id, rank, after, before, not_a_fence});
    }
  }
  if (fences_.size() < fences) fences_.resize(fences);
  for (std::uint32_t i = 0; i < fences; ++i) fences_[i].summarised = false;
  if (fences > 0) collect_written(graph);
}

// Where nobody writes, all ranks are 0 and no edge comes about.
void Rc11::collect_written(const Graph& graph) const {
  written_.clear();
  place_.assign(graph.locations(), not_written);
  for (graph::location_id x = 0; x < graph.locations(); ++x) {
    if (graph.location(x).co.empty()) continue;
    place_[x] = static_cast<std::uint32_t>(written_.size());
    written_.push_back(x);
  }
}

// rank(write) is its place in modification order, rank(read) that of its source; extended coherence
// order on one location is a comparison of ranks. A read-modify-write has both ranks.
const Rc11::Fence& Rc11::summary(const Graph& graph, const Node& node) const {
  constexpr std::uint32_t unset = std::numeric_limits<std::uint32_t>::max();
  Fence& fence = fences_[node.fence];
  if (fence.summarised) return fence;
  fence.summarised = true;
  fence.ranks.clear();
  const Event& self = graph[node.event];
  const tick* const before = graph.clocks().row(node.event, ClockRows::hb);
  const auto comes_after = [&](event_id id) {
    return covers(graph.clocks().row(id, ClockRows::hb), self);
  };
  for (const graph::location_id x : written_) {
    Fence::Ranks ranks{unset, unset, 0, 0};
    const auto& location = graph.location(x);
    for (const event_id write : location.co) {
      if (!comes_after(write)) continue;
      ranks.low = ranks.low_write = graph[write].co_position;
      break;
    }
    for (std::size_t i = location.co.size(); i > 0; --i) {
      const Event& write = graph[location.co[i - 1]];
      if (!covers(before, write)) continue;
      ranks.high_write = write.co_position;
      break;
    }
    for (const event_id id : location.reads) {
      const Event& read = graph[id];
      const std::uint32_t rank = graph.position_of(read.source);
      if (rank < ranks.low && comes_after(id)) ranks.low = rank;
      if (rank > ranks.high_read && covers(before, read)) ranks.high_read = rank;
    }
    fence.ranks.push_back(ranks);
  }
  return fence;
}

bool Rc11::edge(const Graph& graph, const Node& from, const Node& to) const {
  const Event& a = graph[from.event];
  const Event& b = graph[to.event];
  const auto hb = [&](event_id first, event_id second) {
    return covers(graph.clocks().row(second, ClockRows::hb), graph[first]);
  };
  const bool a_fence = from.fence != not_a_fence;
  const bool b_fence = to.fence != not_a_fence;
  if (hb(from.event, to.event)) {
    // hb alone orders two accesses only in po or on one location.
    if (a_fence || b_fence || a.thread == b.thread || a.location == b.location) return true;
  }
  if (a_fence && b_fence) {
    const Fence& first = summary(graph, from);
    const Fence& second = summary(graph, to);
    for (std::size_t i = 0; i < written_.size(); ++i) {
      const Fence::Ranks& mine = first.ranks[i];
      const Fence::Ranks& other = second.ranks[i];
      if (mine.low < std::max(other.high_write, other.high_read)) return true;
      if (mine.low_write <= other.high_read) return true;
    }
    return false;
  }
  if (a_fence) return b.writes && summary(graph, from).ranks[place_[b.location]].low < to.rank;
  if (b_fence) {
    const std::uint32_t place = place_[a.location];
    return place != not_written && summary(graph, to).ranks[place].high_write > from.rank;
  }
  if (a.location == b.location && b.writes && from.rank < to.rank) return true;
  return from.first_after != no_event && to.last_before != no_event &&
         hb(from.first_after, to.last_before);
}

bool Rc11::cycle_from(const Graph& graph, std::uint32_t root) const {
  enum : std::uint8_t { fresh, open, done };
  if (colour_[root] != fresh) return false;
  const auto count = static_cast<std::uint32_t>(nodes_.size());
  stack_.assign({root, 0});
  colour_[root] = open;
  while (!stack_.empty()) {
    const std::uint32_t node = stack_[stack_.size() - 2];
    const std::uint32_t next = stack_.back()++;
    if (next == count) {
      colour_[node] = done;
      stack_.resize(stack_.size() - 2);
      continue;
    }
    if (next == node || colour_[next] == done || !edge(graph, nodes_[node], nodes_[next])) continue;
    if (colour_[next] == open) return true;
    colour_[next] = open;
    stack_.push_back(next);
    stack_.push_back(0);
  }
  return false;
}

}  // namespace heddle::sim::memory
