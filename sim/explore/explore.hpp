// The two ways to run a body: every execution of it, or one that was recorded.
#pragma once

#include <cstdint>
#include <functional>

#include <heddle/sim/explore/report.hpp>

namespace heddle::sim {

/// Runs `body` as model thread 0 in every execution that the memory model allows (or in sampled
/// ones, see Options::strategy). The body must do the same whenever it is run again.
/// Threads: any OS thread; several explorations may run at once. Not from inside a body.
/// Errors: std::invalid_argument for options out of range and for a checkpoint that does not fit
/// (CheckpointError); with Options::jobs > 1, WorkerDied when the code under test ends a process.
/// Complexity: memory linear in the longest execution, not in their number.
/// Source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic
/// Partial Order Reduction (POPL 2022).
Report explore(const Options& options, const std::function<void()>& body);

/// Runs the recorded execution again. verdict `failed` with the recorded failure: reproduced;
/// `verified`: the execution ran to its end without it; `incomplete` with `bound` saying at which
/// step and what differs: the body is no longer the one that was recorded.
Report replay(const Trace& trace, const std::function<void()>& body);

/// The same, for debuggers: calls `before_step(n)` on the thread that is about to take step n of
/// `trace.steps` (`heddle replay --break-at n` stops there). It must not use sync objects.
Report replay(const Trace& trace, const std::function<void()>& body,
              const std::function<void(std::uint64_t)>& before_step);

}  // namespace heddle::sim
