#include <heddle/sim/graph/graph.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace heddle::sim::graph {

void Graph::ensure_thread(thread_id t) {
  if (t < threads_.size()) return;
  threads_.resize(t + 1);
  clocks_.reserve_threads(t + 1, events_.size());
}

event_id Graph::append(const Event& event) {
  const auto id = static_cast<event_id>(events_.size());
  events_.push_back(event);
  Event& added = events_.back();
  ThreadEvents& thread = threads_[event.thread];
  added.index = static_cast<std::uint32_t>(thread.events.size());
  thread.events.push_back(id);
  clocks_.reserve_events(events_.size());
  if (added.reads()) locations_[added.location].reads.push_back(id);
  if (added.kind == EventKind::spawn) {
    ensure_thread(added.argument);
    threads_[added.argument].spawned_by = id;
  } else if (added.kind == EventKind::join) {
    threads_[added.argument].joined_by = id;
  }
  return id;
}

void Graph::set_source(event_id read, event_id source) noexcept {
  Event& event = events_[read];
  event.source = source;
  event.read = value_of(source, event.location);
  event.satisfied = !event.waits || event.predicate.holds(event.read);
  if (event.kind != EventKind::rmw) return;
  const RmwEffect effect = apply(event.operation, event.read);
  event.writes = effect.writes && event.satisfied;
  event.order = event.writes ? event.order_success : event.order_failure;
  event.written = effect.written;
}

void Graph::place(event_id write, std::uint32_t position) {
  auto& co = locations_[events_[write].location].co;
  co.insert(co.begin() + (position - 1), write);
  for (std::size_t i = position - 1; i < co.size(); ++i) {
    events_[co[i]].co_position = static_cast<std::uint32_t>(i + 1);
  }
}

void Graph::unplace(event_id write) {
  Event& event = events_[write];
  auto& co = locations_[event.location].co;
  co.erase(co.begin() + (event.co_position - 1));
  for (std::size_t i = event.co_position - 1; i < co.size(); ++i) {
    events_[co[i]].co_position = static_cast<std::uint32_t>(i + 1);
  }
  event.co_position = 0;
}

void Graph::cut(std::size_t count, std::vector<event_id>& orphans) {
  for (std::size_t i = events_.size(); i > count; --i) {
    const Event& event = events_[i - 1];
    threads_[event.thread].events.pop_back();
    if (event.kind == EventKind::spawn) threads_[event.argument].spawned_by = no_event;
    if (event.kind == EventKind::join) threads_[event.argument].joined_by = no_event;
    if (!event.accesses()) continue;
    LocationEvents& location = locations_[event.location];
    if (event.writes) {
      for (const event_id read : location.reads) {
        if (read >= count) break;
        if (events_[read].source == i - 1) orphans.push_back(read);
      }
      unplace(static_cast<event_id>(i - 1));
    }
    if (event.reads()) location.reads.pop_back();
  }
  events_.resize(count);
}

event_id Graph::restrict_to(Graph& out, event_id last, const tick* prefix, event_id dropped_write,
                            event_id tracked, std::vector<event_id>& orphans) const {
  out.clear();
  out.threads_.resize(threads_.size());
  out.locations_.resize(locations_.size());
  out.clocks_.adopt_width(clocks_.width());
  auto& renamed = out.renamed_;
  renamed.assign(events_.size(), no_event);
  event_id tracked_id = no_event;
  for (event_id id = 0; id < events_.size(); ++id) {
    const Event& event = events_[id];
    if (id > last && prefix[event.thread] <= event.index) continue;
    const auto fresh = static_cast<event_id>(out.events_.size());
    renamed[id] = fresh;
    if (id == tracked) tracked_id = fresh;
    out.events_.push_back(event);
    out.threads_[event.thread].events.push_back(fresh);
    if (event.kind == EventKind::spawn) out.threads_[event.argument].spawned_by = fresh;
    if (event.kind == EventKind::join) out.threads_[event.argument].joined_by = fresh;
    if (event.reads()) out.locations_[event.location].reads.push_back(fresh);
  }
  out.clocks_.reserve_events(out.events_.size());
  // The write part of an RMW goes with its source, which stands directly before it.
  auto& written = out.written_;
  written.assign(events_.size(), 0);
  for (location_id x = 0; x < locations_.size(); ++x) {
    LocationEvents& location = out.locations_[x];
    location.initial = locations_[x].initial;
    for (const event_id write : locations_[x].co) {
      const Event& event = events_[write];
      const bool sourceless =
          event.kind == EventKind::rmw && event.source < no_event && written[event.source] == 0;
      if (renamed[write] == no_event || write == dropped_write) continue;
      if (sourceless) {
        out.events_[renamed[write]].writes = false;
        continue;
      }
      written[write] = 1;
      location.co.push_back(renamed[write]);
      out.events_[renamed[write]].co_position = static_cast<std::uint32_t>(location.co.size());
    }
  }
  for (event_id id = 0; id < events_.size(); ++id) {
    if (renamed[id] == no_event) continue;
    out.clocks_.copy_event(renamed[id], clocks_, id);
    Event& event = out.events_[renamed[id]];
    if (!event.reads()) continue;
    if (event.base < no_event)
      event.base = written[event.base] != 0 ? renamed[event.base] : no_event;
    if (event.source >= no_event) continue;
    if (written[event.source] != 0) {
      event.source = renamed[event.source];
    } else {
      event.source = no_event;
      if (id != dropped_write) orphans.push_back(renamed[id]);
    }
  }
  return tracked_id;
}

