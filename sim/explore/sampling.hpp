// Random walk: executions are drawn instead of enumerated, for bodies that are too large to
// exhaust.
//
// Each step goes to one of the threads that can go, with equal chances. Under SC a read takes the
// newest write, so a run is an interleaving; under RC11 it takes any write that coherence and the
// SC axiom leave it, the newest half of the time. Writes go to the end of modification order.
// Nothing is remembered between executions, so the verdict is never `verified`.
//
// Source: the uniform random scheduler of the literature; deviation: the bias towards new values,
//         which keeps loops short.
#pragma once

#include <functional>
#include <random>

#include <heddle/sim/explore/driver.hpp>
#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/explore/report.hpp>

namespace heddle::sim::engine {

class RandomWalk final : public Driver {
 public:
  RandomWalk(const Options& options, const std::function<void()>& body);

  Report explore();

  // Driver
  bool at_once(const Event&) const override { return false; }
  ModelThread* pick(Execution& execution) override;
  void complete(Execution& execution, event_id added) override;

 private:
  void complete_read(Execution& execution, event_id id);
  bool take_source(Execution& execution, event_id id, event_id source);
  void undo_source(Graph& graph, event_id id);
  std::uint32_t below(std::uint32_t bound);
  Trace record(Graph& graph);

  Options options_;
  Execution execution_;
  std::mt19937_64 schedule_;  // one stream per purpose, so that data does not move the schedule
  std::mt19937_64 data_;
  std::vector<ModelThread*> ready_;
};

}  // namespace heddle::sim::engine
