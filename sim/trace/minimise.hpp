// Makes a failing execution as short a story as possible that still fails in the same way.
//
// Source: Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input (ddmin); Jalbert,
// Sen: A Trace Simplification Technique for Effective Debugging of Concurrent Programs (few
// switches). Deviation: what is made smaller is the list of decisions in which an execution differs
// from the plain one, so that a candidate is always an execution; none is trusted without a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/trace/story.hpp>

namespace heddle::sim::trace {

struct MinimiseProgress {
  std::uint64_t runs = 0;
  StorySize size;     ///< of the simplest so far
  const char* doing;  ///< what is tried now
};

struct MinimiseOptions {
  std::chrono::nanoseconds time_limit{0};  ///< 0: none. It makes the result depend on the machine
  std::uint64_t max_runs = 50'000;         ///< of the body; the result depends on nothing else
  std::function<void(const MinimiseProgress&)> on_progress{};
};

struct Minimised {
  Trace trace;  ///< the simplest that was found; as it was given when it was not followed
  StorySize before;
  StorySize after;
  std::uint64_t runs = 0;
  bool reproduced = false;  ///< the given trace failed when it was replayed
  std::string remark;  ///< what kept it from being simpler: a limit, a trace that was not followed
};

/// Threads:    any OS thread, not from inside of a body.
/// Errors:     std::invalid_argument as for explore().
/// Complexity: at most max_runs runs of the body.
Minimised minimise(const Trace& trace, const std::function<void()>& body,
                   const MinimiseOptions& options = {});

}  // namespace heddle::sim::trace
