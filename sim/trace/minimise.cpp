#include <heddle/sim/trace/minimise.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/explore/explore.hpp>
#include <heddle/sim/trace/decisive.hpp>
#include <heddle/sim/trace/guided_runs.hpp>
#include <heddle/sim/trace/options_of.hpp>
#include <heddle/sim/trace/same_failure.hpp>
#include <heddle/sim/trace/shrinker.hpp>
#include <heddle/sim/trace/slice.hpp>

namespace heddle::sim::trace {
namespace {

constexpr std::uint64_t decisive_runs_max = 2000;

// Candidates may not be much longer than what they are to replace: what loops is none.
std::uint64_t steps_max_for(const Trace& trace) {
  constexpr std::uint64_t factor = 4;
  constexpr std::uint64_t least = 1000;
  return std::min(trace.max_steps, std::max(least, factor * trace.steps.size()));
}

// The best candidate as a trace of its own: recorded by an execution that has run nothing else, as
// the numbers of threads and objects depend on what was seen before.
std::optional<Trace> record(const Trace& given, const Candidate& best, const Options& options,
                            const std::function<void()>& body) {
  GuidedRuns fresh(options, body);
  Attempt attempt = fresh.run(best.story);
  if (!attempt.failed() || !same_failure(attempt.trace, best.trace, Lines::compare)) {
    return std::nullopt;
  }
  Trace trace = std::move(attempt.trace);
  trace.scenario = given.scenario;
  trace.execution = given.execution;
  trace.max_steps = given.max_steps;
  trace.decisions = attempt.taken;
  trace.decisive = decisive_step(trace, attempt.taken, fresh, decisive_runs_max);
  mark_needed(trace);
  const Report again = replay(trace, body);
  if (!again.failure || !same_failure(again.failure->trace, trace, Lines::compare)) {
    return std::nullopt;
  }
  return trace;
}

}  // namespace

Minimised minimise(const Trace& trace, const std::function<void()>& body,
                   const MinimiseOptions& options) {
  Minimised result;
  result.trace = trace;
  result.before = result.after = size_of(trace);
  const Report recorded = replay(trace, body);
  if (!recorded.failure || !same_failure(recorded.failure->trace, trace, Lines::ignore)) {
    result.remark = "the recorded failure does not come back when the trace is replayed";
    return result;
  }
  result.reproduced = true;
  if (!trace.weakened.empty()) {
    result.remark = "it ran with weakened memory orders: such traces stay as they are";
    return result;
  }
  const Trace& failing = recorded.failure->trace;
  Options run_options = options_of(trace);
  run_options.max_steps = steps_max_for(trace);
  GuidedRuns runs(run_options, body);
  Shrinker shrinker(failing, runs, options);
  const bool followed = shrinker.begin();
  if (followed) shrinker.shrink();
  result.runs = runs.count();
  if (!followed) {
    result.remark = "no list of decisions was found that makes this failure";
    return result;
  }
  if (shrinker.budget().spent()) {
    result.remark =
        shrinker.budget().by_time()
            ? "the time was over before everything had been tried"
            : fmt::format("{} runs were made before everything had been tried", runs.count());
  }
  auto simplest = record(trace, shrinker.best(), run_options, body);
  if (!simplest) {
    result.remark = "the simplest run did not fail in the same way when it was run again";
    return result;
  }
  // Decisions are counted alike, so that they do not decide.
  if (cost_of(*simplest, 0) > cost_of(failing, 0)) {
    result.remark = "nothing simpler was found";
    return result;
  }
  result.trace = std::move(*simplest);
  result.after = size_of(result.trace);
  return result;
}

}  // namespace heddle::sim::trace
