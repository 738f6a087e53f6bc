#include <heddle/sim/explore/exhaustive.hpp>

#include <algorithm>
#include <utility>

namespace heddle::sim::engine {

using graph::ClockRows;
using graph::no_event;
using memory::covers;
using memory::hb_before;
using memory::oldest_visible;
using State = ModelThread::State;

Exhaustive::Exhaustive(const Options& options, const std::function<void()>& body)
    : options_(options), body_(body), execution_(options, body) {}

// ---- Extension: what a new event reads and where it goes. ----

// Writes first: a read that comes last finds its sources there and need not be revisited.
bool Exhaustive::at_once(const Event& next) const { return !next.reads(); }

ModelThread* Exhaustive::pick(Execution& execution) {
  ModelThread* read = nullptr;
  ModelThread* await = nullptr;
  ModelThread* stopped = nullptr;
  const Graph& graph = execution.graph();
  for (auto& thread : execution.threads()) {
    if (!execution.can_go(*thread)) continue;
    if (thread->state == State::runnable) return thread.get();
    const Event& next = thread->next;
    if (!next.reads()) return thread.get();
    if (!next.waits) {
      if (read == nullptr) read = thread.get();
    } else if (next.predicate.holds(
                   graph.value_of(graph.co_maximal(next.location), next.location))) {
      if (await == nullptr) await = thread.get();
    } else if (stopped == nullptr) {
      stopped = thread.get();
    }
  }
  // An await that would stop is added only when nothing else is left: until then a write may come.
  return read != nullptr ? read : await != nullptr ? await : stopped;
}

void Exhaustive::complete(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  Frame& frame = *frames_.back();
  const std::size_t items_before = frame.items.size();
  switch (graph[id].kind) {
    case EventKind::load:
    case EventKind::rmw:
      complete_read(graph, id);
      break;
    case EventKind::store:
      complete_store(graph, id);
      break;
    case EventKind::choose:
      for (std::uint32_t i = graph[id].choices - 1; i > 0; --i) {
        frame.items.push_back({Item::Kind::choice, id, id + 1, i});
      }
      [[fallthrough]];
    default:
      execution.model().compute_clocks(graph, id);
  }
  if (frame.items.size() != items_before) share_weight(frame, items_before);
}

// The new alternatives and what goes on without them are worth the same.
void Exhaustive::share_weight(Frame& frame, std::size_t items_before) {
  auto& items = frame.items;
  weight_ /= static_cast<double>(items.size() - items_before + 1);
  for (std::size_t i = items_before; i < items.size(); ++i) items[i].weight = weight_;
}

void Exhaustive::complete_read(Graph& graph, event_id id) {
  auto& items = frames_.back()->items;
  const Event& event = graph[id];
  const graph::location_id x = event.location;
  const auto newest = static_cast<std::uint32_t>(graph.location(x).co.size());
  const std::uint32_t oldest = oldest_visible(graph, x, hb_before(graph, event));
  for (std::uint32_t position = oldest; position < newest; ++position) {
    const event_id source = graph.write_at(x, position);
    const graph::value seen = graph.value_of(source, x);
    if (event.waits && !event.predicate.holds(seen)) continue;
    if (event.kind == EventKind::rmw && graph::apply(event.operation, seen).writes) {
      const event_id taker = graph.location(x).co[position];
      const Event& other = graph[taker];
      if (other.kind == EventKind::rmw && other.source == source) {
        // Two RMWs of one write. When the other one is settled this cannot be; otherwise the graph
        // is made only for the revisits of it.
        const event_id previous = graph.before(event.thread, event.index);
        const bool in_prefix =
            previous != no_event && covers(graph.clocks().row(previous, ClockRows::porf), other);
        if (!other.revisitable || in_prefix) continue;
      }
    }
    items.push_back({Item::Kind::source, id, id + 1, source});
  }
  execution_.model().take_source(graph, id, graph.co_maximal(x));
  graph[id].base = graph[id].source;
  if (graph[id].writes) revisit_from(graph, id);
}

void Exhaustive::complete_store(Graph& graph, event_id id) {
  auto& items = frames_.back()->items;
  const Event& event = graph[id];
  const auto& co = graph.location(event.location).co;
  const auto end = static_cast<std::uint32_t>(co.size()) + 1;
  const std::uint32_t oldest = oldest_visible(graph, event.location, hb_before(graph, event));
  for (std::uint32_t position = oldest + 1; position < end; ++position) {
    // Nothing goes between an RMW and its source.
    if (graph[co[position - 1]].kind == EventKind::rmw) continue;
    items.push_back({Item::Kind::place, id, id + 1, position});
  }
  graph.place(id, end);
  execution_.model().compute_clocks(graph, id);
  revisit_from(graph, id);
}

void Exhaustive::revisit_from(Graph& graph, event_id write, Item::Kind kind) {
  if (revisit_depth_ == revisits_.size()) revisits_.emplace_back();
  const std::size_t depth = revisit_depth_++;
  find_revisits(graph, write, revisits_[depth]);
  auto& items = frames_.back()->items;
  const auto length = static_cast<std::uint32_t>(graph.size());
  for (const event_id read : revisits_[depth].backward) {
    items.push_back({kind, write, length, read});
  }
  for (std::size_t i = 0; i < revisits_[depth].in_place_reads.size(); ++i) {
    const event_id read = revisits_[depth].in_place_reads[i];
    execution_.model().take_source(graph, read, write);
    Event& event = graph[read];
    event.in_place = write > read;
    if (event.satisfied) execution_.unblock(event.thread);
    if (event.writes) revisit_from(graph, read, kind);
  }
  --revisit_depth_;
}

// ---- Alternatives. ----

// Takes a write out of the graph (its event stays). Awaits that had taken it in place lose it, and
// so do, in turn, those that had taken what they wrote.
void Exhaustive::withdraw(Graph& graph, event_id write) {
  graph.withdraw(write);
  for (const event_id read : graph.location(graph[write].location).reads) {
    if (read != write && graph[read].source == write) orphans_.push_back(read);
  }
}

// Reads that lost their source stop at the newest write again, as they did before.
void Exhaustive::settle_orphans(Graph& graph) {
  for (std::size_t i = 0; i < orphans_.size(); ++i) {
    if (graph[orphans_[i]].writes) withdraw(graph, orphans_[i]);
  }
  std::sort(orphans_.begin(), orphans_.end());
  for (const event_id read : orphans_) {
    execution_.model().take_source(graph, read, graph.co_maximal(graph[read].location));
    Event& event = graph[read];
    event.in_place = event.source < no_event && event.source > read && event.source != event.base;
  }
  orphans_.clear();
}

void Exhaustive::cut(Graph& graph, std::uint32_t length) {
  orphans_.clear();
  graph.cut(length, orphans_);
  settle_orphans(graph);
}

bool Exhaustive::apply_source(Graph& graph, const Item& item) {
  Event& event = graph[item.event];
  if (event.kind == EventKind::rmw && event.writes) {
    withdraw(graph, item.event);
    settle_orphans(graph);
  }
  event.maximal = false;
  event.base = item.detail;
  execution_.model().take_source(graph, item.event, item.detail);
  if (conflicting_rmw(graph, item.event) != no_event) {
    revisit_from(graph, item.event, Item::Kind::backward_unchecked);
    return false;
  }
  if (!execution_.model().consistent(graph, item.event)) return false;
  if (graph[item.event].writes) revisit_from(graph, item.event);
  return true;
}

bool Exhaustive::apply_place(Graph& graph, const Item& item) {
  withdraw(graph, item.event);
  settle_orphans(graph);
  graph[item.event].writes = true;
  graph.place(item.event, item.detail);
  graph[item.event].maximal = false;
  if (!execution_.model().consistent(graph, item.event)) return false;
  revisit_from(graph, item.event);
  return true;
}

Exhaustive::Frame& Exhaustive::push_frame() {
  if (spare_.empty()) {
    frames_.push_back(std::make_unique<Frame>());
  } else {
    frames_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  return *frames_.back();
}

void Exhaustive::pop_frame() {
  spare_.push_back(std::move(frames_.back()));
  frames_.pop_back();
}

bool Exhaustive::apply_backward(const Item& item) {
  const Graph& from = frames_.back()->graph;
  const graph::tick* const prefix = from.clocks().row(item.event, ClockRows::porf);
  Frame& frame = push_frame();
  Graph& graph = frame.graph;
  const event_id read = item.detail;  // keeps its id: everything before it survives
  orphans_.clear();
  const event_id write = from.restrict_to(graph, read, prefix, read, item.event, orphans_);
  settle_orphans(graph);
  for (event_id id = 0; id < graph.size(); ++id) {
    if (covers(prefix, graph[id])) graph[id].revisitable = false;
  }
  Event& event = graph[read];
  if (event.kind == EventKind::rmw) event.writes = false;
  event.in_place = false;
  event.base = write;
  event.maximal = graph.co_maximal(event.location) == write;
  execution_.model().take_source(graph, read, write);
  const event_id changed = item.kind == Item::Kind::backward ? read : no_event;
  if (conflicting_rmw(graph, read) == no_event && !execution_.model().consistent(graph, changed)) {
    pop_frame();
    return false;
  }
  if (conflicting_rmw(graph, read) != no_event) {
    // An await in the copy already took this write in place.
    revisit_from(graph, read, Item::Kind::backward_unchecked);
    return false;
  }
  if (graph[read].writes) revisit_from(graph, read);
  return true;
}

bool Exhaustive::apply(const Item& item) {
  Graph& graph = frames_.back()->graph;
  switch (item.kind) {
    case Item::Kind::source:
      return apply_source(graph, item);
    case Item::Kind::place:
      return apply_place(graph, item);
    case Item::Kind::choice:
      graph[item.event].argument = item.detail;
      graph[item.event].maximal = false;
      return true;
    case Item::Kind::backward:
    case Item::Kind::backward_unchecked:
      break;
  }
  return apply_backward(item);
}

// Makes the graph of an alternative that has just been taken from the last frame; false when there
// is nothing to run.
bool Exhaustive::take(const Item& item) {
  const std::size_t frames = frames_.size();
  const std::size_t left = frames_.back()->items.size();
  cut(frames_.back()->graph, item.length);
  weight_ = item.weight;
  const bool runs = apply(item);
  Frame& frame = *frames_.back();
  const std::size_t before = frames_.size() > frames ? 0 : left;
  if (frame.items.size() > before) share_weight(frame, before);
  return runs;
}

// Moves on to the next graph to run; false when there is none. An alternative that turns out not to
// be consistent is explored with that.
bool Exhaustive::next_graph() {
  while (!frames_.empty()) {
    if (frames_.back()->items.empty()) {
      pop_frame();
      continue;
    }
    const Item item = frames_.back()->items.back();
    frames_.back()->items.pop_back();
    if (take(item)) return true;
    share_ += weight_;
  }
  return false;
}

}  // namespace heddle::sim::engine
