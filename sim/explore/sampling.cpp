#include <heddle/sim/explore/sampling.hpp>

#include <chrono>

namespace heddle::sim::engine {

using graph::no_event;
using memory::hb_before;
using memory::oldest_visible;
using State = ModelThread::State;

namespace {

constexpr std::uint64_t data_stream = 0x9e37'79b9'7f4a'7c15;  // keeps the two streams apart

// A known graph again: what is left is code between events.
class Rerun final : public Driver {
 public:
  bool at_once(const Event&) const override { return false; }
  ModelThread* pick(Execution& execution) override {
    for (auto& thread : execution.threads()) {
      if (thread->state == State::runnable) return thread.get();
    }
    return nullptr;
  }
  void complete(Execution& execution, event_id) override { execution.stop(); }
};

bool would_stop(const Graph& graph, const Event& next) {
  return next.waits &&
         !next.predicate.holds(graph.value_of(graph.co_maximal(next.location), next.location));
}

}  // namespace

RandomWalk::RandomWalk(const Options& options, const std::function<void()>& body)
    : options_(options),
      execution_(options, body),
      schedule_(options.seed),
      data_(options.seed ^ data_stream) {}

std::uint32_t RandomWalk::below(std::uint32_t bound) {
  return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(data_);
}

ModelThread* RandomWalk::pick(Execution& execution) {
  const Graph& graph = execution.graph();
  ready_.clear();
  ModelThread* stopping = nullptr;
  for (auto& thread : execution.threads()) {
    if (thread->state == State::spinning) execution.wake_spinner(*thread);
    if (!execution.can_go(*thread)) continue;
    if (thread->state == State::runnable) return thread.get();
    if (would_stop(graph, thread->next)) {
      stopping = thread.get();
    } else {
      ready_.push_back(thread.get());
    }
  }
  if (ready_.empty()) return stopping;
  return ready_[std::uniform_int_distribution<std::size_t>(0, ready_.size() - 1)(schedule_)];
}

void RandomWalk::complete(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  Event& event = graph[id];
  if (event.reads()) {
    complete_read(execution, id);
    return;
  }
  if (event.kind == EventKind::choose) event.argument = below(event.choices);
  if (event.writes) {
    graph.place(id, static_cast<std::uint32_t>(graph.location(event.location).co.size()) + 1);
  }
  execution.model().compute_clocks(graph, id);
}

void RandomWalk::undo_source(Graph& graph, event_id id) {
  if (graph[id].kind == EventKind::rmw && graph[id].writes) {
    graph.unplace(id);
    graph[id].writes = false;
  }
}

bool RandomWalk::take_source(Execution& execution, event_id id, event_id source) {
  Graph& graph = execution.graph();
  graph.set_source(id, source);
  Event& event = graph[id];
  event.satisfied = !event.waits || event.predicate.holds(event.read);
  if (event.kind == EventKind::rmw) {
    const graph::RmwEffect effect = graph::apply(event.operation, event.read);
    event.writes = effect.writes && event.satisfied;
    event.order = event.writes ? event.order_success : event.order_failure;
    event.written = effect.written;
    if (event.writes) graph.place(id, graph.position_of(source) + 1);
  }
  execution.model().compute_clocks(graph, id);
  return graph.co_maximal(event.location) == source || execution.model().consistent(graph, id);
}

void RandomWalk::complete_read(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  const graph::location_id x = graph[id].location;
  const auto newest = static_cast<std::uint32_t>(graph.location(x).co.size());
  if (options_.memory_model == MemoryModel::rc11 && below(2) == 0) {
    const std::uint32_t oldest = oldest_visible(graph, x, hb_before(graph, graph[id]));
    const std::uint32_t position = oldest + below(newest - oldest + 1);
    const event_id source = graph.write_at(x, position);
    const Event& event = graph[id];
    const graph::value seen = graph.value_of(source, x);
    const bool acceptable = !event.waits || event.predicate.holds(seen);
    const bool taken = event.kind == EventKind::rmw && position < newest &&
                       graph::apply(event.operation, seen).writes;
    // An RMW of an older write would stand between writes that others have seen in order.
    if (position < newest && acceptable && !taken) {
      if (take_source(execution, id, source)) return;
      undo_source(graph, id);
    }
  }
  take_source(execution, id, graph.co_maximal(x));
}

Trace RandomWalk::record(Graph& graph) {
  const FailureInfo first = execution_.failure();
  execution_.set_recording(true);
  Rerun rerun;
  const RunEnd end = execution_.run(graph, rerun);
  execution_.set_recording(false);
  Trace trace = execution_.trace();
  if (end != RunEnd::failed || execution_.failure().kind != first.kind) {
    trace.failure = FailureKind::nondeterminism;
    trace.message = "the execution failed once (" + first.message +
                    ") and did not fail in the same way when it was run again";
  }
  return trace;
}

Report RandomWalk::explore() {
  Report report;
  report.verdict = Verdict::incomplete;
  const auto start = std::chrono::steady_clock::now();
  Graph graph;
  for (std::uint64_t runs = 0;; ++runs) {
    const auto elapsed = std::chrono::steady_clock::now() - start;
    report.elapsed = elapsed;
    if (options_.max_executions != 0 && runs >= options_.max_executions) break;
    if (options_.time_limit.count() != 0 && elapsed >= options_.time_limit) break;
    if (options_.on_progress && runs % 256 == 255) {
      Progress progress;
      progress.executions = report.executions;
      progress.elapsed = elapsed;
      progress.executions_per_second =
          static_cast<double>(runs) / std::chrono::duration<double>(elapsed).count();
      options_.on_progress(progress);
    }
    graph.clear();
    switch (execution_.run(graph, *this)) {
      case RunEnd::complete:
        ++report.executions;
        if (!execution_.observed().empty()) {
          Outcome outcome;
          for (const auto& [name, value] : execution_.observed()) outcome[name] = value;
          ++report.outcomes[outcome];
        }
        break;
      case RunEnd::failed: {
        ++report.failures;
        if (!report.failure) {
          Trace trace = record(graph);
          trace.execution = runs + 1;
          report.failure = Failure{trace.failure, trace.message, std::move(trace)};
        }
        break;
      }
      case RunEnd::limit:
        if (report.bound.empty()) report.bound = execution_.limit();
        break;
      case RunEnd::blocked:
      case RunEnd::stopped:
        ++report.blocked;
        break;
    }
    if (report.failure && options_.stop_at_first_failure) break;
  }
  if (report.failure) report.verdict = Verdict::failed;
  if (report.bound.empty()) {
    report.bound = "random walk (seed " + std::to_string(options_.seed) + ", " +
                   std::to_string(report.executions) + " executions drawn)";
  }
  return report;
}

}  // namespace heddle::sim::engine
