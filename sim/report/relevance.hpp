// What of a trace matters for its failure: the steps that the failure depends on. A step that
// neither program order nor reads-from connects with it could be left out, and the failure would
// still be there.
#pragma once

#include <vector>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/report/relations.hpp>

namespace heddle::sim::report {

/// One flag per step: it is in the porf prefix of where the failure shows, of a write that a stale
/// read in there has missed, or of the operation history.
std::vector<bool> relevant_steps(const Trace& trace, const Relations& relations);

}  // namespace heddle::sim::report
