#include <heddle/sim/cli/run_scenario.hpp>

#include <exception>
#include <stdexcept>
#include <vector>

namespace heddle::sim::cli {

JobResult run_here(const Program& program, const Job& job, const OnProgress& on_progress) {
  JobResult result;
  Options options = job.options;
  options.on_progress = on_progress;
  SiteRecorder recorder;
  std::optional<SiteWeakener> weakener;
  if (job.with_sites) options.sites = &recorder;
  if (job.weakening) options.sites = &weakener.emplace(std::vector{*job.weakening});
  try {
    result.report = program.explore(options, job.scenario->body);
  } catch (const std::invalid_argument& error) {
    result.refused = error.what();
  } catch (const std::exception& error) {
    result.report.verdict = Verdict::internal_error;
    result.report.bound = error.what();
  }
  result.sites = recorder.outcomes();
  if (result.report.failure) {
    Trace& trace = result.report.failure->trace;
    trace.scenario = job.scenario->name;
    if (job.weakening) trace.weakened = {*job.weakening};
  }
  return result;
}

}  // namespace heddle::sim::cli
