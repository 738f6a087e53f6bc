// Draws executions one after the other, each from the start, as a Scheduler chooses them. For
// bodies that are too large to be exhausted: memory is that of one execution, whatever their
// number, and the verdict is never `verified`.
//
// A failing execution is run once more, decision by decision, for its trace. So are the 1st, the
// 2nd, the 4th, the 8th, …: a body that does not repeat what it did is not deterministic.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include <heddle/sim/explore/driver.hpp>
#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/explore/report.hpp>
#include <heddle/sim/explore/sampling/saturation.hpp>
#include <heddle/sim/explore/sampling/scheduler.hpp>
#include <heddle/sim/explore/sampling/spin_watch.hpp>
#include <heddle/sim/explore/sampling/weak_reads.hpp>

namespace heddle::sim::engine {

class Sampler final : public Driver {
 public:
  Sampler(const Options& options, const std::function<void()>& body,
          std::unique_ptr<Scheduler> scheduler);

  Report explore();

  std::function<void(const Graph&)> on_complete;  ///< for tests: each complete execution

  // Driver
  bool at_once(const Event&) const override { return false; }
  ModelThread* pick(Execution& execution) override;
  void complete(Execution& execution, event_id added) override;

 private:
  using Clock = std::chrono::steady_clock;

  void count(RunEnd end, Report& report);
  bool out_of_budget(Report& report);
  void tell_progress(const Report& report);
  std::string bound(const Report& report) const;
  Trace record();
  void require_repeatable(Report& report);

  Options options_;
  Execution execution_;
  std::unique_ptr<Scheduler> scheduler_;
  WeakReads reads_;
  SpinWatch spins_;
  Saturation saturation_;
  Clock::time_point started_;
  Clock::duration last_progress_{};
  std::uint64_t runs_ = 0;

  // The run.
  Graph graph_;
  const ModelThread* last_ = nullptr;
  std::vector<ModelThread*> ready_;
  std::vector<ModelThread*> pending_;
};

}  // namespace heddle::sim::engine
