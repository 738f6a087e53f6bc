// Makes up litmus programs: small, of many shapes, the same for the same seed on every platform.
#pragma once

#include <cstdint>

#include "program.hpp"

namespace heddle::litmus {

enum class Flavour : std::uint8_t {
  any,      ///< all operations, all orders
  seq_cst,  ///< mostly seq_cst accesses and fences, where psc decides
  chains,   ///< mostly read-modify-writes with release and acquire on few locations
  fences,   ///< relaxed accesses between fences
  waits,    ///< awaits, assumptions and locks
  cells     ///< non-atomic accesses between synchronisation, racy or not
};
inline constexpr int flavours = 6;

/// 2 to 4 threads, at most 10 operations. Every lock is unlocked by its thread.
Program generate_program(std::uint64_t seed);
Program generate_program(std::uint64_t seed, Flavour flavour);
Flavour flavour_of(std::uint64_t seed) noexcept;

}  // namespace heddle::litmus
