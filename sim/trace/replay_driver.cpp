#include <heddle/sim/trace/replay_driver.hpp>

#include <fmt/format.h>

#include <heddle/sim/explore/describe.hpp>
#include <heddle/sim/trace/event_name.hpp>

namespace heddle::sim::engine {

using State = ModelThread::State;

namespace {

std::string describe_step(const TraceStep& step) {
  std::string text = fmt::format("a {}", to_string(step.kind));
  if (!step.location.empty()) text += fmt::format(" of {}", step.location);
  if (!step.order.empty()) text += fmt::format(" ({})", step.order);
  return text + fmt::format(" at {}:{}", step.file, step.line);
}

}  // namespace

ReplayDriver::ReplayDriver(const Trace& trace, std::function<void(std::uint64_t)> before_step)
    : trace_(trace), before_step_(std::move(before_step)) {
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (trace::is_event(trace.steps[i].kind)) events_.push_back(i);
  }
  event_of_step_.assign(trace.steps.size(), graph::no_event);
}

ModelThread* ReplayDriver::pick(Execution& execution) {
  if (finished()) return pick_after_end(execution);
  const TraceStep& step = trace_.steps[events_[next_]];
  auto& threads = execution.threads();
  if (step.thread < threads.size()) {
    ModelThread& thread = *threads[step.thread];
    if (thread.state == State::spinning) execution.wake_spinner(thread);
    if (thread.state == State::runnable) return &thread;
    if (thread.state == State::pending && execution.can_go(thread)) return &thread;
    // A join waits for a thread that has no event left but has not come to its end yet.
    if (thread.state == State::pending) {
      for (auto& other : threads) {
        if (other->state == State::runnable) return other.get();
      }
    }
  }
  difference_ = fmt::format(
      "step {}: the trace lets thread {} do {}, but that thread {}", events_[next_], step.thread,
      describe_step(step),
      step.thread >= threads.size() || threads[step.thread]->state == State::absent
          ? "does not exist"
          : (threads[step.thread]->state == State::finished ? "has ended" : "cannot go on"));
  execution.stop();
}

// The failure comes from the code after the last event: first of the thread that failed, then of
// the others.
ModelThread* ReplayDriver::pick_after_end(Execution& execution) {
  auto& threads = execution.threads();
  if (trace_.thread < threads.size() && threads[trace_.thread]->state == State::runnable) {
    return threads[trace_.thread].get();
  }
  for (auto& thread : threads) {
    if (thread->state == State::runnable) return thread.get();
  }
  for (auto& thread : threads) {
    if (thread->state == State::pending && execution.can_go(*thread)) return thread.get();
  }
  return nullptr;
}

void ReplayDriver::differs(Execution& execution, const Event& found, const std::string& what) {
  const std::string done =
      fmt::format("thread {} does {}", found.thread, describe(execution.naming(), found));
  difference_ = fmt::format("step {}: {}, where the trace has {}{}", events_[next_], done,
                            describe_step(trace_.steps[events_[next_]]),
                            what.empty() ? "" : " (" + what + ")");
  execution.stop();
}

// Positions of the trace count all its writes; in a graph that is still growing a write goes before
// the first one that will stand behind it.
std::uint32_t ReplayDriver::place_among(const Graph& graph, event_id id,
                                        std::uint32_t final_position) const {
  std::uint32_t position = 1;
  for (const event_id write : graph.location(graph[id].location).co) {
    if (final_position_[write] < final_position) ++position;
  }
  return position;
}

void ReplayDriver::complete(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  final_position_.resize(graph.size(), 0);
  if (finished()) {
    go_on(graph, id);
  } else {
    take_step(execution, id);
  }
  execution.model().compute_clocks(graph, id);
}

void ReplayDriver::take_step(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  Event& event = graph[id];
  const std::size_t index = events_[next_];
  const TraceStep& step = trace_.steps[index];
  if (before_step_) before_step_(index);
  if (step.thread != event.thread || step.kind != step_kind(event)) differs(execution, event, {});
  if (event.accesses() && step.location != execution.naming().location_name(event.location)) {
    differs(execution, event, "another object");
  }
  if (event.kind == EventKind::choose) {
    if (step.choices != event.choices || step.choice >= event.choices) {
      differs(execution, event, "another number of choices");
    }
    event.argument = step.choice;
  }
  if (event.reads()) {
    event_id source = graph::from_initial;
    if (step.source >= 0) source = event_of_step_[static_cast<std::size_t>(step.source)];
    if (source == graph::no_event || (step.source >= 0 && !graph[source].writes) ||
        (step.source >= 0 && graph[source].location != event.location)) {
      differs(execution, event, "its source is not a write to the same object");
    }
    graph.set_source(id, source);
    if (step.read && !values_.matches(*step.read, event.read)) {
      differs(execution, event,
              fmt::format("it reads {} where {} was read", hex(event.read), *step.read));
    }
  }
  if (event.writes != step.written.has_value() ||
      (event.writes && !values_.matches(*step.written, event.written))) {
    differs(execution, event,
            event.writes ? fmt::format("it writes {}", hex(event.written)) : "it writes nothing");
  }
  if ((event.accesses() || event.kind == EventKind::fence) &&
      step.order != order_name(event.order)) {
    differs(execution, event, "another memory order");
  }
  if (event.writes) {
    final_position_[id] = step.co_position;
    graph.place(id, place_among(graph, id, step.co_position));
  }
  event_of_step_[index] = id;
  ++next_;
}

// The recorded steps are over and the failure has not come: the execution goes on in the plainest
// way, with newest values, and fails later or runs to its end.
void ReplayDriver::go_on(Graph& graph, event_id id) {
  Event& event = graph[id];
  if (event.reads()) graph.set_source(id, graph.co_maximal(event.location));
  if (!event.writes) return;
  final_position_[id] = beyond_the_trace_++;
  graph.place(id, place_among(graph, id, final_position_[id]));
}

}  // namespace heddle::sim::engine
