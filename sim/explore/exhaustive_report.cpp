// What becomes of a run of the exhaustive search: counts, and the record of a failure.

#include <utility>

#include <heddle/sim/explore/exhaustive.hpp>

namespace heddle::sim::engine {

namespace {

// Runs a known graph again and adds nothing: every event has been decided. What is left is code
// between events; all of it runs before any thread may come to an event that is not in the graph.
class Rerun final : public Driver {
 public:
  explicit Rerun(Exhaustive& search) : search_(search) {}
  bool at_once(const Event&) const override { return false; }
  ModelThread* pick(Execution& execution) override {
    for (auto& thread : execution.threads()) {
      if (thread->state == ModelThread::State::runnable) return thread.get();
    }
    return search_.pick(execution);
  }
  void complete(Execution& execution, event_id) override { execution.stop(); }

 private:
  Exhaustive& search_;
};

}  // namespace

// The failing graph is run once more with recording on. It has to fail again in the same way.
Trace Exhaustive::record(FailureKind kind, const std::string& message) {
  execution_.set_recording(true);
  Rerun rerun(*this);
  const RunEnd end = execution_.run(frames_.back()->graph, rerun);
  execution_.set_recording(false);
  Trace trace = execution_.trace();
  if (end == RunEnd::failed && execution_.failure().kind == kind) return trace;
  trace.failure = FailureKind::nondeterminism;
  trace.message =
      "the execution failed once (" + message +
      ") and did not fail in the same way when it was run again: the body is not deterministic";
  return trace;
}

Failure Exhaustive::record() {
  const FailureInfo found = execution_.failure();
  Trace trace = record(found.kind, found.message);
  return Failure{trace.failure, trace.message, std::move(trace)};
}

Failure Exhaustive::record(const FailureSpot& spot) {
  load(read_task(spot.task));
  Trace trace = record(spot.kind, spot.message);
  trace.execution = spot.run;
  return Failure{trace.failure, trace.message, std::move(trace)};
}

void Exhaustive::run(Tally& tally) {
  const RunEnd end = execution_.run(frames_.back()->graph, *this);
  tally.share += share_ + weight_;
  share_ = 0;
  switch (end) {
    case RunEnd::complete:
      ++tally.executions;
      if (!execution_.observed().empty()) {
        Outcome outcome;
        for (const auto& [name, value] : execution_.observed()) outcome[name] = value;
        ++tally.outcomes[outcome];
      }
      if (on_complete) on_complete(frames_.back()->graph);
      break;
    case RunEnd::blocked:
      ++tally.blocked;
      break;
    case RunEnd::failed:
      ++tally.failures;
      if (!tally.failure) {
        const FailureInfo& found = execution_.failure();
        Task task{names_of(execution_.naming()), {{structure_of(frames_.back()->graph), {}}}};
        tally.failure = FailureSpot{tally.runs(), found.kind, found.message, write_task(task)};
      }
      break;
    case RunEnd::limit:
      if (tally.bound.empty()) tally.bound = execution_.limit();
      break;
    case RunEnd::stopped:
      break;
  }
}

}  // namespace heddle::sim::engine
