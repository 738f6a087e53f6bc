// The gate: everything that the command can find out, within one budget.
//
// Protocol: 1. Every scenario as it is, known-bad variants included, each with a short limit; those
//              that reach it run again with what the quick ones left over.
//           2. Recorded failures must come back.
//           3. Coverage costs nothing more: the runs of 1 told it.
//           4. The audit, with its share of the budget.
//           5. Sampling of what cannot be explored to the end, with all that is left.
//           Whatever is cut short or left out is named in the summary.

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/cli/audit_run.hpp>
#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/cli/coverage_run.hpp>
#include <heddle/sim/cli/output_files.hpp>
#include <heddle/sim/cli/questions.hpp>
#include <heddle/sim/cli/select.hpp>
#include <heddle/sim/report/documents.hpp>
#include <heddle/sim/report/gate_summary.hpp>
#include <heddle/sim/report/html_page.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/json_value.hpp>
#include <heddle/sim/trace/store.hpp>

namespace heddle::sim::cli {
namespace {

namespace fs = std::filesystem;

using report::CheckResult;
using report::Finding;
using report::GatePart;
using report::Judgement;
using report::ProgressLine;
using Clock = ProgressLine::Clock;
using State = GatePart::State;

constexpr std::array parts = {"replay", "coverage", "audit", "sampling"};
constexpr std::chrono::nanoseconds least_time = std::chrono::seconds(1);
// Shares of the budget, in percent. What a part leaves over is there for those after it.
constexpr int first_look_share = 25;
constexpr int second_look_share = 25;
constexpr int audit_share = 30;

State worse(State a, State b) {
  const auto weight = [](State state) {
    return state == State::internal_error ? 4
           : state == State::failed       ? 3
           : state == State::incomplete   ? 2
                                          : 0;
  };
  return weight(b) > weight(a) ? b : a;
}

State state_of(Judgement judgement) {
  switch (report::exit_code(judgement)) {
    case 0:
      return State::passed;
    case 1:
      return State::failed;
    case 4:
      return State::incomplete;
    default:
      return State::internal_error;
  }
}

class Gate {
 public:
  Gate(const Program& program, const GateArguments& arguments, Console& console)
      : program_(program),
        arguments_(arguments),
        console_(console),
        began_(Clock::now()),
        selected_(select(program.scenarios, arguments.names, arguments.group)),
        output_(arguments.output) {
    for (const std::string& one : arguments.skip) {
      if (std::find(parts.begin(), parts.end(), one) == parts.end()) {
        throw UsageError(fmt::format("--skip {}: is not one of {}", one, fmt::join(parts, ", ")));
      }
    }
    if (!arguments.traces.empty() && !fs::is_directory(arguments.traces)) {
      throw UsageError(fmt::format("--traces {}: is not a directory", arguments.traces));
    }
    std::error_code error;
    fs::create_directories(output_, error);
    if (error) {
      throw UsageError(fmt::format("--output {}: {}", arguments.output, error.message()));
    }
    summary_.budget = arguments.time_limit;
    summary_.output = arguments.output;
  }

  int run() {
    part("scenarios", "", [this](GatePart& one) { explore(one); });
    part("replay", "replay", [this](GatePart& one) { replay_traces(one); });
    part("coverage", "coverage", [this](GatePart& one) { cover(one); });
    part("audit", "audit", [this](GatePart& one) { audit(one); });
    part("sampling", "sampling", [this](GatePart& one) { sample(one); });
    summary_.elapsed = Clock::now() - began_;
    const bool written = write_reports();
    console_.out << report::gate_text(summary_, console_.width, console_.colour);
    const int code = summary_.exit_code();
    return written || code != success ? code : static_cast<int>(usage);
  }

 private:
  template <class Work>
  void part(std::string name, const std::string& skipped_as, Work work) {
    GatePart one;
    one.name = std::move(name);
    const auto began = Clock::now();
    const auto& skip = arguments_.skip;
    if (!skipped_as.empty() && std::find(skip.begin(), skip.end(), skipped_as) != skip.end()) {
      one.state = State::skipped;
      one.text = "left out by --skip";
      one.shortened.push_back("left out by --skip");
    } else {
      work(one);
    }
    one.elapsed = Clock::now() - began;
    summary_.parts.push_back(std::move(one));
  }

