// When two failures are the same one: of the same kind, at the same place, about the same thing.
#pragma once

#include <cstdint>
#include <string>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

enum class Lines : std::uint8_t {
  compare,  ///< the same source: lines count
  ignore    ///< the source may have been edited: files count, lines do not
};

/// Equal for the same failure. For a check the place and the first line of the message, without its
/// numbers; for a race the pair of accesses, in either order; for threads that wait for ever the
/// places where they wait. Thread numbers are no part of it.
std::string failure_signature(const Trace& trace, Lines lines);

inline bool same_failure(const Trace& a, const Trace& b, Lines lines) {
  return failure_signature(a, lines) == failure_signature(b, lines);
}

}  // namespace heddle::sim::trace
