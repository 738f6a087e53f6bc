// The last run as a trace.

#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>

#include <heddle/sim/explore/inside.hpp>

namespace heddle::sim::engine {

using State = ModelThread::State;

namespace {

std::string hex(const graph::value& value) {
  char text[40];
  if (value.high != 0) {
    std::snprintf(text, sizeof text, "0x%llx%016llx", static_cast<unsigned long long>(value.high),
                  static_cast<unsigned long long>(value.low));
  } else {
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value.low));
  }
  return text;
}

std::string_view name_of(std::memory_order order) noexcept {
  switch (order) {
    case std::memory_order_relaxed: return "relaxed";
    case std::memory_order_consume: return "consume";
    case std::memory_order_acquire: return "acquire";
    case std::memory_order_release: return "release";
    case std::memory_order_acq_rel: return "acq_rel";
    case std::memory_order_seq_cst: return "seq_cst";
  }
  return "";
}

std::string_view name_of(runtime::location_role role) noexcept {
  switch (role) {
    case runtime::location_role::atomic: return "atomic";
    case runtime::location_role::mutex: return "mutex";
    case runtime::location_role::condition_variable: return "condition_variable";
    case runtime::location_role::ticket: return "ticket";
    case runtime::location_role::park: return "park";
    case runtime::location_role::clock: return "clock";
  }
  return "";
}

TraceStep::Kind kind_of(const Event& event) noexcept {
  switch (event.kind) {
    case EventKind::load: return event.waits ? TraceStep::Kind::await_load : TraceStep::Kind::load;
    case EventKind::store: return TraceStep::Kind::store;
    case EventKind::rmw: return event.waits ? TraceStep::Kind::await_rmw : TraceStep::Kind::rmw;
    case EventKind::fence: return TraceStep::Kind::fence;
    case EventKind::choose: return TraceStep::Kind::choose;
    case EventKind::spawn: return TraceStep::Kind::spawn;
    case EventKind::join: return TraceStep::Kind::join;
  }
  return TraceStep::Kind::load;
}

void set_place(TraceStep& step, source_location site) {
  step.file = source_name(site.file_name());
  step.line = static_cast<std::uint32_t>(site.line());
  step.function = site.function_name();
}

}  // namespace

// The build sees the sources through links; what is behind them is the name that a person knows.
std::string source_name(std::string_view file) {
  for (const std::string_view root : {"/include/heddle/", "./"}) {
    const std::size_t found = file.rfind(root);
    if (found != std::string_view::npos) return std::string(file.substr(found + root.size()));
  }
  return std::string(file);
}

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
    step.kind = kind_of(event);
    step.thread = event.thread;
    set_place(step, event.site);
    if (event.accesses() || event.kind == EventKind::fence) step.order = name_of(event.order);
    if (event.accesses()) {
      step.location = naming_.location_name(event.location);
      step.role = name_of(locations_[event.location].role);
      if (event.reads()) {
        step.read = hex(event.read);
        step.source = event.source == graph::from_initial ? TraceStep::initial
                                                          : step_of[event.source];
        const std::uint32_t seen = event.source == graph::from_initial
                                       ? 0
                                       : position(graph[event.source]);
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
      step.text = "waits for ever";
    } else if (thread.state == State::spinning) {
      step.kind = TraceStep::Kind::spin;
      set_place(step, thread.hint_site);
      step.text = "spins for ever";
    } else if (thread.state == State::pending && thread.next.kind == EventKind::join) {
      step.kind = TraceStep::Kind::blocked;
      set_place(step, thread.next.site);
      step.text = "joins thread " + std::to_string(thread.next.argument);
    } else {
      continue;
    }
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

}  // namespace heddle::sim::engine
