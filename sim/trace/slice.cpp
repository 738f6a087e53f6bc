#include <heddle/sim/trace/slice.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace heddle::sim::trace {
namespace {

class Slice {
 public:
  explicit Slice(Trace& trace) : trace_(trace) {}

  void run() {
    for (TraceStep& step : trace_.steps) step.needed = false;
    need_thread(trace_.thread, trace_.steps.size());
    for (const std::string& place : trace_.conflict) {
      constexpr std::string_view prefix = "thread ";
      std::uint32_t thread = 0;
      if (!place.starts_with(prefix)) continue;
      const char* const end = place.data() + place.size();
      if (std::from_chars(place.data() + prefix.size(), end, thread).ec == std::errc()) {
        need_thread(thread, trace_.steps.size());
      }
    }
    while (!open_.empty()) {
      const std::size_t index = open_.back();
      open_.pop_back();
      follow(index);
    }
  }

 private:
  void need(std::size_t index) {
    if (trace_.steps[index].needed) return;
    trace_.steps[index].needed = true;
    open_.push_back(index);
  }

  // Everything of a thread before a step.
  void need_thread(std::uint32_t thread, std::size_t before) {
    std::size_t& seen = seen_[thread];
    for (; seen < before; ++seen) {
      const TraceStep& step = trace_.steps[seen];
      if (step.thread == thread) need(seen);
      if (step.kind == TraceStep::Kind::spawn && step.other_thread == thread) need(seen);
    }
  }

  void follow(std::size_t index) {
    const TraceStep& step = trace_.steps[index];
    need_thread(step.thread, index);
    if (step.source >= 0) need(static_cast<std::size_t>(step.source));
    if (step.kind == TraceStep::Kind::join) need_thread(step.other_thread, index);
    if (step.stale) need_newest_before(index);
  }

  void need_newest_before(std::size_t index) {
    const TraceStep& read = trace_.steps[index];
    std::size_t newest = index;
    for (std::size_t i = 0; i < index; ++i) {
      const TraceStep& write = trace_.steps[i];
      if (!write.written || write.location != read.location) continue;
      if (newest == index || write.co_position > trace_.steps[newest].co_position) newest = i;
    }
    if (newest != index) need(newest);
  }

  Trace& trace_;
  std::vector<std::size_t> open_;
  std::map<std::uint32_t, std::size_t> seen_;  // by thread: its steps before this one are needed
};

}  // namespace

void mark_needed(Trace& trace) {
  switch (trace.failure) {
    case FailureKind::deadlock:
    case FailureKind::livelock:
    case FailureKind::leak:
      for (TraceStep& step : trace.steps) step.needed = true;
      break;
    default:
      Slice(trace).run();
  }
}

}  // namespace heddle::sim::trace
