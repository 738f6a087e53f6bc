// A trace as the decisions that make it, and how large a trace is as a story.
#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

/// The steps that are events, without the awaits at which threads are left waiting in the end.
std::vector<std::size_t> event_steps(const Trace& trace);

/// The decisions that run the events of `trace` in the given order. Some may be what happens
/// anyway; a guided run tells which.
std::vector<TraceDecision> decisions_in_order(const Trace& trace,
                                              std::span<const std::size_t> order);

inline std::vector<TraceDecision> decisions_of(const Trace& trace) {
  return decisions_in_order(trace, event_steps(trace));
}

struct StorySize {
  std::size_t steps = 0;
  std::size_t threads = 0;
  std::size_t switches = 0;  ///< how often another thread goes on
  std::size_t stale = 0;     ///< reads of an old value, and writes into the past
  std::size_t choices = 0;   ///< sum of what choose() gave

  friend bool operator==(const StorySize&, const StorySize&) = default;
};

StorySize size_of(const Trace& trace);

/// Smaller is simpler: threads, then what only weak memory does, then choices, switches, decisions,
/// steps.
struct StoryCost {
  std::size_t threads = 0;
  std::size_t stale = 0;
  std::size_t choices = 0;
  std::size_t switches = 0;
  std::size_t decisions = 0;
  std::size_t steps = 0;

  friend auto operator<=>(const StoryCost&, const StoryCost&) = default;
};

StoryCost cost_of(const Trace& trace, std::size_t decisions);

}  // namespace heddle::sim::trace
