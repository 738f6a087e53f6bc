// The heddle command as a function: what it runs on and where it prints are given, so that tests
// can run it with scenarios and an engine of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <heddle/sim/cli/console.hpp>
#include <heddle/sim/cli/scenario.hpp>
#include <heddle/sim/explore/report.hpp>
#include <heddle/sim/trace/find_again.hpp>
#include <heddle/sim/trace/minimise.hpp>

namespace heddle::sim::cli {

enum ExitCode : int {
  success = 0,      ///< everything verified, or as expected
  failure = 1,      ///< a failure was found; replay: the recorded one did not come back
  usage = 2,        ///< wrong usage or unusable input
  internal = 3,     ///< the simulator is wrong
  not_complete = 4  ///< completeness was asked for, and a limit was reached
};

struct Program {
  using Body = std::function<void()>;

  std::vector<Scenario> scenarios;  ///< by name
  std::function<Report(const Options&, const Body&)> explore;
  std::function<Report(const Trace&, const Body&, const std::function<void(std::uint64_t)>&)>
      replay;
  /// Not set: traces stay as they were recorded.
  std::function<trace::Minimised(const Trace&, const Body&, const trace::MinimiseOptions&)>
      minimise{};
  /// For a trace that does not fail any more. Not set: replay() alone answers.
  std::function<trace::Found(const Trace&, const Body&, const trace::FindOptions&)> find_again{};
};

/// Wrong usage: ends the command with exit code 2. The message says what to do.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs the command; `arguments` without the program's name. Never throws.
int run(const Program& program, const std::vector<std::string>& arguments, Console& console);

/// The scenario of that name, or nullptr.
const Scenario* find(const std::vector<Scenario>& scenarios, std::string_view name);

/// All names, for suggestions.
std::vector<std::string> names_of(const std::vector<Scenario>& scenarios);

}  // namespace heddle::sim::cli
