#include <csignal>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/trace/names.hpp>
#include <heddle/sim/trace/store.hpp>
#include <heddle/sim/trace/validate.hpp>

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

// The same failure: of the same kind, and for a check with the same message. Places may have moved.
bool same_failure(const Trace& recorded, const Failure& found) {
  if (recorded.failure != found.kind) return false;
  return recorded.failure != FailureKind::check || recorded.message == found.message;
}

struct Answer {
  int code = internal;
  std::string_view word;
  std::string text;
};

Answer answer_to(const Trace& trace, const Report& report) {
  switch (report.verdict) {
    case Verdict::failed:
      if (!report.failure) return {internal, "INTERNAL ERROR", "a failure without description"};
      if (same_failure(trace, *report.failure)) {
        return {success, "reproduced",
                fmt::format("{}: {}", to_string(trace.failure), report.failure->message)};
      }
      return {failure, "ANOTHER FAILURE",
              fmt::format("recorded was {}: {}; now it is {}: {}", to_string(trace.failure),
                          trace.message, to_string(report.failure->kind), report.failure->message)};
    case Verdict::verified:
      return {failure, "NOT REPRODUCED",
              fmt::format("the recorded execution ran to its end without {}. If the defect is "
                          "mended, delete the trace or keep it as a test of its own",
                          to_string(trace.failure))};
    case Verdict::incomplete:
      return {usage, "CANNOT BE USED",
              fmt::format("the scenario is no longer the one that was recorded: {}. Record it "
                          "again: heddle check {} --record DIR",
                          report.bound.empty() ? "it does something else" : report.bound,
                          trace.scenario)};
    case Verdict::internal_error:
      break;
  }
  return {internal, "INTERNAL ERROR",
          fmt::format("{}. This is a defect of heddle, not of the code under test: please report "
                      "it with the trace",
                      report.bound)};
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
    const Answer answer = answer_to(trace, report);
    if (draw_ && report.failure) draw(report.failure->trace);
    return tell(file, answer);
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
