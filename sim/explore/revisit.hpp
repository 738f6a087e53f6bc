// Backward revisits: which reads that are already in the graph could have read a new write, and
// from which of the equivalent graphs the search lets that happen.
//
// Every consistent graph has one canonical parent: take back the last revisit and grow what it
// deleted again in the most boring way. maximal_extension() accepts exactly that graph, so each
// graph is reached once and nothing about visited graphs has to be stored.
//
// Source: TruSt (POPL 2022); the conditions are numbered as in docs/architecture.md.
#pragma once

#include <vector>

#include <heddle/sim/memory/model.hpp>

namespace heddle::sim::engine {

struct RevisitSet {
  std::vector<graph::event_id> backward;        ///< to be read from a copy, by descending id
  std::vector<graph::event_id> in_place_reads;  ///< stopped awaits that take the write as they are
};

/// Which reads may take the write `w`, which has just been placed.
void find_revisits(const graph::Graph& graph, graph::event_id w, RevisitSet& found);

/// True when everything that a revisit of `read` by `write` deletes was added maximally.
bool maximal_extension(const graph::Graph& graph, graph::event_id read, graph::event_id write);

/// The RMW that reads from the same write as the RMW `id`, or no_event.
graph::event_id conflicting_rmw(const graph::Graph& graph, graph::event_id id) noexcept;

}  // namespace heddle::sim::engine
