#include <heddle/sim/cli/arguments.hpp>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/trace/names.hpp>

namespace heddle::sim::cli {
namespace {

constexpr std::uint64_t jobs_max = 1024;
constexpr std::uint64_t count_max = std::uint64_t{1} << 62;

// A value that must be one of a few words.
template <class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& target,
                        std::map<std::string, Value> choices, const std::string& help) {
  std::vector<std::string> words;
  for (const auto& choice : choices) words.push_back(choice.first);
  const auto take = [&target, choices = std::move(choices), words,
                     name](const std::vector<std::string>& given) {
    const auto found = choices.find(given.at(0));
    if (found == choices.end()) {
      throw CLI::ValidationError(
          name, fmt::format("'{}' is not one of {}{}", given[0], fmt::join(words, ", "),
                            trace::did_you_mean(given[0], words)));
    }
    target = found->second;
    return true;
  };
  return app.add_option(name, take, help)->type_name(fmt::format("{}", fmt::join(words, "|")));
}

template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& target, std::uint64_t min,
                        std::uint64_t max, const std::string& help) {
  const auto take = [&target, name, min, max](const std::vector<std::string>& given) {
    const std::string& text = given.at(0);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (!whole || number < min || number > max) {
      throw CLI::ValidationError(
          name, fmt::format("'{}' is not a whole number from {} to {}", text, min, max));
    }
    target = static_cast<Number>(number);
    return true;
  };
  return app.add_option(name, take, help)->type_name("N");
}

CLI::Option* add_duration(CLI::App& app, const std::string& name, std::chrono::nanoseconds& target,
                          const std::string& help) {
  const auto take = [&target, name](const std::vector<std::string>& given) {
    const auto found = parse_duration(given.at(0));
    if (!found || found->count() == 0) {
      throw CLI::ValidationError(
          name, fmt::format("'{}' is not a time such as 500ms, 60s, 10m or 1h30m", given[0]));
    }
    target = *found;
    return true;
  };
  return app.add_option(name, take, help)->type_name("TIME");
}

void add_list(CLI::App& app, ListArguments& list) {
  CLI::App* const command = app.add_subcommand("list", "The scenarios, with what each shows");
  command->add_option("NAME", list.names, "Names or globs; all when none is given");
  command->add_option("--group", list.group, "Only scenarios of this group");
}

void add_check(CLI::App& app, CheckArguments& check) {
  CLI::App* const command =
      app.add_subcommand("check", "Run scenarios in every execution that the memory model allows");
  command->add_option("NAME", check.names, "Names or globs; all when none is given");
  command->add_option("--group", check.group, "Only scenarios of this group");
  add_choice(*command, "--memory", check.memory_model,
             {{"sc", MemoryModel::sc}, {"rc11", MemoryModel::rc11}}, "Memory model (rc11)");
  add_choice(*command, "--strategy", check.strategy,
             {{"exhaustive", Strategy::exhaustive},
              {"bounded", Strategy::bounded},
              {"random", Strategy::random},
              {"pct", Strategy::pct},
              {"pos", Strategy::pos}},
             "Everything, or a way to choose executions (exhaustive)");
  add_number(*command, "--jobs", check.jobs, 1, jobs_max, "Processes in parallel (one per CPU)");
  add_duration(*command, "--time", check.time_limit, "Limit per scenario, such as 60s");
  add_number(*command, "--max-executions", check.max_executions, 1, count_max,
             "Limit per scenario");
  add_number(*command, "--seed", check.seed, 0, ~std::uint64_t{0},
             "Of the strategies that draw at random (0)");
  add_number(*command, "--preemption-bound", check.preemption_bound, 0, 1000,
             "Of --strategy bounded (2)");
  add_number(*command, "--pct-depth", check.pct_depth, 1, 1000, "Of --strategy pct (3)");
  command->add_option("--json", check.json_file, "Write everything to this file as JSON");
  command->add_option("--junit", check.junit_file, "Write JUnit XML to this file");
  command->add_option("--sarif", check.sarif_file, "Write SARIF 2.1.0 to this file");
  command->add_option("--record", check.record_directory,
                      "Write the trace of each failure to this directory");
  command->add_flag("--overwrite", check.overwrite,
                    "Let --record replace other traces of the same scenario");
  command->add_flag("--in-process", check.in_process,
                    "Run scenarios one by one in this process (for debuggers)");
  command->add_flag("--quiet", check.quiet, "No progress");
}

