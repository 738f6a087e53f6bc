#include <heddle/sim/explore/structure.hpp>

#include <utility>

namespace heddle::sim::engine {

using graph::event_id;
using graph::EventKind;

namespace {

constexpr unsigned flag_writes = 1;
constexpr unsigned flag_revisitable = 2;
constexpr unsigned flag_maximal = 4;
constexpr unsigned flag_in_place = 8;
constexpr unsigned flag_waits = 16;

// The two ids that are no events are the largest numbers; as small ones they take a byte.
std::uint64_t packed(event_id id) noexcept {
  return static_cast<std::uint32_t>(id + 2);  // no_event: 0, from_initial: 1
}
event_id unpacked(std::uint32_t number) noexcept { return number - 2; }

}  // namespace

Names names_of(const Naming& naming) {
  Names names;
  for (std::size_t t = 0; t < naming.threads(); ++t) {
    names.threads.push_back(naming.origin_of_thread(static_cast<graph::thread_id>(t)));
  }
  for (std::size_t x = 0; x < naming.locations(); ++x) {
    names.locations.push_back(naming.origin_of_location(static_cast<graph::location_id>(x)));
  }
  return names;
}

GraphStructure structure_of(const graph::Graph& graph) {
  GraphStructure structure;
  structure.events.reserve(graph.size());
  for (event_id id = 0; id < graph.size(); ++id) {
    const graph::Event& event = graph[id];
    EventStructure one;
    one.kind = event.kind;
    one.writes = event.writes;
    one.revisitable = event.revisitable;
    one.maximal = event.maximal;
    one.in_place = event.in_place;
    one.waits = event.waits;
    one.thread = event.thread;
    one.location = event.accesses() ? event.location : 0;
    one.source = event.source;
    one.base = event.base;
    one.argument = event.argument;
    structure.events.push_back(one);
  }
  structure.co.resize(graph.locations());
  for (graph::location_id x = 0; x < graph.locations(); ++x) {
    structure.co[x] = graph.location(x).co;
  }
  return structure;
}

void renumber(GraphStructure& structure, const Names& names, Naming& naming) {
  // Numbers are given out in the order of first sight, so an origin's own numbers come before it.
  std::vector<graph::thread_id> threads{0};
  for (std::size_t t = 1; t < names.threads.size(); ++t) {
    const Naming::Origin& origin = names.threads[t];
    if (origin.thread >= t) throw DamagedBytes();
    threads.push_back(naming.child(threads[origin.thread], origin.ordinal));
  }
  std::vector<graph::location_id> locations{0};
  for (std::size_t x = 1; x < names.locations.size(); ++x) {
    const Naming::Origin& origin = names.locations[x];
    if (origin.thread >= threads.size()) throw DamagedBytes();
    locations.push_back(naming.location_of({threads[origin.thread], origin.ordinal}));
  }
  for (EventStructure& event : structure.events) {
    if (event.thread >= threads.size() || event.location >= locations.size()) throw DamagedBytes();
    event.thread = threads[event.thread];
    event.location = locations[event.location];
    if (event.kind == EventKind::spawn || event.kind == EventKind::join) {
      if (event.argument >= threads.size()) throw DamagedBytes();
      event.argument = threads[event.argument];
    }
  }
  std::vector<std::vector<event_id>> co;
  for (std::size_t x = 0; x < structure.co.size(); ++x) {
    if (structure.co[x].empty()) continue;
    if (x >= locations.size()) throw DamagedBytes();
    if (locations[x] >= co.size()) co.resize(locations[x] + 1);
    co[locations[x]] = std::move(structure.co[x]);
  }
  structure.co = std::move(co);
}

void write(ByteWriter& out, const Names& names) {
  for (const auto* origins : {&names.threads, &names.locations}) {
    out.number(origins->size());
    for (const Naming::Origin& origin : *origins) {
      out.number(origin.thread);
      out.number(origin.ordinal);
    }
  }
}

Names read_names(ByteReader& in) {
  Names names;
  for (auto* origins : {&names.threads, &names.locations}) {
    for (std::size_t left = in.count(); left > 0; --left) {
      const std::uint32_t thread = in.number32();
      origins->push_back({thread, in.number32()});
    }
  }
  return names;
}

void write(ByteWriter& out, const GraphStructure& structure) {
  out.number(structure.events.size());
  for (const EventStructure& event : structure.events) {
    out.number(static_cast<std::uint64_t>(event.kind));
    out.number((event.writes ? flag_writes : 0U) | (event.revisitable ? flag_revisitable : 0U) |
               (event.maximal ? flag_maximal : 0U) | (event.in_place ? flag_in_place : 0U) |
               (event.waits ? flag_waits : 0U));
    out.number(event.thread);
    out.number(event.location);
    out.number(packed(event.source));
    out.number(packed(event.base));
    out.number(event.argument);
  }
  out.number(structure.co.size());
  for (const auto& writes : structure.co) {
    out.number(writes.size());
    for (const event_id write : writes) out.number(write);
  }
}

GraphStructure read_structure(ByteReader& in) {
  GraphStructure structure;
  structure.events.resize(in.count());
  const std::size_t size = structure.events.size();
  for (EventStructure& event : structure.events) {
    const std::uint64_t kind = in.number();
    if (kind > static_cast<std::uint64_t>(EventKind::join)) throw DamagedBytes();
    event.kind = static_cast<EventKind>(kind);
    const std::uint64_t flags = in.number();
    event.writes = (flags & flag_writes) != 0;
    event.revisitable = (flags & flag_revisitable) != 0;
    event.maximal = (flags & flag_maximal) != 0;
    event.in_place = (flags & flag_in_place) != 0;
    event.waits = (flags & flag_waits) != 0;
    event.thread = in.number32();
    event.location = in.number32();
    event.source = unpacked(in.number32());
    event.base = unpacked(in.number32());
    event.argument = in.number32();
    const bool reads = event.kind == EventKind::load || event.kind == EventKind::rmw;
    const bool known = event.source < size || event.source == graph::from_initial;
    if (reads && !known) throw DamagedBytes();
  }
  structure.co.resize(in.count());
  for (auto& writes : structure.co) {
    for (std::size_t left = in.count(); left > 0; --left) {
      writes.push_back(in.number32());
      if (writes.back() >= size || !structure.events[writes.back()].writes) throw DamagedBytes();
    }
  }
  return structure;
}

}  // namespace heddle::sim::engine
