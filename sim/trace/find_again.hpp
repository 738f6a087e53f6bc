// What became of a recorded failure after the code was edited.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

enum class Fate : std::uint8_t {
  reproduced,       ///< the recorded steps fail as recorded
  repaired,         ///< other steps fail as recorded: the failure is still there
  fixed,            ///< the scenario runs through where it failed
  another_failure,  ///< it fails there in another way
  obsolete          ///< the recorded decisions do not fit the scenario any more
};

struct FindOptions {
  std::chrono::nanoseconds time_limit = std::chrono::seconds(10);  ///< of the search at the end
  std::uint64_t max_executions = 20'000;                           ///< of the search at the end
  std::uint64_t random_runs = 500;  ///< around the recorded decisions
};

struct Found {
  Fate fate{};
  Trace trace;      ///< reproduced, repaired, another_failure: the execution that fails now
  std::string why;  ///< in words: what fits no more, what was tried
};

/// Replays `trace` strictly; if that does not bring the failure back, along its decisions,
/// leniently; then with the decisions in the names of the edited body; then around them; then in a
/// short search of the whole. Failures are compared without lines. Errors: std::invalid_argument as
/// for explore().
Found find_again(const Trace& trace, const std::function<void()>& body,
                 const FindOptions& options = {});

}  // namespace heddle::sim::trace
