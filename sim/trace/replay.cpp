#include <fmt/format.h>

#include <stdexcept>

#include <heddle/sim/explore/explore.hpp>
#include <heddle/sim/explore/sites.hpp>
#include <heddle/sim/trace/options_of.hpp>
#include <heddle/sim/trace/replay_driver.hpp>

namespace heddle::sim {

Report replay(const Trace& trace, const std::function<void()>& body) {
  return replay(trace, body, {});
}

Report replay(const Trace& trace, const std::function<void()>& body,
              const std::function<void(std::uint64_t)>& before_step) {
  if (!body) throw std::invalid_argument("sim::replay: the body is empty");
  if (runtime::current_core != nullptr) {
    throw std::invalid_argument("sim::replay: called from inside of a body");
  }
  Options options = trace::options_of(trace);
  SiteWeakener weakener(trace.weakened);
  if (!trace.weakened.empty()) options.sites = &weakener;
  engine::Execution execution(options, body);
  execution.set_recording(true);
  engine::ReplayDriver driver(trace, before_step);
  graph::Graph graph;
  Report report;
  switch (execution.run(graph, driver)) {
    case engine::RunEnd::failed: {
      Trace again = execution.trace();
      again.scenario = trace.scenario;
      again.execution = trace.execution;
      again.weakened = trace.weakened;
      report.verdict = Verdict::failed;
      report.failures = 1;
      report.failure = Failure{again.failure, again.message, std::move(again)};
      break;
    }
    case engine::RunEnd::complete:
    case engine::RunEnd::blocked:
      report.verdict = Verdict::verified;
      report.executions = 1;
      break;
    case engine::RunEnd::limit:
      report.verdict = Verdict::incomplete;
      report.bound = execution.limit();
      break;
    case engine::RunEnd::stopped:
      report.verdict = Verdict::incomplete;
      report.bound = driver.difference();
      break;
  }
  return report;
}

}  // namespace heddle::sim
