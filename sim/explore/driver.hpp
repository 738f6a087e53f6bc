// Who decides in an execution: which thread goes next once the known part of the graph has been
// replayed, and where a new event takes its value from or goes to.
#pragma once

#include <heddle/sim/graph/graph.hpp>

namespace heddle::sim::engine {

class Execution;
struct ModelThread;

class Driver {
 public:
  virtual ~Driver() = default;

  /// True when the thread that arrives at this event may add it without asking pick().
  virtual bool at_once(const graph::Event& next) const = 0;
  /// The thread that goes next, among those that Execution::can_go says can; nullptr ends the run.
  virtual ModelThread* pick(Execution& execution) = 0;
  /// Completes an event that was just appended: source, place, clocks.
  virtual void complete(Execution& execution, graph::event_id added) = 0;
};

}  // namespace heddle::sim::engine
