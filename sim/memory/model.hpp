// What a memory model decides: the clocks of an event, which writes a read may see, where a write
// may go, and whether a changed graph is consistent.
//
// To add a model: derive, give compute_clocks (hb decides coherence) and consistent (what coherence
// by construction does not cover), and name it in make_model.
#pragma once

#include <memory>

#include <heddle/sim/graph/graph.hpp>
#include <heddle/sim/memory/memory_model.hpp>

namespace heddle::sim::memory {

using graph::event_id;
using graph::Graph;
using graph::tick;

class Model {
 public:
  virtual ~Model() = default;

  /// Fills the rows of an event from its predecessor and its source. Rows are inclusive: they cover
  /// the event itself and what it synchronises with.
  virtual void compute_clocks(Graph& graph, event_id event) const = 0;

  /// The axioms that are not kept by construction. `changed` is the event whose source or place was
  /// changed last: it has no successor in its thread, and without it the graph is known to be
  /// consistent. no_event: nothing is known of the graph.
  virtual bool consistent(const Graph& graph, event_id changed) const = 0;

  /// Lets a read that has no source, or whose source has been undone, read from `source`: value,
  /// effect, the place of its write part directly behind the source, clocks.
  void take_source(Graph& graph, event_id read, event_id source) const;
};

std::unique_ptr<Model> make_model(MemoryModel which);

/// The porf row; the same under every model.
void compute_porf(Graph& graph, event_id event);

/// Everything that happens before the event, without what its own source adds. Never null.
const tick* hb_before(const Graph& graph, const graph::Event& event) noexcept;

/// Position in modification order of the oldest write that an access with the given happens-before
/// clock may still read (coherence): nothing before it is visible any more.
std::uint32_t oldest_visible(const Graph& graph, graph::location_id location,
                             const tick* clock) noexcept;

inline bool covers(const tick* clock, const graph::Event& event) noexcept {
  return clock[event.thread] > event.index;
}

}  // namespace heddle::sim::memory
