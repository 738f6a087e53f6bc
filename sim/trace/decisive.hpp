// The decisive step of a failure, in one sentence: what has to happen for it, found by leaving out
// one decision after the other until the run passes, and for a read of an old value by
// strengthening memory orders, one access after the other, until the read is no longer allowed.
//
// Source: Choi, Zeller: Isolating Failure-Inducing Thread Schedules. Deviation: the failing run is
// a minimal one already, so its neighbours are the runs with one decision less.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <heddle/sim/trace/guided_runs.hpp>

namespace heddle::sim::trace {

/// `trace` is the run along `story`. At most `runs_max` runs; empty when they do not tell.
std::string decisive_step(const Trace& trace, std::span<const TraceDecision> story,
                          GuidedRuns& runs, std::uint64_t runs_max);

}  // namespace heddle::sim::trace
