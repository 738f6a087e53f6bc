// One step of a trace in words: for columns, lists and code flows alike.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::report {

struct StepText {
  std::string action;                ///< "load T0.1 = 0x2a ← 4 (acquire)"
  std::vector<std::string> remarks;  ///< "stale: T0.1 was already 0x2b (step 7)"
};

/// What step `index` did. Works for steps that break the rules of traces too.
StepText text_of(const Trace& trace, std::size_t index);

/// A value as people write it: "0x2a", "7", "?" where there is none.
std::string value_text(const std::optional<std::string>& value);

/// "T3".
std::string thread_name(std::uint32_t thread);

/// "deque.hpp:93": the last part of the path, for narrow places. Empty when there is no file.
std::string short_place(const std::string& file, std::uint32_t line);

/// "scheduler/queues/deque.hpp:93".
std::string place(const std::string& file, std::uint32_t line);

}  // namespace heddle::sim::report
