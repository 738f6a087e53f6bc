// Which stronger memory order would forbid a read of an old value.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <heddle/sim/trace/guided_runs.hpp>

namespace heddle::sim::trace {

/// "an acquire at a.hpp:7 would forbid it", "a release at …", both, or what else does. `decision`
/// is the index of the read in `story`. At most `runs_max` runs.
std::string what_would_forbid(const Trace& trace, std::span<const TraceDecision> story,
                              std::size_t decision, GuidedRuns& runs, std::uint64_t runs_max);

/// "deque.hpp:88".
std::string short_place(const TraceStep& step);

}  // namespace heddle::sim::trace
