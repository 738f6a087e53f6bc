// Makes a graph of a structure: the body is run once along it, so that every event gets its
// operation, its values and its place in the source from the program of this process.
//
// The order in which events were added is no order in which they can run (a read may have been
// revisited by a later write), so the run follows a linear extension of porf, and the graph is put
// together from it afterwards, stamp by stamp. A thread does not go beyond its last event: what the
// code after it does may be a failure, or need events of the graph that are still missing.
#pragma once

#include <stdexcept>
#include <string>

#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/explore/structure.hpp>

namespace heddle::sim::engine {

/// The body does not do what the structure says.
class RebindError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `structure` has the numbers of the execution's naming (renumber()).
/// Errors: RebindError; DamagedBytes for a structure that is no graph.
Graph rebind(Execution& execution, const GraphStructure& structure);

}  // namespace heddle::sim::engine