  std::chrono::nanoseconds time_left() const {
    return arguments_.time_limit - (Clock::now() - began_);
  }

  // What each of `count` jobs may take so that all of them take a share of the whole budget.
  std::chrono::nanoseconds limit_for(std::size_t count, int percent) const {
    const auto share = std::min(arguments_.time_limit * percent / 100, time_left());
    const auto processes = std::min<std::size_t>(arguments_.jobs, std::max<std::size_t>(1, count));
    const auto rounds = static_cast<std::int64_t>((count + processes - 1) / processes);
    return std::max(share / std::max<std::int64_t>(1, rounds), least_time);
  }

  // ---- 1. Scenarios, known-bad variants and golden counts. ----

  void explore(GatePart& one) {
    BaselineQuestion question;
    question.scenarios = selected_;
    question.processes = arguments_.jobs;
    question.quiet = arguments_.quiet;
    question.each = limit_for(selected_.size(), first_look_share);
    baselines_ = run_baseline(program_, question, console_);
    look_again(question);
    std::size_t known_bad = 0;
    std::size_t golden = 0;
    std::uint64_t executions = 0;
    for (Baseline& baseline : baselines_) {
      CheckResult& result = baseline.result;
      if (result.expect) ++known_bad;
      if (result.golden_executions != 0) ++golden;
      executions += result.report.executions;
      one.state = worse(one.state, state_of(report::judge(result)));
      if (report::judge(result) == Judgement::incomplete) {
        one.shortened.push_back(
            fmt::format("{} was stopped by {}", result.name, result.report.bound));
      }
      record(result, one);
      summary_.results.push_back(result);
    }
    one.text = fmt::format("{}, {}; {} known bad, {} with a golden count",
                           report::counted(baselines_.size(), "scenario"),
                           report::counted(executions, "execution"), known_bad, golden);
  }

  void look_again(BaselineQuestion question) {
    std::vector<std::size_t> again;
    question.scenarios.clear();
    for (std::size_t at = 0; at < baselines_.size(); ++at) {
      if (report::judge(baselines_[at].result) != Judgement::incomplete) continue;
      again.push_back(at);
      question.scenarios.push_back(baselines_[at].scenario);
    }
    if (again.empty()) return;
    const auto first = question.each;
    // What the first look left of its share goes to the second.
    const auto used = (Clock::now() - began_) * 100 / arguments_.time_limit;
    const int share = first_look_share + second_look_share - static_cast<int>(used);
    question.each = limit_for(again.size(), std::max(share, 1));
    if (question.each <= first) return;
    auto found = run_baseline(program_, question, console_);
    for (std::size_t at = 0; at < again.size(); ++at) baselines_[again[at]] = std::move(found[at]);
  }

  void record(CheckResult& result, GatePart& one) {
    if (!result.report.failure || report::is_fine(report::judge(result))) return;
    const fs::path directory = output_ / "traces";
    try {
      static_cast<void>(
          trace::store(directory, result.report.failure->trace, trace::Existing::replace));
      result.trace_file = trace::path_for(directory, result.name).string();
      draw_page(result, one);
    } catch (const trace::TraceError& error) {
      one.shortened.push_back(
          fmt::format("the trace of {} was not recorded: {}", result.name, error.what()));
    }
  }

  // The page that explains the failure, beside its trace.
  void draw_page(const CheckResult& result, GatePart& one) {
    const fs::path page = output_ / "traces" / (result.name + ".html");
    try {
      report::Sources sources = report::Sources::around(result.trace_file);
      trace::write_file(page, report::html_page(result.report.failure->trace, sources));
    } catch (const std::exception& error) {
      one.shortened.push_back(fmt::format("{}: {}", page.string(), error.what()));
    }
  }

  // ---- 2. Recorded failures. ----

