// Runs a sampled execution again, event by event, as the replay of a trace does: a thread runs when
// the next event is its own, and after the last event the one that failed runs first.
#pragma once

#include <heddle/sim/explore/driver.hpp>
#include <heddle/sim/explore/execution.hpp>

namespace heddle::sim::engine {

class Redo final : public Driver {
 public:
  /// `known` was run to the end with writes placed in the order in which they were executed.
  Redo(const Graph& known, graph::thread_id failed) : known_(known), failed_(failed) {}

  bool at_once(const Event&) const override { return false; }
  ModelThread* pick(Execution& execution) override;
  void complete(Execution& execution, event_id added) override;

 private:
  const Graph& known_;
  graph::thread_id failed_;
};

}  // namespace heddle::sim::engine
