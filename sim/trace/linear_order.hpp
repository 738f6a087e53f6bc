// The order in which a recorded execution is told with the fewest stale reads and then the fewest
// thread switches. The execution itself, who read from whom, stays the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

enum class Until : std::uint8_t {
  failing_thread_done,  ///< what the failing thread does not need may be left out
  all_done
};

/// The events of the trace (its step numbers) in that order; nothing when there are more than
/// `states_max` ways to have done a part of it.
/// Complexity: O(states * threads * log), states up to the product of the threads' lengths.
std::optional<std::vector<std::size_t>> simplest_order(const Trace& trace, Until until,
                                                       std::size_t states_max);

}  // namespace heddle::sim::trace
