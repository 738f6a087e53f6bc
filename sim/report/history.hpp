// The operation history: the calls of the object under test as intervals of the trace's time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::report {

struct Operation {
  std::uint32_t thread = 0;
  std::size_t called = 0;               ///< step
  std::optional<std::size_t> returned;  ///< step; nothing when it never returned
  std::string call;
  std::string result;
};

/// In the order of their calls. Operations of one thread may be nested.
std::vector<Operation> operations(const Trace& trace);

/// One line per operation with its interval drawn to scale, at most `width` columns wide; nothing
/// when there is none.
std::vector<std::string> history_lines(const Trace& trace, std::size_t width);

}  // namespace heddle::sim::report
