#include <heddle/sim/explore/rebind.hpp>

#include <utility>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/explore/describe.hpp>

namespace heddle::sim::engine {

namespace {

using graph::no_event;
using State = ModelThread::State;

// A linear extension of porf, in which events come in the order of their stamps where they can.
class PorfOrder {
 public:
  explicit PorfOrder(const GraphStructure& structure) : events_(structure.events) {
    previous_.assign(events_.size(), no_event);
    for (event_id id = 0; id < events_.size(); ++id) {
      const EventStructure& event = events_[id];
      previous_[id] = exchange_last(event.thread, id);
      if (event.kind == EventKind::spawn) spawn(event.argument, id);
    }
    for (event_id id = 0; id < events_.size(); ++id) {
      if (previous_[id] == no_event) previous_[id] = spawn_of(events_[id].thread);
    }
  }

  std::vector<event_id> find() {
    state_.assign(events_.size(), untouched);
    for (event_id id = 0; id < events_.size(); ++id) visit(id);
    return std::move(order_);
  }
  event_id spawn_of(graph::thread_id thread) const {
    return thread < spawned_by_.size() ? spawned_by_[thread] : no_event;
  }

 private:
  enum Mark : std::uint8_t { untouched, waiting, done };

  event_id exchange_last(graph::thread_id thread, event_id id) {
    if (thread >= last_.size()) last_.resize(thread + 1, no_event);
    return std::exchange(last_[thread], id);
  }
  void spawn(graph::thread_id thread, event_id id) {
    if (thread >= spawned_by_.size()) spawned_by_.resize(thread + 1, no_event);
    spawned_by_[thread] = id;
  }
  // What has to run before the event and has not yet.
  event_id missing(event_id id) const {
    const EventStructure& event = events_[id];
    const auto open = [&](event_id other) { return other < no_event && state_[other] != done; };
    if (open(previous_[id])) return previous_[id];
    const bool reads = event.kind == EventKind::load || event.kind == EventKind::rmw;
    if (reads && open(event.source)) return event.source;
    if (event.kind == EventKind::join && event.argument < last_.size() &&
        open(last_[event.argument])) {
      return last_[event.argument];
    }
    return no_event;
  }
  void visit(event_id id) {
    std::vector<event_id> path{id};
    while (!path.empty()) {
      const event_id at = path.back();
      if (state_[at] == done) {
        path.pop_back();
        continue;
      }
      const event_id other = missing(at);
      if (other == no_event) {
        state_[at] = done;
        order_.push_back(at);
        path.pop_back();
        continue;
      }
      state_[at] = waiting;
      if (state_[other] == waiting) throw DamagedBytes();  // a cycle
      path.push_back(other);
    }
  }

  const std::vector<EventStructure>& events_;
  std::vector<event_id> previous_;
  std::vector<event_id> last_;
  std::vector<event_id> spawned_by_;
  std::vector<Mark> state_;
  std::vector<event_id> order_;
};

class Rebinder final : public Driver {
 public:
  explicit Rebinder(const GraphStructure& structure)
      : structure_(structure), porf_(structure), order_(porf_.find()) {
    place_.assign(structure.events.size(), 0);
    for (const auto& co : structure.co) {
      for (std::size_t i = 0; i < co.size(); ++i) place_[co[i]] = static_cast<std::uint32_t>(i + 1);
    }
    run_id_.assign(structure.events.size(), no_event);
  }

  bool at_once(const Event&) const override { return false; }

  ModelThread* pick(Execution& execution) override {
    auto& threads = execution.threads();
    graph::thread_id t = structure_.events[order_[next_]].thread;
    while (t >= threads.size() || threads[t]->state == State::absent) {
      const event_id spawn = porf_.spawn_of(t);
      if (spawn == no_event) differs(execution, fmt::format("thread {} was never started", t));
      t = structure_.events[spawn].thread;
    }
    ModelThread* thread = threads[t].get();
    if (thread->state == State::pending && !execution.can_go(*thread)) {
      thread = threads[thread->next.argument].get();  // the thread that it joins has to end
      if (thread->state == State::pending) differs(execution, does(execution, thread->next));
    }
    // The graph says that it went on from a spin hint.
    if (thread->state == State::spinning) {
      thread->iteration = thread->position;
      thread->state = State::runnable;
    }
    if (thread->state == State::runnable || thread->state == State::pending) return thread;
    differs(execution, fmt::format("thread {} does not go on", thread->id));
  }

