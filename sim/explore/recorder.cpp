// The last run as a trace.

#include <algorithm>
#include <string>

#include <heddle/sim/explore/describe.hpp>
#include <heddle/sim/explore/inside.hpp>

namespace heddle::sim::engine {

using State = ModelThread::State;

namespace {

void set_place(TraceStep& step, source_location site) {
  step.file = source_name(site.file_name());
  step.line = static_cast<std::uint32_t>(site.line());
  step.function = site.function_name();
}

}  // namespace

void Execution::note(TraceStep::Kind kind, source_location site, std::string text) {
  Note made{order_.size(), {}};
  made.step.kind = kind;
  made.step.thread = current_->id;
  made.step.text = std::move(text);
  set_place(made.step, site);
  notes_.push_back(std::move(made));
}

void Execution::note_operation(std::string_view text, bool begins, source_location site) {
  if (!recording_) return;
  const Inside inside(*this);
  note(begins ? TraceStep::Kind::operation_begin : TraceStep::Kind::operation_end, site,
       std::string(text));
}

Trace Execution::trace() const {
  const Graph& graph = *graph_;
  Trace trace;
  trace.memory_model = to_string(options_.memory_model);
  trace.timeouts = options_.timeouts;
  trace.spurious_wakeups = options_.spurious_wakeups;
  trace.max_steps = options_.max_steps;
  trace.stack_bytes = options_.stack_bytes;
  trace.failure = failure_.kind;
  trace.message = failure_.message;
  trace.file = source_name(failure_.site.file_name());
  trace.line = static_cast<std::uint32_t>(failure_.site.line());
  trace.thread = failure_.thread;
  trace.conflict = failure_.conflict;

  // Modification order positions count the writes that the trace has.
  std::vector<std::int64_t> step_of(graph.size(), TraceStep::no_source);
  std::vector<bool> passed(graph.size(), false);
  for (const event_id id : order_) passed[id] = true;
  const auto position = [&](const Event& event) {
    std::uint32_t rank = 0;
    for (const event_id write : graph.location(event.location).co) {
      if (passed[write]) ++rank;
      if (&graph[write] == &event) break;
    }
    return rank;
  };
  std::size_t next_note = 0;
  const auto add_notes = [&](std::size_t before) {
    for (; next_note < notes_.size() && notes_[next_note].order <= before; ++next_note) {
      trace.steps.push_back(notes_[next_note].step);
    }
  };
  std::vector<std::uint32_t> newest(graph.locations(), 0);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    add_notes(i);
    const Event& event = graph[order_[i]];
    TraceStep step;
    step.kind = step_kind(event);
    step.thread = event.thread;
    set_place(step, event.site);
    if (event.accesses() || event.kind == EventKind::fence) step.order = order_name(event.order);
    if (event.accesses()) {
      step.location = naming_.location_name(event.location);
      step.role = role_name(locations_[event.location].role);
      if (event.reads()) {
        step.read = hex(event.read);
        step.source =
            event.source == graph::from_initial ? TraceStep::initial : step_of[event.source];
        const std::uint32_t seen =
            event.source == graph::from_initial ? 0 : position(graph[event.source]);
        step.stale = newest[event.location] > seen;
      }
      if (event.writes) {
        step.written = hex(event.written);
        step.co_position = position(event);
        newest[event.location] = std::max(newest[event.location], step.co_position);
      }
      if (!event.satisfied) step.text = "waits";
    } else if (event.kind == EventKind::choose) {
      step.choice = event.argument;
      step.choices = event.choices;
    } else if (event.kind != EventKind::fence) {
      step.other_thread = event.argument;
    }
    step_of[order_[i]] = static_cast<std::int64_t>(trace.steps.size());
    trace.steps.push_back(std::move(step));
  }
  add_notes(order_.size());
  for (std::size_t t = 0; t < live_threads_; ++t) {
    const ModelThread& thread = *threads_[t];
    TraceStep step;
    step.thread = thread.id;
    if (thread.state == State::stuck) {
      step.kind = TraceStep::Kind::blocked;
      const Event& await = graph[graph.thread(thread.id).events[thread.position - 1]];
      set_place(step, await.site);
      step.location = naming_.location_name(await.location);
      step.role = role_name(locations_[await.location].role);
      step.text = "waits for ever";
    } else if (thread.state == State::spinning) {
      step.kind = TraceStep::Kind::spin;
      set_place(step, thread.hint_site);
      step.text = "spins for ever";
    } else if (thread.state == State::pending && thread.next.kind == EventKind::join) {
      step.kind = TraceStep::Kind::blocked;
      set_place(step, thread.next.site);
      step.other_thread = thread.next.argument;
      step.text = "joins thread " + std::to_string(thread.next.argument);
    } else {
      continue;
    }
    trace.steps.push_back(std::move(step));
  }
  add_locations(trace);
  return trace;
}

// Where the locations that the trace names were constructed.
void Execution::add_locations(Trace& trace) const {
  std::vector<bool> named(locations_.size(), false);
  for (const event_id id : order_) {
    const Event& event = (*graph_)[id];
    if (event.accesses()) named[event.location] = true;
  }
  for (graph::location_id x = 0; x < named.size(); ++x) {
    if (!named[x]) continue;
    const Location& location = locations_[x];
    trace.locations.push_back({naming_.location_name(x), std::string(role_name(location.role)),
                               source_name(location.site.file_name()),
                               static_cast<std::uint32_t>(location.site.line())});
  }
}

}  // namespace heddle::sim::engine
