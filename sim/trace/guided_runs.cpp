#include <heddle/sim/trace/guided_runs.hpp>

namespace heddle::sim::trace {

GuidedRuns::GuidedRuns(const Options& options, const std::function<void()>& body)
    : execution_(options, body) {
  execution_.set_recording(true);
}

Attempt GuidedRuns::run(const engine::Guidance& guidance, Keep keep) {
  ++count_;
  engine::GuidedDriver driver(guidance, numbers_);
  graph::Graph graph;
  Attempt attempt;
  attempt.end = execution_.run(graph, driver);
  const bool wanted = attempt.failed() || keep == Keep::every_trace;
  if (wanted && attempt.end != engine::RunEnd::limit) attempt.trace = execution_.trace();
  attempt.taken = driver.taken();
  attempt.followed = driver.followed();
  attempt.alternatives = driver.alternatives();
  return attempt;
}

}  // namespace heddle::sim::trace
