#include <algorithm>
#include <exception>
#include <string>

#include <fmt/format.h>

#include <heddle/sim/cli/audit_run.hpp>
#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/cli/output_files.hpp>
#include <heddle/sim/cli/select.hpp>
#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/json_value.hpp>

namespace heddle::sim::cli {
namespace {

// An exit code, and what it is for, in the order of weight.
int verdict(const std::vector<Baseline>& baselines, const AuditOutcome& outcome, bool strict,
            Console& console) {
  int code = success;
  const auto complain = [&](int with, const std::string& text) {
    console.err << "heddle: " << text << '\n';
    const bool milder = code == success || (code == not_complete && with == failure);
    if (milder || with == internal) code = with;
  };
  for (const Baseline& one : baselines) {
    const int as_it_is = report::exit_code(report::judge(one.result));
    if (as_it_is != failure && as_it_is != internal) continue;
    complain(as_it_is,
             fmt::format("{} is {} as it is: {}", one.scenario->name,
                         word_for(report::judge(one.result)), report::explain(one.result)));
  }
  for (const std::string& one : outcome.internal_errors) complain(internal, one);
  if (!strict) return code;
  for (const std::string& one : outcome.useless_notes) complain(failure, one);
  for (const report::AuditRow& row : outcome.rows) {
    if (row.is_explained()) continue;
    const bool open = row.finding == report::AuditRow::Finding::undecided;
    complain(open ? not_complete : failure,
             fmt::format("{} {} {}: {}; relax it, add a scenario that needs it, or explain it in "
                         "the file of --notes",
                         row.site.place(), row.site.operation, report::change_text(row),
                         report::finding_text(row)));
  }
  return code;
}

}  // namespace

int audit(const Program& program, const AuditArguments& arguments, Console& console) {
  const auto selected = select(program.scenarios, arguments.names, arguments.group);
  check_outputs({{"--json", arguments.json_file}, {"--markdown", arguments.markdown_file}},
                arguments.record_directory);
  if (!arguments.notes_file.empty()) {
    try {
      static_cast<void>(report::read_audit_notes(arguments.notes_file));
    } catch (const std::runtime_error& error) {
      throw UsageError(fmt::format("--notes {}", error.what()));
    }
  }
  BaselineQuestion question;
  for (const Scenario* one : selected) {
    if (!one->options.expect) question.scenarios.push_back(one);
  }
  if (question.scenarios.empty()) {
    throw UsageError("all of these scenarios are known bad: they fail with the orders they have");
  }
  question.memory_model = arguments.memory_model;
  question.processes = arguments.jobs;
  question.each = arguments.each;
  question.quiet = arguments.quiet;
  const auto baselines = run_baseline(program, question, console);
  const AuditOutcome outcome = run_audit(program, arguments, baselines, console);
  console.out << report::audit_table(outcome.info, outcome.rows, console.width, console.colour);
  int code = verdict(baselines, outcome, arguments.strict, console);
  const auto write = [&](const std::string& file, const std::string& text) {
    if (!write_text(file, text, console) && code == success) code = usage;
  };
  write(arguments.json_file,
        trace::dump(report::audit_value(outcome.info, outcome.rows), 2) + "\n");
  write(arguments.markdown_file, report::audit_markdown(outcome.info, outcome.rows));
  for (const std::string& one : outcome.unrecorded) {
    console.err << "heddle: " << one << '\n';
    if (code == success) code = usage;
  }
  return code;
}

}  // namespace heddle::sim::cli
