// Scenarios in processes of their own, several at a time: one that crashes or does not come back
// costs its own result and nothing else.
//
// Threads:    the calling thread only; it must be the only one of the process (fork).
// Protocol:   1. fork; the child explores and sends messages through a pipe, each as its length and
//                JSON: {"progress": …} any number of times, then one {"report": …} or
//                {"refused": …}. A failure is sent twice: as it was found, and minimised; the last
//                one counts.
//             2. The parent reads what is there, and at the end of the stream collects the child.
//                An end without a result is a crash.
//             3. A child that is still there long after its time limit is killed: its body does not
//                come back from somewhere, so that the engine cannot end it.
//             4. SIGINT to the parent kills the children; their results say so.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>

#include <heddle/sim/cli/run_scenario.hpp>

namespace heddle::sim::cli {

struct PoolEvents {
  std::function<void(std::size_t job)> started;
  std::function<void(std::size_t job, const Progress&)> progress;
  std::function<void(std::size_t job, JobResult)> finished;
  std::function<void()> tick;  ///< several times a second
};

/// Runs all jobs, at most `processes` at once. `grace` is what a child may take beyond its time
/// limit.
void run_pool(const Program& program, std::span<const Job> jobs, std::size_t processes,
              const PoolEvents& events, std::chrono::nanoseconds grace = std::chrono::seconds(10));

}  // namespace heddle::sim::cli
