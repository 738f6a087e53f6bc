// The memory models that heddle knows.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::sim {

enum class MemoryModel : std::uint8_t {
  sc,    ///< sequential consistency: every interleaving, nothing weaker
  rc11,  ///< C++20's model without load buffering
};

std::string_view to_string(MemoryModel model) noexcept;

}  // namespace heddle::sim
