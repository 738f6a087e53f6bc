// Something that a command looked at besides scenarios: a recorded trace, a memory order, a lint
// message. The documents for machines show it beside the scenarios.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace heddle::sim::report {

struct Finding {
  enum class State : std::uint8_t { fine, warning, error };

  std::string suite;  ///< JUnit: "replay", "audit"
  std::string name;
  std::string rule;  ///< SARIF's ruleId: "not_reproduced", "order_not_needed"
  State state = State::fine;
  std::string message;  ///< one line: what and what to do
  std::string details;  ///< more lines, may be empty
  std::string file;     ///< where; needed unless it is fine
  std::uint32_t line = 0;
  std::chrono::nanoseconds elapsed{0};
};

}  // namespace heddle::sim::report
