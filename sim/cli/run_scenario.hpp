// One scenario explored, in this process or in one of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/explore/sites.hpp>

namespace heddle::sim::cli {

struct Job {
  const Scenario* scenario = nullptr;
  Options options;
  bool minimise = false;    ///< the trace of a failure
  bool with_sites = false;  ///< tell what was reached
  std::optional<TraceWeakening> weakening{};
};

/// What became of a job.
struct JobResult {
  Report report;
  std::string refused;   ///< not empty: the engine refused the options, and this is why
  std::string crash;     ///< not empty: the process died, and this is how
  SiteOutcomes sites{};  ///< Job::with_sites
};

using OnProgress = std::function<void(const Progress&)>;

using OnFound = std::function<void(const JobResult&)>;

/// Explores in this process. Exceptions of the engine become results. A failure is given to
/// `on_found` before its trace is minimised, so that it is safe whatever the minimiser does.
JobResult run_here(const Program& program, const Job& job, const OnProgress& on_progress,
                   const OnFound& on_found = {});

}  // namespace heddle::sim::cli
