#include <heddle/sim/explore/task.hpp>

#include <utility>

namespace heddle::sim::engine {

namespace {

void write(ByteWriter& out, const Item& item) {
  out.number(static_cast<std::uint64_t>(item.kind));
  out.number(item.event);
  out.number(item.length);
  out.number(item.detail);
  out.real(item.weight);
}

Item read_item(ByteReader& in, std::size_t events) {
  Item item;
  const std::uint64_t kind = in.number();
  if (kind > static_cast<std::uint64_t>(Item::Kind::backward_unchecked)) throw DamagedBytes();
  item.kind = static_cast<Item::Kind>(kind);
  item.event = in.number32();
  item.length = in.number32();
  item.detail = in.number32();
  item.weight = in.real();
  if (item.event >= events || item.length > events) throw DamagedBytes();
  return item;
}

}  // namespace

double weight_of(const Task& task) noexcept {
  double weight = task.whole ? 1 : 0;
  for (const Task::Frame& frame : task.frames) {
    for (const Item& item : frame.items) weight += item.weight;
  }
  return weight;
}

std::string write_task(const Task& task) {
  ByteWriter out;
  out.number(task.whole ? 1 : 0);
  write(out, task.names);
  out.number(task.frames.size());
  for (const Task::Frame& frame : task.frames) {
    write(out, frame.graph);
    out.number(frame.items.size());
    for (const Item& item : frame.items) write(out, item);
  }
  return out.take();
}

Task read_task(std::string_view bytes) {
  ByteReader in(bytes);
  Task task;
  task.whole = in.number() != 0;
  task.names = read_names(in);
  task.frames.resize(in.count());
  for (Task::Frame& frame : task.frames) {
    frame.graph = read_structure(in);
    for (std::size_t left = in.count(); left > 0; --left) {
      frame.items.push_back(read_item(in, frame.graph.events.size()));
    }
  }
  if (!in.at_end()) throw DamagedBytes();
  return task;
}

void Tally::add(Tally&& later) {
  if (!failure && later.failure) {
    failure = std::move(later.failure);
    failure->run += runs();
  }
  executions += later.executions;
  blocked += later.blocked;
  failures += later.failures;
  for (const auto& [outcome, count] : later.outcomes) outcomes[outcome] += count;
  if (bound.empty()) bound = std::move(later.bound);
  share += later.share;
}

void write(ByteWriter& out, const Tally& tally) {
  out.number(tally.executions);
  out.number(tally.blocked);
  out.number(tally.failures);
  out.number(tally.outcomes.size());
  for (const auto& [outcome, count] : tally.outcomes) {
    out.number(outcome.size());
    for (const auto& [name, value] : outcome) {
      out.text(name);
      out.signed_number(value);
    }
    out.number(count);
  }
  out.text(tally.bound);
  out.real(tally.share);
  out.number(tally.failure ? 1 : 0);
  if (!tally.failure) return;
  out.number(tally.failure->run);
  out.number(static_cast<std::uint64_t>(tally.failure->kind));
  out.text(tally.failure->message);
  out.text(tally.failure->task);
}

Tally read_tally(ByteReader& in) {
  Tally tally;
  tally.executions = in.number();
  tally.blocked = in.number();
  tally.failures = in.number();
  for (std::size_t left = in.count(); left > 0; --left) {
    Outcome outcome;
    for (std::size_t names = in.count(); names > 0; --names) {
      std::string name(in.text());
      outcome[std::move(name)] = in.signed_number();
    }
    tally.outcomes[std::move(outcome)] = in.number();
  }
  tally.bound = in.text();
  tally.share = in.real();
  if (in.number() == 0) return tally;
  FailureSpot spot;
  spot.run = in.number();
  const std::uint64_t kind = in.number();
  if (kind > static_cast<std::uint64_t>(FailureKind::nondeterminism)) throw DamagedBytes();
  spot.kind = static_cast<FailureKind>(kind);
  spot.message = in.text();
  spot.task = in.text();
  tally.failure = std::move(spot);
  return tally;
}

}  // namespace heddle::sim::engine
