#include <heddle/sim/cli/run_scenario.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

#include <heddle/sim/explore/worker_died.hpp>

namespace heddle::sim::cli {

namespace {

// A failure is rare, but a known-bad scenario fails in every check: the work is bounded by runs,
// not by time, so that the same failure gives the same trace on every machine. The time is for
// bodies that are out of the ordinary.
trace::MinimiseOptions quick() {
  trace::MinimiseOptions options;
  options.max_runs = 3000;
  options.time_limit = std::chrono::seconds(30);
  return options;
}

void minimise(const Program& program, const Job& job, Failure& failure) {
  trace::Minimised simpler = program.minimise(failure.trace, job.scenario->body, quick());
  if (!simpler.reproduced) return;
  failure.trace = std::move(simpler.trace);
  failure.message = failure.trace.message;
}

}  // namespace

JobResult run_here(const Program& program, const Job& job, const OnProgress& on_progress,
                   const OnFound& on_found) {
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
  } catch (const WorkerDied& error) {
    result.crash = error.what();
  } catch (const std::exception& error) {
    result.report.verdict = Verdict::internal_error;
    result.report.bound = error.what();
  }
  result.sites = recorder.outcomes();
  if (!result.report.failure) return result;
  Failure& failure = *result.report.failure;
  failure.trace.scenario = job.scenario->name;
  if (job.weakening) failure.trace.weakened = {*job.weakening};
  if (!job.minimise || !program.minimise) return result;
  if (on_found) on_found(result);
  try {
    minimise(program, job, failure);
  } catch (const std::exception&) {
    // What was found stands as it is: the failure must not be lost to its own improvement.
  }
  return result;
}

}  // namespace heddle::sim::cli
