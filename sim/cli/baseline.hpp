// Scenarios as they are, together with the sites that they reach: where audit, coverage and gate
// begin.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/sim/cli/pool.hpp>
#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/report/check_result.hpp>
#include <heddle/sim/report/progress.hpp>

namespace heddle::sim::cli {

struct Baseline {
  const Scenario* scenario = nullptr;
  report::CheckResult result;
  SiteOutcomes sites;
};

struct BaselineQuestion {
  std::vector<const Scenario*> scenarios;
  MemoryModel memory_model = MemoryModel::rc11;
  std::size_t processes = 1;
  std::chrono::nanoseconds each{0};  ///< limit per scenario; 0: none
  bool quiet = false;
};

std::vector<Baseline> run_baseline(const Program& program, const BaselineQuestion& question,
                                   Console& console);

report::ProgressLine::Mode progress_mode(bool quiet, const Console& console);

/// Progress of a pool's jobs, known by `names`.
PoolEvents progress_events(report::ProgressLine& line, std::span<const std::string> names,
                           std::function<void(std::size_t, JobResult)> finished);

/// True for sites in a file whose path begins with one of `prefixes`; without any, for all that do
/// not belong to the simulator.
bool is_asked_for(const Site& site, std::span<const std::string> prefixes);

}  // namespace heddle::sim::cli
