#include "axioms.hpp"

namespace heddle::litmus {

namespace {

Relation same_location(const Graph& graph) {
  Relation result;
  for (int a = 0; a < events_max; ++a) {
    for (int b = 0; b < events_max; ++b) {
      if (graph.location[a] != 0 && graph.location[a] == graph.location[b]) result.add(a, b);
    }
  }
  return result;
}

Relation from_read(const Graph& graph) {
  return (graph.rf.inverse() * graph.co) - Relation::identity(~EventSet{0});
}

Relation synchronises_with(const Graph& graph) {
  const Relation fence = Relation::identity(graph.fences);
  const Relation write = Relation::identity(graph.writes);
  const Relation release = Relation::identity(graph.release);
  const Relation acquire = Relation::identity(graph.acquire);
  const Relation read = Relation::identity(graph.reads);

  const Relation release_sequence = write * (graph.rf * graph.rmw).closure().reflexive();
  return release * (fence * graph.po).reflexive() * release_sequence * graph.rf * read *
         (graph.po * fence).reflexive() * acquire;
}

bool atomic(const Graph& graph) { return (graph.rmw & (from_read(graph) * graph.co)).empty(); }

bool sequentially_consistent(const Graph& graph) {
  return (graph.po | graph.rf | graph.co | from_read(graph)).acyclic() && atomic(graph);
}

/// The last axiom of RC11: acyclic(psc_base ∪ psc_F).
bool seq_cst_ordered(const Graph& graph, const Relation& hb, const Relation& eco) {
  const Relation same = same_location(graph);
  const Relation sc = Relation::identity(graph.seq_cst);
  const Relation sc_fence = Relation::identity(graph.seq_cst & graph.fences);
  // Cells are data, not communication: psc is about the atomic events alone.
  const Relation atomic_events = Relation::identity(~graph.cells);
  const Relation po = atomic_events * graph.po * atomic_events;
  const Relation po_elsewhere = po - same;

  const Relation scb =
      po | po_elsewhere * hb * po_elsewhere | (hb & same) | graph.co | from_read(graph);
  const Relation psc_base =
      (sc | sc_fence * hb.reflexive()) * scb * (sc | hb.reflexive() * sc_fence);
  const Relation psc_fence = sc_fence * (hb | hb * eco * hb) * sc_fence;
  return (psc_base | psc_fence).acyclic();
}

bool rc11_consistent(const Graph& graph) {
  if (!(graph.po | graph.rf).acyclic()) return false;  // no thin air
  if (!atomic(graph)) return false;
  const Relation hb = happens_before(graph);
  const Relation eco = (graph.rf | graph.co | from_read(graph)).closure();
  if (!(hb * eco.reflexive()).irreflexive()) return false;  // coherence
  return seq_cst_ordered(graph, hb, eco);
}

}  // namespace

Relation happens_before(const Graph& graph) {
  return (graph.po | synchronises_with(graph)).closure();
}

bool consistent(const Graph& graph, Model model) {
  return model == Model::sc ? sequentially_consistent(graph) : rc11_consistent(graph);
}

bool has_race(const Graph& graph, Model model) {
  const Relation conflicting = (Relation::product(graph.cells, graph.cell_writes) |
                                Relation::product(graph.cell_writes, graph.cells)) &
                               same_location(graph);
  const Relation hb = model == Model::sc ? (graph.po | graph.rf).closure() : happens_before(graph);
  const Relation ordered = (hb | hb.inverse()).reflexive();
  return !(conflicting - ordered).empty();
}

}  // namespace heddle::litmus
