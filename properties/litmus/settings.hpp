// What the environment may change about a litmus test run, for long nights and for one program.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace heddle::litmus {

/// The number in the environment variable `name`, or `fallback`. Throws std::invalid_argument when
/// the variable is not a number.
inline std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return fallback;
  std::size_t used = 0;
  const std::uint64_t value = std::stoull(text, &used);
  if (used != std::string(text).size()) throw std::invalid_argument(std::string(name) + "=" + text);
  return value;
}

}  // namespace heddle::litmus
