// The threads that still wait when the execution ends: for what, and who could have let them go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::report {

struct Wait {
  std::uint32_t thread = 0;
  std::size_t step = 0;             ///< the step of kind blocked
  std::string what;                 ///< "waits for a free mutex (mutex T0.2)"
  std::optional<std::uint32_t> on;  ///< the one thread that could end the wait, if known
  std::string who;                  ///< "T2 holds it since step 3 (locks.cpp:31)"
};

std::vector<Wait> waits(const Trace& trace);

/// A ring of threads each of which waits for the next ("T1 → T2 → T1"), or nothing.
std::string ring(const std::vector<Wait>& all);

}  // namespace heddle::sim::report
