// The main loop of the exhaustive search: runs, counts, budgets and the verdict.

#include <exception>

#include <heddle/sim/explore/exhaustive.hpp>

namespace heddle::sim::engine {

using clock = std::chrono::steady_clock;

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
Trace Exhaustive::record() {
  const FailureInfo first = execution_.failure();
  execution_.set_recording(true);
  Rerun rerun(*this);
  const RunEnd end = execution_.run(frames_.back()->graph, rerun);
  execution_.set_recording(false);
  if (end == RunEnd::failed && execution_.failure().kind == first.kind) return execution_.trace();
  Trace trace = execution_.trace();
  trace.failure = FailureKind::nondeterminism;
  trace.message =
      "the execution failed once (" + first.message +
      ") and did not fail in the same way when it was run again: the body is not deterministic";
  return trace;
}

void Exhaustive::count(RunEnd end, Report& report) {
  switch (end) {
    case RunEnd::complete:
      ++report.executions;
      if (!execution_.observed().empty()) {
        Outcome outcome;
        for (const auto& [name, value] : execution_.observed()) outcome[name] = value;
        ++report.outcomes[outcome];
      }
      if (on_complete) on_complete(frames_.back()->graph);
      break;
    case RunEnd::blocked:
      ++report.blocked;
      break;
    case RunEnd::failed:
      ++report.failures;
      if (!report.failure) {
        Trace trace = record();
        trace.execution = report.executions + report.blocked + report.failures;
        report.failure = Failure{trace.failure, trace.message, std::move(trace)};
      }
      break;
    case RunEnd::limit:
      if (report.bound.empty()) report.bound = execution_.limit();
      break;
    case RunEnd::stopped:
      break;
  }
}

bool Exhaustive::out_of_budget(Report& report) {
  const std::uint64_t runs = report.executions + report.blocked + report.failures;
  if (options_.max_executions != 0 && runs >= options_.max_executions) {
    report.bound = "max_executions (" + std::to_string(options_.max_executions) + ")";
    return true;
  }
  constexpr std::uint64_t between_looks = 256;
  if (runs % between_looks != 0) return false;
  const auto elapsed = clock::now() - started_;
  if (options_.time_limit.count() != 0 && elapsed >= options_.time_limit) {
    report.bound =
        "time_limit (" +
        std::to_string(
            std::chrono::duration_cast<std::chrono::milliseconds>(options_.time_limit).count()) +
        " ms)";
    return true;
  }
  if (options_.on_progress && elapsed - last_progress_ > std::chrono::milliseconds(100)) {
    last_progress_ = elapsed;
    Progress progress;
    progress.executions = report.executions;
    progress.blocked = report.blocked;
    progress.elapsed = elapsed;
    progress.executions_per_second =
        static_cast<double>(runs) / std::chrono::duration<double>(elapsed).count();
    options_.on_progress(progress);
  }
  return false;
}

Report Exhaustive::explore() {
  Report report;
  started_ = clock::now();
  push_frame();
  bool more = true;
  bool cut_short = false;
  while (more && !cut_short) {
    count(execution_.run(frames_.back()->graph, *this), report);
    if (report.failures != 0 && options_.stop_at_first_failure) break;
    more = next_graph();
    cut_short = more && out_of_budget(report);
  }
  report.elapsed = clock::now() - started_;
  if (report.failure) {
    report.verdict = Verdict::failed;
  } else {
    report.verdict = report.bound.empty() ? Verdict::verified : Verdict::incomplete;
  }
  return report;
}

}  // namespace heddle::sim::engine
