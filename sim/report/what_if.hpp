// A trace with other memory orders or with more fences: what the same steps would be with them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::report {

/// `order` and at least `wanted` ("release", "acquire" or "seq_cst"): "acq_rel" for a
/// read-modify-write that gets its second half.
std::string strengthened(const TraceStep& step, const std::string& wanted);

/// All steps that share the place in the source and the kind of `index` get the order: one site has
/// one order.
void strengthen_site(Trace& trace, std::size_t index, const std::string& wanted);

/// A seq_cst fence behind each of these steps, which must be sorted.
Trace with_fences(const Trace& trace, const std::vector<std::size_t>& behind);

/// Where a step of the trace is after with_fences().
std::size_t moved(std::size_t step, const std::vector<std::size_t>& behind);

}  // namespace heddle::sim::report
