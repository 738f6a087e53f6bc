// Which operations of a trace are the ones that a failed linearization names.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <heddle/sim/report/history.hpp>

namespace heddle::sim::report {

enum class Part : std::uint8_t { none, context, conflict };

/// One for each operation. The message is that of the linearizability checker, whose lines are
/// "  #6   thread 0   pop() -> 2   after #1"; other messages name none.
std::vector<Part> parts_in_conflict(std::string_view message,
                                    const std::vector<Operation>& operations);

}  // namespace heddle::sim::report
