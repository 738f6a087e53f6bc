// What a generated run may cost, from the environment: scripts/nightly sets it for a night.
//   HEDDLE_SEED    where to begin (1)
//   HEDDLE_SIZE    how large programs may get (the test says what that means)
//   HEDDLE_BUDGET  seconds per test; 0: the number of programs that the test has for every change
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace heddle::properties {

inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text, &end, 10);
  if (*end != '\0') {
    throw std::invalid_argument(std::string(name) + "='" + text + "' is not a whole number");
  }
  return value;
}

/// for (Budget budget(100); budget.goes_on();) one program: 100 of them, or as long as the
/// environment says.
class Budget {
 public:
  explicit Budget(std::uint64_t programs) : programs_(programs) {}
  bool goes_on() {
    if (seconds_ == 0) return done_++ < programs_;
    ++done_;
    return std::chrono::steady_clock::now() - began_ < std::chrono::seconds(seconds_);
  }
  std::uint64_t begun() const { return done_; }

 private:
  const std::uint64_t programs_;
  const std::uint64_t seconds_ = setting("HEDDLE_BUDGET", 0);
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::uint64_t done_ = 0;
};

}  // namespace heddle::properties