void add_replay(CLI::App& app, ReplayArguments& replay) {
  CLI::App* const command = app.add_subcommand(
      "replay",
      "Run recorded failures again. 0: they came back, 1: they did not, 2: a trace cannot be used");
  command->add_option("TRACE", replay.paths, "Trace files, or directories with traces")->required();
  const auto take = [&replay](const std::vector<std::string>& given) {
    std::uint64_t step = 0;
    const char* const end = given.at(0).data() + given[0].size();
    const auto [at, error] = std::from_chars(given[0].data(), end, step);
    if (error != std::errc() || at != end) {
      throw CLI::ValidationError("--break-at",
                                 fmt::format("'{}' is not the number of a step", given[0]));
    }
    replay.break_at = step;
    return true;
  };
  command->add_option("--break-at", take, "Stop a debugger before this step")->type_name("N");
  command->add_flag("--quiet", replay.quiet, "One line per trace");
}

void add_show(CLI::App& app, ShowArguments& show) {
  CLI::App* const command = app.add_subcommand("show", "Draw a trace: a column per thread");
  command->add_option("TRACE", show.paths, "Trace files, or directories with traces")->required();
  command->add_flag("--every-step", show.every_step, "Do not fold loops");
  command->add_option(
      "--html", show.html_file,
      "Write a page for the browser to this file, or to this directory one per trace");
  command->add_option("--perfetto", show.perfetto_file,
                      "Write Chrome trace event JSON, for ui.perfetto.dev, likewise");
  command->add_flag("--overwrite", show.overwrite, "Let --html and --perfetto replace files");
}

template <class Arguments>
void add_selection(CLI::App& command, Arguments& arguments) {
  command.add_option("NAME", arguments.names, "Names or globs; all when none is given");
  command.add_option("--group", arguments.group, "Only scenarios of this group");
  command
      .add_option("--sites", arguments.sites,
                  "Only sites in files whose path begins so (all but sim/)")
      ->allow_extra_args(false);
  add_number(command, "--jobs", arguments.jobs, 1, jobs_max, "Processes in parallel (one per CPU)");
  command.add_flag("--quiet", arguments.quiet, "No progress");
}

template <class Arguments>
void add_model(CLI::App& command, Arguments& arguments) {
  add_choice(command, "--memory", arguments.memory_model,
             {{"sc", MemoryModel::sc}, {"rc11", MemoryModel::rc11}}, "Memory model (rc11)");
}

void add_audit(CLI::App& app, AuditArguments& audit) {
  CLI::App* const command = app.add_subcommand(
      "audit", "Weaken each memory order, one at a time, and say which scenario needs it");
  add_selection(*command, audit);
  add_model(*command, audit);
  add_duration(*command, "--time", audit.time_limit, "Limit of all, such as 10m");
  add_duration(*command, "--each", audit.each, "Limit of one scenario with one order (60s)");
  command->add_option("--notes", audit.notes_file, "File that explains orders that nothing needs");
  command->add_flag("--strict", audit.strict,
                    "Exit code 1 when an order is neither needed nor explained");
  command->add_option("--json", audit.json_file, "Write everything to this file as JSON");
  command->add_option("--markdown", audit.markdown_file, "Write the table to this file");
  command->add_option("--record", audit.record_directory,
                      "Write a trace for each order that is needed to this directory");
}

void add_coverage(CLI::App& app, CoverageArguments& coverage) {
  CLI::App* const command = app.add_subcommand(
      "coverage", "Which outcomes of which atomic operation the scenarios reach");
  add_selection(*command, coverage);
  add_model(*command, coverage);
  add_duration(*command, "--time", coverage.time_limit, "Limit per scenario, such as 60s");
  command->add_option("--sources", coverage.sources,
                      "Look in this source tree for sites that nothing reached");
  command->add_option("--json", coverage.json_file, "Write everything to this file as JSON");
  command->add_option("--markdown", coverage.markdown_file, "Write the table to this file");
}

