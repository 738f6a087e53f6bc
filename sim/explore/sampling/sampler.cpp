#include <heddle/sim/explore/sampling/sampler.hpp>

#include <bit>
#include <cstdio>
#include <utility>

#include <heddle/sim/explore/sampling/redo.hpp>

namespace heddle::sim::engine {

using State = ModelThread::State;

Sampler::Sampler(const Options& options, const std::function<void()>& body,
                 std::unique_ptr<Scheduler> scheduler)
    : options_(options),
      execution_(options, body),
      scheduler_(std::move(scheduler)),
      reads_(options_, *scheduler_) {}

// A thread that comes to its next operation is asked for first, so that at a choice all operations
// are known.
ModelThread* Sampler::pick(Execution& execution) {
  for (auto& thread : execution.threads()) {
    if (thread->state == State::spinning) {
      execution.wake_spinner(*thread);
      if (thread->state == State::runnable) scheduler_->spun(thread->id);
    }
    if (thread->state == State::runnable) return thread.get();
  }
  const Graph& graph = execution.graph();
  ready_.clear();
  pending_.clear();
  ModelThread* stopping = nullptr;
  for (auto& thread : execution.threads()) {
    if (thread->state != State::pending) continue;
    pending_.push_back(thread.get());
    if (!execution.can_go(*thread)) continue;
    if (reads_.would_stop(graph, *thread)) {
      stopping = thread.get();
    } else {
      ready_.push_back(thread.get());
    }
  }
  ModelThread* chosen = stopping;
  if (!ready_.empty()) {
    const std::size_t index = scheduler_->pick({ready_, pending_, last_});
    if (index >= ready_.size()) {
      execution.fail(FailureKind::nondeterminism,
                     "the body has other choices than when the same execution was run before; a "
                     "body must do the same whenever it is run again (no clock, no rand(), no "
                     "address-dependent order, no state that outlives the execution)",
                     source_location{});
    }
    chosen = ready_[index];
  }
  last_ = chosen;
  return chosen;
}

void Sampler::complete(Execution& execution, event_id id) {
  reads_.complete(execution, id);
  const Event& event = execution.graph()[id];
  if (spins_.add(event)) scheduler_->spun(event.thread);
}

Trace Sampler::record() {
  const FailureInfo first = execution_.failure();
  const Graph known = graph_;
  Redo redo(known, first.thread);
  graph_.clear();
  execution_.set_recording(true);
  const RunEnd end = execution_.run(graph_, redo);
  execution_.set_recording(false);
  Trace trace = execution_.trace();
  if (end != RunEnd::failed || execution_.failure().kind != first.kind) {
    trace.failure = FailureKind::nondeterminism;
    trace.message =
        "the execution failed once (" + first.message +
        ") and did not fail in the same way when it was run again: the body is not deterministic";
  }
  return trace;
}

// The last run has come to its end: the same decisions must lead there again.
void Sampler::require_repeatable(Report& report) {
  const Graph known = graph_;
  Redo redo(known, 0);
  graph_.clear();
  execution_.set_recording(true);
  const RunEnd end = execution_.run(graph_, redo);
  execution_.set_recording(false);
  if (end == RunEnd::complete && graph_.hash() == known.hash()) return;
  ++report.failures;
  if (report.failure) return;
  Trace trace = execution_.trace();
  trace.failure = FailureKind::nondeterminism;
  trace.message =
      "the body did something else when the same execution was run again; a body must do the same "
      "whenever it is run again (no clock, no rand(), no address-dependent order, no state that "
      "outlives the execution)";
  trace.execution = runs_;
  report.failure = Failure{trace.failure, trace.message, std::move(trace)};
}

void Sampler::count(RunEnd end, Report& report) {
  if (!scheduler_->enumerates()) saturation_.add(graph_.hash());
  switch (end) {
    case RunEnd::complete:
      ++report.executions;
      if (!execution_.observed().empty()) {
        Outcome outcome;
        for (const auto& [name, value] : execution_.observed()) outcome[name] = value;
        ++report.outcomes[outcome];
      }
      if (on_complete) on_complete(graph_);
      break;
    case RunEnd::failed:
      ++report.failures;
      if (!report.failure) {
        Trace trace = record();
        trace.execution = runs_;
        report.failure = Failure{trace.failure, trace.message, std::move(trace)};
      }
      break;
    case RunEnd::limit:
      if (report.bound.empty()) report.bound = execution_.limit() + "; ";
      break;
    case RunEnd::blocked:
    case RunEnd::stopped:
      ++report.blocked;
      break;
  }
}

bool Sampler::out_of_budget(Report& report) {
  report.elapsed = Clock::now() - started_;
  if (options_.max_executions != 0 && runs_ >= options_.max_executions) return true;
  return options_.time_limit.count() != 0 && report.elapsed >= options_.time_limit;
}

void Sampler::tell_progress(const Report& report) {
  if (!options_.on_progress) return;
  if (report.elapsed - last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = report.elapsed;
  Progress progress;
  progress.executions = report.executions;
  progress.blocked = report.blocked;
  progress.elapsed = report.elapsed;
  progress.executions_per_second =
      static_cast<double>(runs_) / std::chrono::duration<double>(report.elapsed).count();
  progress.chance_of_new = saturation_.chance_of_new();
  options_.on_progress(progress);
}

std::string Sampler::bound(const Report& report) const {
  std::string text = report.bound + scheduler_->description();
  if (!report.chance_of_new) return text;
  const double percent = 100 * *report.chance_of_new;
  if (percent == 0) return text + "; hardly any execution is left that was not seen";
  char number[32];
  std::snprintf(number, sizeof number, percent < 0.1 ? "%.1g" : "%.1f", percent);
  return text + "; the next execution is a new one with a chance of about " + number + " %";
}

Report Sampler::explore() {
  Report report;
  report.verdict = Verdict::incomplete;
  started_ = Clock::now();
  while (!out_of_budget(report)) {
    tell_progress(report);
    if (!scheduler_->begin_run()) break;
    ++runs_;
    graph_.clear();
    spins_.clear();
    reads_.begin_run();
    last_ = nullptr;
    const RunEnd end = execution_.run(graph_, *this);
    scheduler_->end_run();
    count(end, report);
    if (end == RunEnd::complete && std::has_single_bit(runs_)) require_repeatable(report);
    if (report.failure && options_.stop_at_first_failure) break;
  }
  report.elapsed = Clock::now() - started_;
  report.chance_of_new = saturation_.chance_of_new();
  report.bound = bound(report);
  if (report.failure) report.verdict = Verdict::failed;
  return report;
}

}  // namespace heddle::sim::engine
