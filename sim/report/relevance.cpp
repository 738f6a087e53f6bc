#include <heddle/sim/report/relevance.hpp>

#include <algorithm>
#include <optional>

namespace heddle::sim::report {
namespace {

using Kind = TraceStep::Kind;

// The steps at which the failure shows.
std::vector<std::size_t> where_it_shows(const Trace& trace, const Relations& relations) {
  const bool is_about_waiting =
      trace.failure == FailureKind::deadlock || trace.failure == FailureKind::livelock;
  // Two places are in conflict, and the trace does not say whose the other one is.
  const bool is_about_all =
      trace.failure == FailureKind::data_race || trace.failure == FailureKind::unjoined_thread;
  std::vector<std::optional<std::size_t>> last(relations.threads().size());
  for (std::size_t at = 0; at < trace.steps.size(); ++at) last[relations.thread_index(at)] = at;
  std::vector<std::size_t> found;
  for (const auto& one : last) {
    const TraceStep& step = trace.steps[*one];
    const bool waits = step.kind == Kind::blocked || step.kind == Kind::spin;
    if (is_about_all || step.thread == trace.thread || (is_about_waiting && waits)) {
      found.push_back(*one);
    }
  }
  // What is said about a history is said about all of it.
  for (std::size_t at = 0; at < trace.steps.size(); ++at) {
    if (trace.steps[at].kind == Kind::operation_end) found.push_back(at);
  }
  return found;
}

}  // namespace

std::vector<bool> relevant_steps(const Trace& trace, const Relations& relations) {
  std::vector<bool> relevant(trace.steps.size(), false);
  std::vector<std::size_t> open = where_it_shows(trace, relations);
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (relevant[at]) continue;
    relevant[at] = true;
    const TraceStep& step = trace.steps[at];
    for (const auto& before :
         {relations.previous(at), relations.joined(at), relations.source(at)}) {
      if (before) open.push_back(*before);
    }
    if (!step.stale) continue;
    const auto source = relations.source(at);
    const std::uint32_t seen = source ? trace.steps[*source].co_position : 0;
    for (std::size_t write = 0; write < at; ++write) {
      const TraceStep& missed = trace.steps[write];
      if (is_access(missed) && missed.written && missed.location == step.location &&
          missed.co_position > seen) {
        open.push_back(write);
      }
    }
  }
  return relevant;
}

}  // namespace heddle::sim::report
