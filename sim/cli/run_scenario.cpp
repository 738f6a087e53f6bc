#include <heddle/sim/cli/run_scenario.hpp>

#include <exception>
#include <stdexcept>

#include <heddle/sim/explore/worker_died.hpp>

namespace heddle::sim::cli {

JobResult run_here(const Program& program, const Job& job, const OnProgress& on_progress) {
  JobResult result;
  Options options = job.options;
  options.on_progress = on_progress;
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
  if (result.report.failure) result.report.failure->trace.scenario = job.scenario->name;
  return result;
}

}  // namespace heddle::sim::cli