  void replay_traces(GatePart& one) {
    const std::string directory = arguments_.traces.empty() ? "traces" : arguments_.traces;
    std::vector<fs::path> files;
    if (fs::is_directory(directory)) {
      for (const auto& entry : fs::recursive_directory_iterator(directory)) {
        const bool is_trace = entry.path().string().ends_with(trace::file_suffix);
        if (entry.is_regular_file() && is_trace) files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
      one.state = State::skipped;
      one.text = fmt::format("there are no traces in {}/", directory);
      one.shortened.push_back(one.text);
      return;
    }
    std::size_t fine = 0;
    for (const fs::path& file : files) {
      std::ostringstream out;
      Console console{out, out};
      ReplayArguments arguments;
      arguments.paths = {file.string()};
      arguments.quiet = true;
      const auto began = Clock::now();
      const int code = replay(program_, arguments, console);
      Finding finding;
      finding.suite = "replay";
      finding.name = file.string();
      finding.message = out.str();
      finding.elapsed = Clock::now() - began;
      if (code == success) {
        ++fine;
      } else {
        finding.state = Finding::State::error;
        finding.rule = code == failure ? "not_reproduced" : "unusable_trace";
        finding.file = file.string();
        finding.line = 1;
        one.state = worse(one.state, code == internal ? State::internal_error : State::failed);
      }
      summary_.findings.push_back(std::move(finding));
    }
    one.text = fmt::format("{} of {} came back", fine, report::counted(files.size(), "trace"));
  }

  // ---- 3. Coverage. ----

  void cover(GatePart& one) {
    coverage_ = coverage_of(baselines_, arguments_.sites);
    one.text = report::coverage_line(coverage_);
    summary_.coverage_markdown = report::coverage_markdown(coverage_);
    for (const std::string& which : coverage_.incomplete) {
      one.shortened.push_back(fmt::format("of part of {} only", which));
    }
  }

  // ---- 4. Audit. ----

  void audit(GatePart& one) {
    AuditArguments asked;
    asked.sites = arguments_.sites;
    asked.jobs = arguments_.jobs;
    asked.notes_file = arguments_.notes_file;
    asked.quiet = arguments_.quiet;
    asked.record_directory = (output_ / "audit-traces").string();
    const auto share = arguments_.time_limit * audit_share / 100;
    asked.time_limit = std::max(least_time, std::min(time_left(), share + early()));
    asked.each = std::max(least_time, asked.time_limit / 10);
    audit_ = run_audit(program_, asked, baselines_, console_);
    one.text = report::audit_line(audit_.rows);
    summary_.audit_markdown = report::audit_markdown(audit_.info, audit_.rows);
    for (const report::AuditRow& row : audit_.rows) one.state = worse(one.state, judge(row, one));
    for (const std::string& text : audit_.useless_notes) {
      one.shortened.push_back(text);
    }
    for (const std::string& text : audit_.internal_errors) {
      one.state = State::internal_error;
      one.shortened.push_back(text);
    }
    for (const std::string& text : audit_.unrecorded) one.shortened.push_back(text);
  }

  // What the parts before the audit did not use.
  std::chrono::nanoseconds early() const {
    const auto planned = arguments_.time_limit * (first_look_share + second_look_share) / 100;
    return std::max(std::chrono::nanoseconds(0), planned - (Clock::now() - began_)) / 2;
  }

  // An order that nothing needs fails the gate unless the notes explain it; one that could not be
  // decided in time is named.
  State judge(const report::AuditRow& row, GatePart& one) {
    Finding finding;
    finding.suite = "audit";
    finding.name =
        fmt::format("{} {} {}", row.site.place(), row.site.operation, report::change_text(row));
    finding.message = report::finding_text(row);
    finding.file = row.site.file;
    finding.line = row.site.line;
    State state = State::passed;
    if (row.finding == report::AuditRow::Finding::undecided && row.note.empty()) {
      one.shortened.push_back(fmt::format("{}: {}", finding.name, finding.message));
    } else if (!row.is_explained()) {
      finding.state = Finding::State::error;
      finding.rule = "order_not_needed";
      finding.message +=
          "; relax it, add a scenario that needs it, or explain it in the file of --notes";
      state = State::failed;
    } else if (!row.note.empty()) {
      finding.message += ". " + row.note;
    }
    summary_.findings.push_back(std::move(finding));
    return state;
  }

  // ---- 5. Sampling. ----

  void sample(GatePart& one) {
    std::vector<const Scenario*> large;
    for (const Baseline& baseline : baselines_) {
      const Judgement judgement = report::judge(baseline.result);
      if (baseline.result.expect) continue;
      if (judgement == Judgement::sampled || judgement == Judgement::incomplete) {
        large.push_back(baseline.scenario);
      }
    }
    if (large.empty()) {
      one.state = State::skipped;
      one.text = "every scenario was explored to its end, nothing is left to chance";
      return;
    }
    const std::vector<Strategy> strategies = {Strategy::random, Strategy::pct, Strategy::pos};
    if (time_left() < least_time) {
      one.state = State::skipped;
      one.text = "no time was left";
      for (const Scenario* scenario : large) {
        one.shortened.push_back(scenario->name + ": no time was left");
      }
      return;
    }
    run_samples(large, strategies, one);
  }

  void run_samples(const std::vector<const Scenario*>& large,
                   const std::vector<Strategy>& strategies, GatePart& one) {
    std::vector<Job> jobs;
    std::vector<std::string> names;
    std::vector<CheckResult> results;
    CheckArguments asked;
    asked.seed = arguments_.seed + 1;  // the first look drew with another seed
    asked.time_limit = limit_for(large.size() * strategies.size(), 100);
    for (const Strategy strategy : strategies) {
      asked.strategy = strategy;
      for (const Scenario* scenario : large) {
        Job job;
        job.scenario = scenario;
        job.options = options_for(*scenario, asked, 1);
        results.push_back(question(*scenario, job.options));
        jobs.push_back(std::move(job));
        names.push_back(fmt::format("{} ({})", scenario->name, report::strategy_name(strategy)));
      }
    }
    std::vector<std::string> refused(jobs.size());
    ProgressLine line(console_.err, progress_mode(arguments_.quiet, console_), jobs.size(),
                      console_.width);
    run_pool(program_, jobs, arguments_.jobs,
             progress_events(line, names, [&](std::size_t job, JobResult found) {
               refused[job] = std::move(found.refused);
               results[job].report = std::move(found.report);
               results[job].crash = std::move(found.crash);
             }));
    line.clear();
    std::uint64_t executions = 0;
    std::size_t drawn = 0;
    std::string missing;
    for (std::size_t at = 0; at < results.size(); ++at) {
      if (!refused[at].empty()) {
        missing = refused[at];
        continue;
      }
      ++drawn;
      CheckResult& result = results[at];
      executions += result.report.executions;
      one.state = worse(one.state, state_of(report::judge(result)));
      record(result, one);
      summary_.results.push_back(std::move(result));
    }
    if (!missing.empty()) one.shortened.push_back(missing);
    one.text = fmt::format("{} of {}, {}, seed {}", report::counted(drawn, "draw"),
                           report::counted(large.size(), "scenario"),
                           report::counted(executions, "execution"), asked.seed);
  }

  // ---- Reports. ----

  bool write_reports() {
    report::RunInfo run;
    run.seed = arguments_.seed;
    run.elapsed = summary_.elapsed;
    const auto& results = summary_.results;
    const auto& findings = summary_.findings;
    bool written = true;
    const auto write = [&](const char* name, const std::string& text) {
      if (!write_text((output_ / name).string(), text, console_)) written = false;
    };
    write("summary.md", report::gate_markdown(summary_));
    write("junit.xml", report::junit_document(run, results, findings));
    write("results.sarif", report::sarif_document(run, results, findings));
    const auto explored = std::min(results.size(), baselines_.size());
    write("results.json", report::json_document(run, std::span(results).first(explored)));
    write("sampling.json", report::json_document(run, std::span(results).subspan(explored)));
    write("audit.md", report::audit_markdown(audit_.info, audit_.rows));
    write("audit.json", trace::dump(report::audit_value(audit_.info, audit_.rows), 2) + "\n");
    write("coverage.md", report::coverage_markdown(coverage_));
    write("coverage.json", trace::dump(report::coverage_value(coverage_), 2) + "\n");
    return written;
  }

  const Program& program_;
  const GateArguments& arguments_;
  Console& console_;
  Clock::time_point began_;
  std::vector<const Scenario*> selected_;
  fs::path output_;
  std::vector<Baseline> baselines_;
  report::Coverage coverage_;
  AuditOutcome audit_;
  report::GateSummary summary_;
};

}  // namespace

int gate(const Program& program, const GateArguments& arguments, Console& console) {
  if (!arguments.notes_file.empty()) {
    try {
      static_cast<void>(report::read_audit_notes(arguments.notes_file));
    } catch (const std::runtime_error& error) {
      throw UsageError(fmt::format("--notes {}", error.what()));
    }
  }
  return Gate(program, arguments, console).run();
}

}  // namespace heddle::sim::cli
