// The SC axiom for sampled executions, by a rule that needs no search.
//
// If every edge that the axiom forbids in a cycle (psc) goes from an event to one that was executed
// later, there is no cycle. Only a read of an old write makes edges that go back: from what comes
// before the read, to what comes after the writes that it does not see. So a read of an old write
// is harmless when no SC event lies between: none that was executed after the first write that the
// read does not see, and before the last SC event that happens before the read (or is the read).
//
// Threads are those of one execution. Complexity: logarithmic in the number of SC events.
#pragma once

#include <cstdint>
#include <vector>

#include <heddle/sim/graph/graph.hpp>

namespace heddle::sim::engine {

class ScOrder {
 public:
  void clear();
  /// An event was executed. Those that are not seq_cst are ignored.
  void add(graph::event_id id, const graph::Event& event);
  /// True when `read`, not yet executed, with this happens-before clock and this order, cannot
  /// break the axiom by not seeing `overwriting`, which stands next after what it would read.
  bool harmless(const graph::tick* clock, std::memory_order order,
                graph::event_id overwriting) const noexcept;

 private:
  struct Entry {
    std::uint32_t index;
    graph::event_id id;
  };
  std::vector<graph::event_id> all_;
  std::vector<std::vector<Entry>> threads_;
};

}  // namespace heddle::sim::engine