void Graph::clear() noexcept {
  events_.clear();
  for (ThreadEvents& thread : threads_) {
    thread.events.clear();
    thread.spawned_by = no_event;
    thread.joined_by = no_event;
  }
  for (LocationEvents& location : locations_) {
    location.co.clear();
    location.reads.clear();
  }
}

namespace {

[[noreturn]] void broken(const std::string& invariant, event_id id) {
  throw std::logic_error("execution graph: " + invariant + " (event " + std::to_string(id) + ")");
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t data) noexcept {
  hash ^= data + 0x9e37'79b9'7f4a'7c15 + (hash << 6) + (hash >> 2);
  hash *= 0xff51'afd7'ed55'8ccd;
  return hash ^ (hash >> 33);
}

}  // namespace

void Graph::validate() const {
  for (event_id id = 0; id < events_.size(); ++id) {
    const Event& event = events_[id];
    const auto& order = threads_[event.thread].events;
    if (event.index >= order.size() || order[event.index] != id) broken("G1 id is stamp", id);
    if (event.index > 0 && order[event.index - 1] >= id) broken("G2 ids grow in po", id);
    if (event.writes) {
      const auto& co = locations_[event.location].co;
      if (event.co_position == 0 || event.co_position > co.size() ||
          co[event.co_position - 1] != id) {
        broken("G3 co position", id);
      }
    }
    if (event.reads()) {
      if (event.source == no_event) broken("read without source", id);
      if (event.source != from_initial) {
        if (event.source >= events_.size() || !events_[event.source].writes ||
            events_[event.source].location != event.location) {
          broken("dangling source", id);
        }
      }
      if (event.writes && event.co_position != position_of(event.source) + 1) {
        broken("G4 RMW follows its source", id);
      }
    }
  }
  for (const LocationEvents& location : locations_) {
    if (!std::is_sorted(location.reads.begin(), location.reads.end())) broken("G5 reads", 0);
  }
}

std::uint64_t Graph::hash() const {
  // Threads and locations are numbered by who made them and in which order, so the numbers are the
  // same whenever the same thing happens; ids are not and are translated to (thread, index).
  const auto name = [this](event_id id) -> std::uint64_t {
    if (id >= no_event) return id;
    return (std::uint64_t{events_[id].thread} << 32) | events_[id].index;
  };
  std::uint64_t hash = 0x51ed'270b;
  for (const ThreadEvents& thread : threads_) {
    hash = mix(hash, 0xabcd);
    for (const event_id id : thread.events) {
      const Event& event = events_[id];
      hash =
          mix(hash, static_cast<std::uint64_t>(event.kind) | (std::uint64_t{event.location} << 8));
      hash = mix(hash, event.reads() ? name(event.source) : event.argument);
      hash = mix(hash, event.writes ? event.written.low + 1 : 0);
    }
  }
  for (const LocationEvents& location : locations_) {
    hash = mix(hash, 0xef01);
    for (const event_id id : location.co) hash = mix(hash, name(id));
  }
  return hash;
}

}  // namespace heddle::sim::graph
