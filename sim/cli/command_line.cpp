#include <algorithm>
#include <exception>
#include <type_traits>
#include <utility>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/cli/scenario.hpp>
#include <heddle/sim/explore/explore.hpp>
#include <heddle/sim/trace/trace_error.hpp>

namespace heddle::sim::cli {
namespace {

int run_parsed(const Program& program, const Arguments& parsed, Console& console) {
  return std::visit(
      [&](const auto& arguments) -> int {
        using Kind = std::decay_t<decltype(arguments)>;
        if constexpr (std::is_same_v<Kind, ListArguments>) return list(program, arguments, console);
        if constexpr (std::is_same_v<Kind, CheckArguments>) {
          return check(program, arguments, console);
        }
        if constexpr (std::is_same_v<Kind, ReplayArguments>) {
          return replay(program, arguments, console);
        }
        if constexpr (std::is_same_v<Kind, ShowArguments>) return show(arguments, console);
        if constexpr (std::is_same_v<Kind, AuditArguments>) {
          return audit(program, arguments, console);
        }
        if constexpr (std::is_same_v<Kind, CoverageArguments>) {
          return coverage(program, arguments, console);
        }
        if constexpr (std::is_same_v<Kind, GateArguments>) return gate(program, arguments, console);
        if constexpr (std::is_same_v<Kind, HelpArguments>) {
          console.out << arguments.text;
          return success;
        }
      },
      parsed);
}

}  // namespace

int run(const Program& program, const std::vector<std::string>& arguments, Console& console) {
  int code = internal;
  try {
    code = run_parsed(program, parse(arguments), console);
  } catch (const UsageError& error) {
    console.err << "heddle: " << error.what() << '\n';
    code = usage;
  } catch (const trace::TraceError& error) {
    console.err << "heddle: " << error.what() << '\n';
    code = usage;
  } catch (const std::exception& error) {
    console.err << "heddle: internal error: " << error.what()
                << "\n  This is a defect of heddle, not of the code under test: please report it "
                   "with the command line.\n";
  }
  console.out.flush();
  console.err.flush();
  return code;
}

const Scenario* find(const std::vector<Scenario>& scenarios, std::string_view name) {
  const auto found = std::find_if(scenarios.begin(), scenarios.end(),
                                  [&](const Scenario& one) { return one.name == name; });
  return found == scenarios.end() ? nullptr : &*found;
}

std::vector<std::string> names_of(const std::vector<Scenario>& scenarios) {
  std::vector<std::string> names;
  for (const Scenario& one : scenarios) names.push_back(one.name);
  return names;
}

}  // namespace heddle::sim::cli

namespace heddle::sim {

int command_line(int argc, char** argv) {
  using ReplayFunction = Report (*)(const Trace&, const std::function<void()>&,
                                    const std::function<void(std::uint64_t)>&);
  cli::Console console = cli::standard_console();
  cli::Program program{{}, &explore, static_cast<ReplayFunction>(&replay)};
  try {
    program.scenarios = scenarios();
  } catch (const std::invalid_argument& error) {
    console.err << "heddle: " << error.what() << '\n';
    return cli::usage;
  }
  return cli::run(program, std::vector<std::string>(argv + std::min(argc, 1), argv + argc),
                  console);
}

}  // namespace heddle::sim
