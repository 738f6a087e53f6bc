// Sequential consistency: po, rf, co and fr have no cycle.
#pragma once

#include <vector>

#include <heddle/sim/memory/model.hpp>

namespace heddle::sim::memory {

class SequentialConsistency final : public Model {
 public:
  void compute_clocks(Graph& graph, event_id event) const override;
  bool consistent(const Graph& graph, event_id changed) const override;

 private:
  bool executable(const Graph& graph) const;
  bool reaches_itself(const Graph& graph, event_id changed) const;

  // Reused between calls.
  mutable std::vector<std::uint32_t> next_;          // per thread: events executed
  mutable std::vector<std::uint32_t> current_;       // per location: position of the last write
  mutable std::vector<std::uint32_t> readers_left_;  // per event: reads of it still to come
  mutable std::vector<std::uint32_t> initial_readers_left_;
  mutable std::vector<std::uint32_t> reached_;  // per thread: first index that can be reached
  mutable std::vector<std::uint32_t> todo_;     // threads with newly reached events
  mutable std::vector<std::uint32_t> done_;     // per thread: first index that has been followed
  mutable std::vector<tick> goal_;
};

}  // namespace heddle::sim::memory
