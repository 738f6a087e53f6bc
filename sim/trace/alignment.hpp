// Which event of an edited body stands for which event of a recorded one.
#pragma once

#include <span>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

/// The decisions of `recorded` in the names of `now`: per thread, the events of both are laid
/// beside each other so that as many as possible agree in kind, function and file (and best in
/// order and role), and what is left over was added or removed. Names without a counterpart stay.
/// Source: Needleman, Wunsch (global alignment of sequences).
std::vector<TraceDecision> renamed(std::span<const TraceDecision> decisions, const Trace& recorded,
                                   const Trace& now);

}  // namespace heddle::sim::trace
