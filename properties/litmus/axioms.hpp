// What a consistent execution graph is, as the papers write it.
//
// RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11
//       (PLDI 2017), §3, with two deliberate choices: release sequences are those of C++20 (only
//       read-modify-writes continue them), and a fence, which has no location, counts as an event
//       at another location in po|≠loc (R|≠loc = R \ R|=loc).
// SC:   acyclic(po ∪ rf ∪ co ∪ fr), and atomicity.
//
// Every axiom says that a relation is empty, irreflexive or acyclic, and that relation only grows
// when events or edges are added to the graph. So a part of an inconsistent graph may be found
// inconsistent early, but a part of a consistent one never is: the enumeration prunes by that.
#pragma once

#include <array>

#include "program.hpp"
#include "relation.hpp"

namespace heddle::litmus {

/// An execution graph, whole or in the making. A read-modify-write is two events, its read and its
/// write, joined by po and by rmw; one that failed is its read alone.
struct Graph {
  EventSet reads = 0;
  EventSet writes = 0;  ///< initial writes included
  EventSet fences = 0;
  EventSet acquire = 0;  ///< reads and fences of at least that strength
  EventSet release = 0;  ///< writes and fences of at least that strength
  EventSet seq_cst = 0;
  EventSet cells = 0;  ///< non-atomic accesses: part of po and hb, but of no axiom
  EventSet cell_writes = 0;
  std::array<char, events_max> location{};  ///< 0: none
  Relation po;                              ///< initial writes come before everything
  Relation rf;
  Relation co;
  Relation rmw;
};

Relation happens_before(const Graph& graph);
bool consistent(const Graph& graph, Model model);
/// Two accesses to one cell, one a write, that happens-before leaves unordered. Under sc every read
/// synchronises, so happens-before is (po ∪ rf)+.
bool has_race(const Graph& graph, Model model);

}  // namespace heddle::litmus