void add_gate(CLI::App& app, GateArguments& gate) {
  CLI::App* const command =
      app.add_subcommand("gate", "All of it within a time budget, for continuous integration");
  add_selection(*command, gate);
  add_duration(*command, "--time", gate.time_limit, "Budget of all (10m)");
  add_number(*command, "--seed", gate.seed, 0, ~std::uint64_t{0}, "Of the sampling (0)");
  command->add_option("--output", gate.output, "Directory of the reports (heddle-gate)");
  command->add_option("--traces", gate.traces,
                      "Directory of recorded failures that must come back (traces)");
  command->add_option("--notes", gate.notes_file, "File that explains orders that nothing needs");
  command->add_option("--skip", gate.skip, "Leave a part out: replay, coverage, audit, sampling")
      ->allow_extra_args(false);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// The library says that something was not expected; what was meant is our part.
std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& where = chosen.empty() ? app : *chosen.front();
  const auto* const extras = dynamic_cast<const CLI::ExtrasError*>(&error);
  if (extras == nullptr) return error.what();
  const auto remaining = where.remaining();
  const auto unknown = std::find_if(remaining.begin(), remaining.end(),
                                    [](const std::string& one) { return one.starts_with("-"); });
  if (unknown == remaining.end()) return error.what();
  const std::string name = unknown->substr(0, unknown->find('='));
  return fmt::format("{} has no option {}{}", where.get_name(), name,
                     trace::did_you_mean(name, option_names(where)));
}

}  // namespace

std::optional<std::chrono::nanoseconds> parse_duration(const std::string& text) {
  constexpr std::uint64_t seconds_max = 366ULL * 24 * 3600;
  const std::map<std::string_view, std::uint64_t> units = {
      {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"min", 60'000}, {"h", 3'600'000}};
  std::string_view rest = text;
  std::uint64_t total_ms = 0;
  if (rest.empty()) return std::nullopt;
  while (!rest.empty()) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || number > seconds_max * 1000) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const std::size_t length = std::min(rest.find_first_of("0123456789"), rest.size());
    const std::string_view unit = rest.substr(0, length);
    rest.remove_prefix(length);
    // A number alone is in seconds, if it is all there is.
    const auto found =
        unit.empty() && total_ms == 0 && rest.empty() ? units.find("s") : units.find(unit);
    if (found == units.end()) return std::nullopt;
    total_ms += number * found->second;
    if (total_ms > seconds_max * 1000) return std::nullopt;
  }
  return std::chrono::milliseconds(total_ms);
}

Arguments parse(const std::vector<std::string>& arguments) {
  CLI::App app("Checks C++ concurrency: every interleaving and every weak-memory behaviour.",
               "heddle");
  app.set_version_flag("--version", std::string("heddle ") + HEDDLE_VERSION);
  app.require_subcommand(0, 1);
  ListArguments list;
  CheckArguments check;
  ReplayArguments replay;
  ShowArguments show;
  AuditArguments audit;
  CoverageArguments coverage;
  GateArguments gate;
  check.jobs = audit.jobs = coverage.jobs = gate.jobs =
      std::max(1U, std::thread::hardware_concurrency());
  add_list(app, list);
  add_check(app, check);
  add_replay(app, replay);
  add_show(app, show);
  add_audit(app, audit);
  add_coverage(app, coverage);
  add_gate(app, gate);

  const auto commands = command_names(app);
  if (arguments.empty()) {
    throw UsageError(fmt::format("a command is missing: one of {}\n  --help says more.",
                                 fmt::join(commands, ", ")));
  }
  const std::string& first = arguments.front();
  const bool is_command = std::find(commands.begin(), commands.end(), first) != commands.end();
  if (!is_command && !first.starts_with("-")) {
    throw UsageError(fmt::format("there is no command '{}'{}\n  Commands: {}.", first,
                                 trace::did_you_mean(first, commands), fmt::join(commands, ", ")));
  }
  // The library takes them from the back.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return HelpArguments{(chosen.empty() ? app : *chosen.front()).help()};
  } catch (const CLI::CallForVersion&) {
    return HelpArguments{app.version() + "\n"};
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}\n  {}--help says more.", complaint(app, error),
                                 is_command ? first + " " : ""));
  }
  if (app.got_subcommand("list")) return list;
  if (app.got_subcommand("check")) return check;
  if (app.got_subcommand("replay")) return replay;
  if (app.got_subcommand("show")) return show;
  if (app.got_subcommand("audit")) return audit;
  if (app.got_subcommand("coverage")) return coverage;
  if (app.got_subcommand("gate")) return gate;
  return HelpArguments{app.help()};
}

}  // namespace heddle::sim::cli
