// An execution graph without its values: which event of which thread, in which order they were
// added, who reads from whom, and the modification orders. This is what another process needs to
// go on from it; the values (pointers among them) are that process's own, see rebind.hpp.
//
// Threads and locations are written with their origins (who made them, and as its how-manieth), as
// their numbers may differ from process to process.
#pragma once

#include <cstdint>
#include <vector>

#include <heddle/sim/explore/bytes.hpp>
#include <heddle/sim/explore/naming.hpp>
#include <heddle/sim/graph/graph.hpp>

namespace heddle::sim::engine {

/// The names behind the numbers in a structure.
struct Names {
  std::vector<Naming::Origin> threads;
  std::vector<Naming::Origin> locations;
};

struct EventStructure {
  graph::EventKind kind{};
  bool writes = false;
  bool revisitable = false;
  bool maximal = false;
  bool in_place = false;
  bool waits = false;
  graph::thread_id thread = 0;
  graph::location_id location = 0;
  graph::event_id source = graph::no_event;
  graph::event_id base = graph::no_event;
  std::uint32_t argument = 0;
};

struct GraphStructure {
  std::vector<EventStructure> events;            ///< by stamp
  std::vector<std::vector<graph::event_id>> co;  ///< by location
};

Names names_of(const Naming& naming);
GraphStructure structure_of(const graph::Graph& graph);

/// Gives the structure the numbers that threads and locations have in `naming`, which learns the
/// names that it does not know yet. Errors: DamagedBytes for names that nobody can have.
void renumber(GraphStructure& structure, const Names& names, Naming& naming);

void write(ByteWriter& out, const Names& names);
void write(ByteWriter& out, const GraphStructure& structure);
Names read_names(ByteReader& in);
/// Errors: DamagedBytes for anything that no graph can have.
GraphStructure read_structure(ByteReader& in);

}  // namespace heddle::sim::engine
