// Where the reads and writes of a sampled execution go. Under SC a read takes the newest write, so
// an execution is an interleaving; under RC11 it takes one that coherence and the SC axiom leave
// it, as the scheduler says. Writes go to the end of modification order.
//
// Deviations: a read sees the newest StoreHistory::depth writes at most. An RMW that writes takes
//             the newest one, as it would otherwise stand between writes that others have seen in
//             order. The SC axiom is tested exactly while the execution is short; in a longer one
//             only reads that are harmless by the rule of ScOrder take old writes, which leaves
//             some weak behaviour out but lets nothing in that the model forbids.
#pragma once

#include <vector>

#include <heddle/sim/explore/sampling/sc_order.hpp>
#include <heddle/sim/explore/sampling/scheduler.hpp>
#include <heddle/sim/explore/sampling/store_history.hpp>

namespace heddle::sim::engine {

/// Completes an event that does not read; a write goes to the end of modification order.
void write_last(Execution& execution, event_id id);

class WeakReads {
 public:
  WeakReads(const Options& options, Scheduler& scheduler)
      : weak_(options.memory_model == MemoryModel::rc11), scheduler_(scheduler) {}

  void begin_run();
  /// True for an await that would only stop its thread.
  bool would_stop(const Graph& graph, const ModelThread& thread) const;
  void complete(Execution& execution, event_id id);

 private:
  // Executions with more events do without the exact test of the SC axiom.
  static constexpr std::size_t exact_events_max = 256;

  void complete_read(Execution& execution, event_id id);
  void add(Execution& execution, event_id id);
  bool offered(const Graph& graph, const Event& read, std::uint32_t position) const;
  bool harmless(const Graph& graph, const Event& read, const graph::tick* clock,
                std::uint32_t position) const;
  bool try_position(Execution& execution, event_id id, std::uint32_t position);
  void put_back(Graph& graph, event_id id);

  bool weak_;
  Scheduler& scheduler_;
  StoreHistory history_;
  ScOrder sc_order_;
  bool exact_only_ = false;  // a read was taken that the rule would not have let pass
  std::vector<std::uint32_t> positions_;
};

}  // namespace heddle::sim::engine
