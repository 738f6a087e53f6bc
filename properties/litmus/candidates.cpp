#include "candidates.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>

namespace heddle::litmus {

namespace {

bool acquires(std::memory_order order) noexcept {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

bool satisfies(const Operation& operation, std::int64_t value) noexcept {
  switch (operation.kind) {
    case Kind::await_equal:
    case Kind::assume_equal:
      return value == operation.value;
    case Kind::await_not_equal:
      return value != operation.value;
    case Kind::lock:
      return value == 0;
    default:
      return true;
  }
}

/// What the operation writes after it has read `value` (stores read nothing); nothing: no write.
std::optional<std::int64_t> written(const Operation& operation, std::int64_t value) noexcept {
  switch (operation.kind) {
    case Kind::store:
    case Kind::exchange:
    case Kind::lock:
    case Kind::unlock:
      return operation.value;
    case Kind::fetch_add:
      return value + operation.value;
    case Kind::compare_exchange:
      if (value == operation.expected) return operation.value;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

Candidates::Candidates(const Program& program, const std::vector<std::size_t>& stops, Model model,
                       Pruning pruning)
    : model_(model), pruning_(pruning), threads_(program.threads.size()) {
  assert(stops.size() == program.threads.size());
  locations_ =
      used_locations(program, integer_locations) + used_locations(program, mutex_locations);
  lay_out(program, stops);
  order_.resize(locations_.size());
  unplaced_.resize(locations_.size());
}

void Candidates::lay_out(const Program& program, const std::vector<std::size_t>& stops) {
  int next = static_cast<int>(locations_.size());
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    for (std::size_t i = 0; i < thread.size() && i <= stops[t]; ++i) {
      Step step;
      step.operation = thread[i];
      step.thread = static_cast<int>(t);
      step.pending = i == stops[t];
      assert(!step.pending || waits(step.operation.kind));
      if (reads(step.operation.kind)) step.read_event = next++;
      if (may_write(step.operation.kind)) step.write_event = next++;
      if (step.read_event < 0 && step.write_event < 0) step.other_event = next++;
      if (step.write_event >= 0) writer_[step.write_event] = steps_.size();
      steps_.push_back(step);
    }
  }
  if (next > events_max) throw std::invalid_argument("literal checker: more than 32 events");
}

void Candidates::for_each(const std::function<void()>& visit) {
  visit_ = &visit;
  choose_sources();
  visit_ = nullptr;
}

/// The read that is given a source next; steps_.size() when all have one. Any order visits the same
/// candidates. This one first asks for what a chosen source needs to have a value, because
/// contradictions show only between known values.
std::size_t Candidates::next_reader() const {
  for (const Step& step : steps_) {
    const Step* waiting = &step;
    // A chain longer than the program is a cycle of values; choose_sources() drops it at the end.
    for (std::size_t link = 0; link < steps_.size(); ++link) {
      if (waiting->source < static_cast<int>(locations_.size())) break;
      const Step& source = steps_[writer_.at(waiting->source)];
      if (source.read_event >= 0 && source.source < 0) {
        return static_cast<std::size_t>(&source - steps_.data());
      }
      waiting = &source;
    }
  }
  std::size_t index = 0;
  while (index < steps_.size() &&
         (steps_[index].pending || steps_[index].read_event < 0 || steps_[index].source >= 0)) {
    ++index;
  }
  return index;
}

void Candidates::choose_sources() {
  const std::size_t index = next_reader();
  if (index == steps_.size()) {
    if (!evaluate() || !all_known()) return;  // not known: values that depend on themselves
    build_graph();
    choose_order(0);
    return;
  }
  Step& reader = steps_[index];
  std::vector<int> sources;
  sources.push_back(static_cast<int>(locations_.find(reader.operation.location)));
  for (const auto& [event, writer] : writer_) {
    const Step& step = steps_[writer];
    if (writer != index && !step.pending && step.operation.location == reader.operation.location) {
      sources.push_back(event);
    }
  }
  for (const int source : sources) {
    reader.source = source;
    if (!evaluate()) continue;
    if (pruning_ == Pruning::partial) {
      build_graph();
      if (!may_continue()) continue;
    }
    choose_sources();
  }
  reader.source = -1;
}

/// Values of all steps as far as the chosen sources give them. False when they contradict: an
/// await reads the wrong value, or a read takes the value of a compare_exchange that failed.
bool Candidates::evaluate() {
  for (Step& step : steps_) step.forget();
  for (bool progress = true; progress;) {
    progress = false;
    for (Step& step : steps_) {
      if (!step.pending && !evaluate_step(step, progress)) return false;
    }
  }
  return true;
}

bool Candidates::evaluate_step(Step& step, bool& progress) {
  if (step.wrote || step.value_read.has_value()) return true;
  std::int64_t value = 0;
  if (step.read_event >= 0) {
    if (step.source < 0) return true;
    if (step.source >= static_cast<int>(locations_.size())) {
      const Step& source = steps_[writer_.at(step.source)];
      const bool known = source.wrote || source.value_read.has_value();
      if (!known) return true;
      if (!source.wrote) return false;
      value = *source.value_written;
    }
    if (!satisfies(step.operation, value)) return false;
    step.value_read = value;
    progress = true;
  } else if (step.write_event < 0) {
    return true;
  }
  step.value_written = written(step.operation, value);
  step.wrote = step.value_written.has_value();
  progress = progress || step.wrote;
  return true;
}

bool Candidates::all_known() const {
  for (const Step& step : steps_) {
    if (!step.pending && step.read_event >= 0 && !step.value_read.has_value()) return false;
  }
  return true;
}

/// True when the step writes in every candidate that the sources chosen so far allow. As long as
/// its value is unknown, a compare_exchange is taken to write only where a read already relies on
/// it.
bool Candidates::surely_writes(const Step& step) const {
  if (step.write_event < 0 || step.pending) return false;
  if (step.wrote || step.value_read.has_value()) return step.wrote;
  if (step.operation.kind != Kind::compare_exchange) return true;
  return std::any_of(steps_.begin(), steps_.end(),
                     [&](const Step& reader) { return reader.source == step.write_event; });
}

/// The graph of what is certain, without an order of writes.
void Candidates::build_graph() {
  graph_ = Graph{};
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    graph_.writes |= only(static_cast<int>(i));
    graph_.location[i] = locations_[i];
  }
  for (const Step& step : steps_) {
    if (!step.pending) add_events(graph_, step, surely_writes(step));
  }
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    order_[i].clear();
    unplaced_[i] = 0;
    for (const auto& [event, writer] : writer_) {
      const Step& step = steps_[writer];
      if (surely_writes(step) && step.operation.location == locations_[i]) {
        unplaced_[i] |= only(event);
      }
    }
  }
  add_order(graph_);
}

void Candidates::add_events(Graph& graph, const Step& step, bool writes) const {
  // Events of a thread are numbered in program order.
  const auto add = [&](int event, EventSet& kind) {
    kind |= only(event);
    graph.location[event] = step.operation.location;
    for (int before = 0; before < static_cast<int>(locations_.size()); ++before) {
      graph.po.add(before, event);
    }
    for (const Step& earlier : steps_) {
      if (earlier.thread != step.thread) continue;
      for (const int other : {earlier.read_event, earlier.write_event, earlier.other_event}) {
        const EventSet present = graph.reads | graph.writes | graph.fences | graph.cells;
        if (other >= 0 && other < event && (present & only(other)) != 0) graph.po.add(other, event);
      }
    }
  };
  const Operation& operation = step.operation;
  if (step.read_event >= 0) {
    add(step.read_event, graph.reads);
    const std::memory_order order = operation.order;
    if (acquires(order)) graph.acquire |= only(step.read_event);
    if (order == std::memory_order_seq_cst) graph.seq_cst |= only(step.read_event);
    if (step.source >= 0) graph.rf.add(step.source, step.read_event);
  }
  if (writes) {
    add(step.write_event, graph.writes);
    if (releases(operation.order)) graph.release |= only(step.write_event);
    if (operation.order == std::memory_order_seq_cst) graph.seq_cst |= only(step.write_event);
    if (step.read_event >= 0) graph.rmw.add(step.read_event, step.write_event);
  }
  if (operation.kind == Kind::fence) {
    add(step.other_event, graph.fences);
    if (acquires(operation.order)) graph.acquire |= only(step.other_event);
    if (releases(operation.order)) graph.release |= only(step.other_event);
    if (operation.order == std::memory_order_seq_cst) graph.seq_cst |= only(step.other_event);
  }
  if (is_cell(operation.kind)) {
    add(step.other_event, graph.cells);
    if (operation.kind == Kind::cell_write) graph.cell_writes |= only(step.other_event);
  }
}

/// co as far as chosen: the initial write, then the placed ones in their order, then (in no order
/// yet) the rest.
void Candidates::add_order(Graph& graph) const {
  graph.co = Relation{};
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    EventSet later = unplaced_[i];
    for (auto write = order_[i].rbegin(); write != order_[i].rend(); ++write) {
      graph.co = graph.co | Relation::product(only(*write), later);
      later |= only(*write);
    }
    graph.co = graph.co | Relation::product(only(static_cast<int>(i)), later);
  }
}

void Candidates::choose_order(std::size_t location) {
  while (location < locations_.size() && unplaced_[location] == 0) ++location;
  add_order(graph_);
  if (location == locations_.size()) {
    if (consistent(graph_, model_)) (*visit_)();
    return;
  }
  if (!may_continue()) return;
  for (EventSet rest = unplaced_[location]; rest != 0; rest &= rest - 1) {
    const EventSet write = rest & (~rest + 1);
    unplaced_[location] &= ~write;
    order_[location].push_back(std::countr_zero(write));
    choose_order(location);
    order_[location].pop_back();
    unplaced_[location] |= write;
  }
}

/// False when no completion of the graph is consistent: when the part already is not, or when
/// atomicity cannot hold in any order of the writes. Each read-modify-write has to come right after
/// what it reads: so after it, and no two of them after the same write.
bool Candidates::may_continue() const {
  if (pruning_ == Pruning::none) return true;
  const Relation source_of_update = graph_.rf * graph_.rmw;
  for (int write = 0; write < events_max; ++write) {
    if (std::popcount(source_of_update.successors(write)) > 1) return false;
  }
  Graph part = graph_;
  part.co = (part.co | source_of_update).closure();
  return consistent(part, model_);
}

std::int64_t Candidates::written_by(int write) const {
  if (write < static_cast<int>(locations_.size())) return 0;
  return *steps_[writer_.at(write)].value_written;
}

std::string Candidates::outcome() const {
  std::vector<std::vector<std::int64_t>> results(threads_);
  for (const Step& step : steps_) {
    if (!step.pending && returns_value(step.operation.kind)) {
      results[static_cast<std::size_t>(step.thread)].push_back(*step.value_read);
    }
  }
  std::map<char, std::int64_t> finals;
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    finals[locations_[i]] = order_[i].empty() ? 0 : written_by(order_[i].back());
  }
  return outcome_text(results, finals);
}

bool Candidates::stuck() const {
  for (const Step& step : steps_) {
    if (!step.pending) continue;
    const std::size_t location = locations_.find(step.operation.location);
    std::vector<int> writes = order_[location];
    writes.push_back(static_cast<int>(location));
    for (const int write : writes) {
      if (satisfies(step.operation, written_by(write)) && could_read(step, write)) return false;
    }
  }
  return true;
}

/// True when the graph stays consistent with the pending await reading from `write` (and, if it is
/// a read-modify-write, writing right after it).
bool Candidates::could_read(const Step& pending, int write) const {
  Graph extended = graph_;
  Step step = pending;
  step.source = write;
  const bool writes = may_write(step.operation.kind);
  add_events(extended, step, writes);
  if (writes) {
    const EventSet later = graph_.co.successors(write);
    const Relation earlier = (graph_.co | Relation::identity(only(write))) *
                             Relation::product(only(write), only(step.write_event));
    extended.co = extended.co | earlier | Relation::product(only(step.write_event), later);
  }
  return consistent(extended, model_);
}

}  // namespace heddle::litmus
