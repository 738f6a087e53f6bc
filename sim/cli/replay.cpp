#include <csignal>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/find_again.hpp>
#include <heddle/sim/trace/json.hpp>
#include <heddle/sim/trace/names.hpp>
#include <heddle/sim/trace/same_failure.hpp>
#include <heddle/sim/trace/store.hpp>

namespace heddle::sim::cli {
namespace {

using report::Style;

// Without a debugger the signal of a breakpoint would end the program.
bool debugger_attached() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != std::string::npos;
  }
  return false;
}

// Stops at the first event at or after the step: notes between events are not run.
class Breakpoint {
 public:
  explicit Breakpoint(std::uint64_t step) : step_(step) {}
  void operator()(std::uint64_t step) {
    if (passed_ || step < step_) return;
    passed_ = true;
    std::raise(SIGTRAP);
  }

 private:
  std::uint64_t step_;
  bool passed_ = false;
};

void check_breakpoint(const ReplayArguments& arguments, const Trace& trace) {
  if (!arguments.break_at) return;
  if (*arguments.break_at >= trace.steps.size()) {
    throw UsageError(fmt::format("--break-at {}: the trace has {}, 0 is the first",
                                 *arguments.break_at, report::counted(trace.steps.size(), "step")));
  }
  if (!debugger_attached()) {
    throw UsageError(
        fmt::format("--break-at stops a debugger, and there is none\n  Run it as `gdb --args "
                    "PROGRAM replay {} --break-at {}`.",
                    arguments.paths.front(), *arguments.break_at));
  }
}

struct Answer {
  int code = internal;
  std::string_view word;
  std::string text;
};

Answer answer_to(const Trace& trace, const trace::Found& found) {
  switch (found.fate) {
    case trace::Fate::reproduced:
      return {success, "reproduced",
              fmt::format("{}: {}", to_string(trace.failure), found.trace.message)};
    case trace::Fate::repaired:
      return {success, "repaired",
              fmt::format("{}: {}. The recorded steps are no longer those of the scenario, but {}",
                          to_string(trace.failure), found.trace.message, found.why)};
    case trace::Fate::fixed:
      return {failure, "FIXED",
              fmt::format("{} did not come back: {}. If the defect is mended, delete the trace or "
                          "keep it as a test of its own",
                          to_string(trace.failure), found.why)};
    case trace::Fate::another_failure:
      return {failure, "ANOTHER FAILURE",
              fmt::format("recorded was {}: {}; now it is {}: {}", to_string(trace.failure),
                          trace.message, to_string(found.trace.failure), found.trace.message)};
    case trace::Fate::obsolete:
      return {
          usage, "OBSOLETE",
          fmt::format("the scenario is no longer the one that was recorded: {}. Record it "
                      "again: heddle check {} --record DIR",
                      found.why.empty() ? "it does something else" : found.why, trace.scenario)};
  }
  return {};
}

Answer internal_error(const Report& report) {
  return {internal, "INTERNAL ERROR",
          fmt::format("{}. This is a defect of heddle, not of the code under test: please report "
                      "it with the trace",
                      report.bound)};
}

// What a strict replay says by itself.
trace::Found fate_of(const Trace& trace, const Report& report) {
  if (report.failure) {
    const bool same = trace::same_failure(trace, report.failure->trace, trace::Lines::ignore);
    return {same ? trace::Fate::reproduced : trace::Fate::another_failure, report.failure->trace,
            ""};
  }
  if (report.verdict == Verdict::verified) {
    return {trace::Fate::fixed, {}, "the recorded execution ran to its end"};
  }
  return {trace::Fate::obsolete, {}, report.bound};
}

int weight(int code) {
  switch (code) {
    case internal:
      return 3;
    case usage:
      return 2;
    case failure:
      return 1;
    default:
      return 0;
  }
}

class Replayer {
 public:
  Replayer(const Program& program, const ReplayArguments& arguments, Console& console, bool draw)
      : program_(program), arguments_(arguments), console_(console), draw_(draw) {}

  // One trace. What is wrong with it is printed, so that the others are replayed all the same.
  int run(const std::filesystem::path& file) {
    try {
      return run_readable(file.string(), trace::read(file));
    } catch (const trace::TraceError& error) {
      return tell(file.string(), {usage, "CANNOT BE USED", error.what()});
    }
  }

 private:
  int run_readable(const std::string& file, const Trace& trace) {
    const Scenario* const scenario = find(program_.scenarios, trace.scenario);
    if (scenario == nullptr) {
      return tell(file,
                  {usage, "CANNOT BE USED",
                   fmt::format("this program has no scenario '{}'{}", trace.scenario,
                               trace::did_you_mean(trace.scenario, names_of(program_.scenarios)))});
    }
    check_breakpoint(arguments_, trace);
    std::function<void(std::uint64_t)> before_step;
    if (arguments_.break_at) before_step = Breakpoint(*arguments_.break_at);
    const Report report = program_.replay(trace, scenario->body, before_step);
    const bool broken = report.verdict == Verdict::internal_error ||
                        (report.verdict == Verdict::failed && !report.failure);
    if (broken) return tell(file, internal_error(report));
    trace::Found found = fate_of(trace, report);
    if (found.fate != trace::Fate::reproduced && program_.find_again) {
      found = program_.find_again(trace, scenario->body, {});
    }
    if (draw_ && !found.trace.memory_model.empty()) draw(found.trace);
    const int code = tell(file, answer_to(trace, found));
    if (found.fate == trace::Fate::repaired) update(file, *scenario, std::move(found.trace));
    return code;
  }

  void update(const std::string& file, const Scenario& scenario, Trace repaired) {
    if (!arguments_.update) {
      console_.out << "  --update writes the steps that lead to it now over the old trace.\n";
      return;
    }
    if (program_.minimise) {
      repaired = program_.minimise(repaired, scenario.body, {}).trace;
    }
    try {
      trace::write_file(file, trace::write_json(repaired));
      console_.out << fmt::format("  {} holds the new steps.\n", file);
    } catch (const std::runtime_error& error) {
      throw trace::TraceError(file, "", error.what(), "Give a trace that can be written.");
    }
  }

  void draw(const Trace& trace) {
    console_.out << report::view(trace, {console_.width, console_.colour, true}) << '\n';
  }

  int tell(const std::string& file, const Answer& answer) {
    const report::Painter paint(console_.colour);
    const Style style = answer.code == success ? Style::green : Style::red;
    // A message about an unusable trace begins with its name.
    const bool named = answer.text.starts_with(file);
    console_.out << paint(style, answer.word) << "  "
                 << (named ? answer.text : fmt::format("{}: {}", file, answer.text)) << '\n';
    return answer.code;
  }

  const Program& program_;
  const ReplayArguments& arguments_;
  Console& console_;
  bool draw_;
};

}  // namespace

int replay(const Program& program, const ReplayArguments& arguments, Console& console) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : arguments.paths) {
    const auto found = trace::find(path);
    files.insert(files.end(), found.begin(), found.end());
  }
  if (arguments.break_at && files.size() != 1) {
    throw UsageError("--break-at goes with one trace");
  }
  Replayer replayer(program, arguments, console, files.size() == 1 && !arguments.quiet);
  int code = success;
  for (const auto& file : files) {
    const int one = replayer.run(file);
    if (weight(one) > weight(code)) code = one;
  }
  return code;
}

}  // namespace heddle::sim::cli
