#include <heddle/sim/trace/story.hpp>

#include <map>
#include <set>
#include <string>

#include <heddle/sim/trace/event_name.hpp>

namespace heddle::sim::trace {
namespace {

using Kind = TraceStep::Kind;

bool left_waiting(const TraceStep& step) {
  return (step.kind == Kind::await_load || step.kind == Kind::await_rmw) && step.text == "waits";
}

// What has been written to one location so far: places in modification order, and by which step.
using Written = std::map<std::uint32_t, std::size_t>;

std::uint32_t place_of_source(const Trace& trace, const TraceStep& read) {
  return read.source < 0 ? 0 : trace.steps[static_cast<std::size_t>(read.source)].co_position;
}

}  // namespace

std::vector<std::size_t> event_steps(const Trace& trace) {
  std::vector<std::size_t> events;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (is_event(trace.steps[i].kind) && !left_waiting(trace.steps[i])) events.push_back(i);
  }
  return events;
}

std::vector<TraceDecision> decisions_in_order(const Trace& trace,
                                              std::span<const std::size_t> order) {
  const auto names = event_names(trace);
  const auto roles = thread_roles(trace);
  std::map<std::string, Written> written;
  std::vector<TraceDecision> decisions;
  std::map<std::uint32_t, TraceEventName> last;  // by thread
  std::uint32_t running = 0;
  const auto last_of = [&](std::uint32_t thread) {
    const auto found = last.find(thread);
    return found != last.end() ? found->second
                               : TraceEventName{roles.at(thread), std::string(start_site), 1};
  };
  for (const std::size_t index : order) {
    const TraceStep& step = trace.steps[index];
    if (step.thread != running) {
      decisions.push_back(
          {TraceDecision::Kind::run, last_of(running), {roles.at(step.thread), "", 0}, 0});
      running = step.thread;
    }
    last[step.thread] = names[index];
    if (step.kind == Kind::choose && step.choice != 0) {
      decisions.push_back({TraceDecision::Kind::choose, names[index], {}, step.choice});
    }
    Written& places = written[step.location];
    if (step.source != TraceStep::no_source && !places.empty() &&
        places.rbegin()->first > place_of_source(trace, step)) {
      const TraceEventName source =
          step.source < 0 ? TraceEventName{} : names[static_cast<std::size_t>(step.source)];
      decisions.push_back({TraceDecision::Kind::read, names[index], source, 0});
    }
    if (!step.written) continue;
    const auto behind = places.upper_bound(step.co_position);
    if (step.kind == Kind::store && behind != places.end()) {
      decisions.push_back({TraceDecision::Kind::place, names[index], names[behind->second], 0});
    }
    places[step.co_position] = index;
  }
  return decisions;
}

StorySize size_of(const Trace& trace) {
  StorySize size;
  size.steps = trace.steps.size();
  std::set<std::uint32_t> threads;
  std::map<std::string, std::uint32_t> newest;
  const TraceStep* before = nullptr;
  for (const TraceStep& step : trace.steps) {
    threads.insert(step.thread);
    if (step.kind == Kind::choose) size.choices += step.choice;
    if (step.stale) ++size.stale;
    if (step.kind == Kind::store && step.co_position != 0) {
      std::uint32_t& last = newest[step.location];
      if (step.co_position < last) ++size.stale;
      last = std::max(last, step.co_position);
    } else if (step.written) {
      newest[step.location] = std::max(newest[step.location], step.co_position);
    }
    // Where the threads stand in the end is no part of what they did.
    if (step.kind == Kind::blocked || step.kind == Kind::spin) continue;
    if (before != nullptr && before->thread != step.thread) ++size.switches;
    before = &step;
  }
  size.threads = threads.size();
  return size;
}

StoryCost cost_of(const Trace& trace, std::size_t decisions) {
  const StorySize size = size_of(trace);
  return {size.threads, size.stale, size.choices, size.switches, decisions, size.steps};
}

}  // namespace heddle::sim::trace
