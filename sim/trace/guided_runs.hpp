// Many runs of one body, each along its own decisions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/explore/options.hpp>
#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/trace/guided_driver.hpp>

namespace heddle::sim::trace {

enum class Keep : std::uint8_t { every_trace, failing_traces };

/// What a run along decisions came to.
struct Attempt {
  engine::RunEnd end{};
  Trace trace;  ///< its failure fields are meant only when `end` is failed
  std::vector<TraceDecision> taken;
  std::vector<engine::Followed> followed;
  std::vector<TraceDecision> alternatives;

  bool failed() const noexcept { return end == engine::RunEnd::failed; }
  /// Ran to its end, or to where only another branch could go on.
  bool passed() const noexcept {
    return end == engine::RunEnd::complete || end == engine::RunEnd::blocked;
  }
};

class GuidedRuns {
 public:
  GuidedRuns(const Options& options, const std::function<void()>& body);

  Attempt run(const engine::Guidance& guidance, Keep keep = Keep::every_trace);
  Attempt run(std::span<const TraceDecision> decisions, Keep keep = Keep::every_trace) {
    engine::Guidance guidance;
    guidance.decisions = decisions;
    return run(guidance, keep);
  }
  std::uint64_t count() const noexcept { return count_; }

 private:
  engine::Execution execution_;
  engine::EventNumbers numbers_;
  std::uint64_t count_ = 0;
};

}  // namespace heddle::sim::trace
