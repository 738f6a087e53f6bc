// Drives an execution along a recorded one: the recorded order of threads, sources and places.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <heddle/sim/explore/driver.hpp>
#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/trace/value_match.hpp>

namespace heddle::sim::engine {

class ReplayDriver final : public Driver {
 public:
  ReplayDriver(const Trace& trace, std::function<void(std::uint64_t)> before_step);

  bool at_once(const Event&) const override { return false; }
  ModelThread* pick(Execution& execution) override;
  void complete(Execution& execution, event_id added) override;

  /// Empty, or at which step the body and the trace part and what differs.
  const std::string& difference() const noexcept { return difference_; }
  /// True when every recorded event was taken.
  bool finished() const noexcept { return next_ == events_.size(); }

 private:
  [[noreturn]] void differs(Execution& execution, const Event& found, const std::string& what);
  ModelThread* pick_after_end(Execution& execution);
  void take_step(Execution& execution, event_id id);
  void go_on(Graph& graph, event_id id);
  std::uint32_t place_among(const Graph& graph, event_id id, std::uint32_t final_position) const;

  const Trace& trace_;
  std::function<void(std::uint64_t)> before_step_;
  std::vector<std::size_t> events_;  // indices of the steps that are events
  std::size_t next_ = 0;             // into events_
  std::vector<event_id> event_of_step_;
  std::vector<std::uint32_t> final_position_;     // by event id
  std::uint32_t beyond_the_trace_ = 0x8000'0000;  // position of the next write after the last step
  trace::ValueMatch values_;
  std::string difference_;
};

}  // namespace heddle::sim::engine
