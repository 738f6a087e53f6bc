// Scenarios: named bodies with what they show and with the options they need.
//
//   HEDDLE_SCENARIO(two_thieves, "two thieves never take one item") { … }
//   HEDDLE_SCENARIO(lost_wakeup, "the handshake wakes the sleeper",
//                   {.timeouts = false, .expect = FailureKind::deadlock}) { … }
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/sim/explore/options.hpp>
#include <heddle/sim/runtime/failure_kind.hpp>
#include <heddle/sim/runtime/source_location.hpp>

namespace heddle::sim {

struct ScenarioOptions {
  unsigned threads = 0;  ///< shown in tables; 0: not stated
  bool timeouts = true;
  std::optional<FailureKind> expect{};  ///< a known-bad variant: the failure that must be found
  std::string_view caught_by{};         ///< known-bad: the check that must catch it, in words
  std::uint64_t executions = 0;         ///< golden count under rc11; 0: not fixed
  bool exhaustive = true;               ///< false: too large, only sampled
  std::string_view group{};             ///< "queues", "known_bad", …
  unsigned spurious_wakeups = 1;
  std::uint64_t max_steps = 0;  ///< 0: the default of Options
};

struct Scenario {
  std::string name;
  std::string shows;
  ScenarioOptions options;
  std::function<void()> body;
  source_location site;
};

/// All registered scenarios, by name. Registration happens before main; a second scenario of the
/// same name is reported when the list is first asked for.
const std::vector<Scenario>& scenarios();
const Scenario* find_scenario(std::string_view name);

struct ScenarioRegistration {
  ScenarioRegistration(std::string_view name, std::string_view shows, std::function<void()> body,
                       ScenarioOptions options = {},
                       source_location site = source_location::current());
};

/// The heddle command over the registered scenarios: what heddle::main calls.
int command_line(int argc, char** argv);

}  // namespace heddle::sim

#define HEDDLE_SCENARIO(name, shows, ...)                                               \
  static void heddle_scenario_##name();                                                 \
  static const ::heddle::sim::ScenarioRegistration heddle_registration_##name(          \
      #name, shows,                                                                     \
      heddle_scenario_##name __VA_OPT__(, ::heddle::sim::ScenarioOptions __VA_ARGS__)); \
  static void heddle_scenario_##name()
