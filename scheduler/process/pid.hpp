// The name of a process: a slot of the scheduler's slab, and which of the slot's occupants is
// meant. Copyable, comparable, and safe to use for ever: once the process is gone it names nothing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

struct Pid {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  /// False for a default-constructed Pid, which names nothing. No process has generation 0.
  explicit operator bool() const noexcept { return generation != 0; }
  friend auto operator<=>(const Pid&, const Pid&) = default;
};

}  // namespace heddle::inline HEDDLE_ON

template <>
struct std::hash<heddle::Pid> {
  std::size_t operator()(const heddle::Pid& pid) const noexcept {
    return std::hash<std::uint64_t>{}(std::uint64_t{pid.slot} << 32 | pid.generation);
  }
};