  void complete(Execution& execution, event_id id) override {
    Graph& graph = execution.graph();
    Event& event = graph[id];
    const event_id stamp = order_[next_];
    const EventStructure& known = structure_.events[stamp];
    const graph::location_id location = event.accesses() ? event.location : 0;
    if (event.thread != known.thread || event.kind != known.kind || location != known.location ||
        event.waits != known.waits) {
      differs(execution, does(execution, event));
    }
    run_id_[stamp] = id;
    stamp_.push_back(stamp);
    if (event.kind == EventKind::choose) {
      if (known.argument >= event.choices) differs(execution, does(execution, event));
      event.argument = known.argument;
    } else if (event.argument != known.argument) {
      differs(execution, does(execution, event));
    }
    if (event.reads()) read(execution, id, known);
    if (event.writes != known.writes) {
      differs(execution, does(execution, event) +
                             (event.writes ? ", which writes" : ", which does not write"));
    }
    if (event.writes) graph.place(id, position(graph, event, place_[stamp]));
    execution.model().compute_clocks(graph, id);
    if (++next_ == order_.size()) execution.stop();
  }

  /// After the run.
  Graph assemble(const Graph& run, const memory::Model& model) const {
    Graph graph;
    graph.ensure_thread(static_cast<graph::thread_id>(run.threads() - 1));
    for (graph::location_id x = 0; x < run.locations(); ++x) {
      graph.ensure_location(x, run.location(x).initial);
    }
    for (event_id id = 0; id < structure_.events.size(); ++id) {
      const EventStructure& known = structure_.events[id];
      Event event = run[run_id_[id]];
      event.revisitable = known.revisitable;
      event.maximal = known.maximal;
      event.in_place = known.in_place;
      event.source = known.source;
      event.base = known.base;
      event.co_position = 0;
      graph.append(event);
    }
    for (const auto& co : structure_.co) {
      std::uint32_t position = 0;
      for (const event_id write : co) graph.place(write, ++position);
    }
    for (const event_id id : order_) model.compute_clocks(graph, id);
    return graph;
  }

  bool finished() const noexcept { return next_ == order_.size(); }
  const std::string& difference() const noexcept { return difference_; }

 private:
  void read(Execution& execution, event_id id, const EventStructure& known) {
    Graph& graph = execution.graph();
    Event& event = graph[id];
    const event_id source =
        known.source == graph::from_initial ? known.source : run_id_[known.source];
    if (source != graph::from_initial && graph[source].location != event.location) {
      differs(execution, does(execution, event));
    }
    graph.set_source(id, source);
  }

  // Among the writes that are there already.
  std::uint32_t position(const Graph& graph, const Event& event, std::uint32_t place) const {
    std::uint32_t found = 1;
    for (const event_id write : graph.location(event.location).co) {
      if (place_[stamp_[write]] < place) ++found;
    }
    return found;
  }

  static std::string does(Execution& execution, const Event& event) {
    return fmt::format("thread {} does {}", event.thread, describe(execution.naming(), event));
  }
  [[noreturn]] void differs(Execution& execution, const std::string& what) {
    difference_ = fmt::format("event {} of {}: {}", next_ + 1, order_.size(), what);
    execution.stop();
  }

  const GraphStructure& structure_;
  PorfOrder porf_;
  std::vector<event_id> order_;       // stamps, in the order of the run
  std::vector<std::uint32_t> place_;  // by stamp: position in modification order
  std::vector<event_id> run_id_;      // by stamp: id in the run
  std::vector<event_id> stamp_;       // by id in the run
  std::size_t next_ = 0;
  std::string difference_;
};

}  // namespace

Graph rebind(Execution& execution, const GraphStructure& structure) {
  Graph run;
  if (structure.events.empty()) return run;
  Rebinder driver(structure);
  execution.set_parking(true);
  const RunEnd end = execution.run(run, driver);
  execution.set_parking(false);
  if (driver.finished()) return driver.assemble(run, execution.model());
  std::string problem = driver.difference();
  if (problem.empty()) {
    problem = end == RunEnd::failed  ? execution.failure().message
              : end == RunEnd::limit ? execution.limit()
                                     : "the body ends early";
  }
  throw RebindError("the body does not do again what was explored (" + problem +
                    "): it is another build of it, or it is not deterministic");
}

}  // namespace heddle::sim::engine
