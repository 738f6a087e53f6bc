#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/json.hpp>
#include <heddle/sim/trace/names.hpp>
#include <heddle/sim/trace/store.hpp>

namespace heddle::sim::cli {
namespace {

namespace fs = std::filesystem;

std::string from_to(const char* what, std::size_t before, std::size_t after) {
  return before == after ? fmt::format("{} {}", what, before)
                         : fmt::format("{} {} → {}", what, before, after);
}

std::string sizes(const trace::Minimised& result) {
  const trace::StorySize& before = result.before;
  const trace::StorySize& after = result.after;
  return fmt::format("{}, {}, {}, {}", from_to("steps", before.steps, after.steps),
                     from_to("threads", before.threads, after.threads),
                     from_to("switches", before.switches, after.switches),
                     from_to("stale reads", before.stale, after.stale));
}

class Minimiser {
 public:
  Minimiser(const Program& program, const MinimiseArguments& arguments, Console& console)
      : program_(program), arguments_(arguments), console_(console) {}

  int run(const fs::path& file, bool draw) {
    const Trace given = trace::read(file);
    const Scenario* const scenario = find(program_.scenarios, given.scenario);
    if (scenario == nullptr) {
      throw trace::TraceError(
          file.string(), "scenario",
          fmt::format("this program has no scenario '{}'{}", given.scenario,
                      trace::did_you_mean(given.scenario, names_of(program_.scenarios))),
          "Use the program that recorded it.");
    }
    trace::MinimiseOptions options;
    options.time_limit = arguments_.time_limit;
    if (!arguments_.quiet) {
      options.on_progress = [&](const trace::MinimiseProgress& progress) { tell(file, progress); };
    }
    trace::Minimised result = program_.minimise(given, scenario->body, options);
    if (console_.terminal && !arguments_.quiet) console_.err << "\r\x1b[K";
    if (!result.reproduced) {
      console_.out << fmt::format("NOT REPRODUCED  {}: {}; `heddle replay` says more\n",
                                  file.string(), result.remark);
      return failure;
    }
    if (draw && !arguments_.quiet) {
      console_.out << report::view(result.trace, {console_.width, console_.colour, true}) << '\n';
    }
    console_.out << fmt::format("{}: {} ({})\n", file.string(), sizes(result),
                                report::counted(result.runs, "run"));
    if (!result.remark.empty()) console_.out << fmt::format("  {}\n", result.remark);
    write(file, result.trace);
    return success;
  }

 private:
  void tell(const fs::path& file, const trace::MinimiseProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    constexpr auto between_lines = std::chrono::seconds(10);
    if (!console_.terminal && now - told_ < between_lines) return;
    told_ = now;
    console_.err << fmt::format("{}{}: {}, {} left, trying {}{}",
                                console_.terminal ? "\r\x1b[K" : "", file.filename().string(),
                                report::counted(progress.runs, "run"),
                                report::counted(progress.size.steps, "step"), progress.doing,
                                console_.terminal ? "" : "\n");
    console_.err.flush();
  }

  void write(const fs::path& file, const Trace& trace) {
    const fs::path target =
        arguments_.output_file.empty() ? file : fs::path(arguments_.output_file);
    if (arguments_.output_file.empty() && !arguments_.overwrite) {
      console_.out << "  Nothing was written: --output F writes it to a file, --overwrite over the "
                      "trace itself.\n";
      return;
    }
    std::error_code error;
    // What is replaced must be a trace of this scenario: a mistyped name costs nothing.
    if (fs::exists(target, error) && trace::read(target).scenario != trace.scenario) {
      throw trace::TraceError(target.string(), "", "is a trace of another scenario",
                              "Give the name of a new file.");
    }
    try {
      trace::write_file(target, trace::write_json(trace));
    } catch (const std::runtime_error& problem) {
      throw trace::TraceError(target.string(), "", problem.what(),
                              "Give a file that can be written.");
    }
    console_.out << fmt::format("  {} holds it.\n", target.string());
  }

  const Program& program_;
  const MinimiseArguments& arguments_;
  Console& console_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

void check_output(const MinimiseArguments& arguments, std::size_t traces) {
  if (arguments.output_file.empty()) return;
  if (traces != 1) throw UsageError("--output goes with one trace");
  std::error_code error;
  if (fs::exists(arguments.output_file, error) && !arguments.overwrite) {
    throw UsageError(fmt::format("--output {}: is there already; --overwrite replaces it",
                                 arguments.output_file));
  }
}

}  // namespace

int minimise(const Program& program, const MinimiseArguments& arguments, Console& console) {
  if (!program.minimise) throw UsageError("this program cannot minimise");
  std::vector<fs::path> files;
  for (const std::string& path : arguments.paths) {
    const auto found = trace::find(path);
    files.insert(files.end(), found.begin(), found.end());
  }
  check_output(arguments, files.size());
  Minimiser minimiser(program, arguments, console);
  int code = success;
  for (const auto& file : files) {
    try {
      if (minimiser.run(file, files.size() == 1) != success && code == success) code = failure;
    } catch (const trace::TraceError& error) {
      console.err << "heddle: " << error.what() << '\n';
      code = usage;
    }
  }
  return code;
}

}  // namespace heddle::sim::cli
