#include <algorithm>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/cli/output_files.hpp>
#include <heddle/sim/cli/pool.hpp>
#include <heddle/sim/cli/questions.hpp>
#include <heddle/sim/cli/select.hpp>
#include <heddle/sim/explore/build_id.hpp>
#include <heddle/sim/report/check_result.hpp>
#include <heddle/sim/report/columns.hpp>
#include <heddle/sim/report/progress.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/report/verdict_table.hpp>
#include <heddle/sim/trace/json.hpp>
#include <heddle/sim/trace/store.hpp>

namespace heddle::sim::cli {
namespace {

using report::CheckResult;
using report::ProgressLine;

void require_parts_make_sense(const CheckArguments& arguments, std::size_t scenarios) {
  if (arguments.resume && arguments.checkpoint_file.empty()) {
    throw UsageError("--resume goes on from a file: give it with --checkpoint FILE");
  }
  if (!arguments.checkpoint_file.empty() && scenarios != 1) {
    throw UsageError(fmt::format(
        "--checkpoint keeps the state of one scenario, and {} are selected; name one", scenarios));
  }
  const bool in_parts = !arguments.checkpoint_file.empty() || arguments.shards != 0;
  if (in_parts && arguments.strategy != Strategy::exhaustive) {
    throw UsageError("--checkpoint and --shard go with --strategy exhaustive only");
  }
}

class Check {
 public:
  Check(const Program& program, const CheckArguments& arguments, Console& console)
      : program_(program), arguments_(arguments), console_(console) {
    const auto selected = select(program.scenarios, arguments.names, arguments.group);
    require_parts_make_sense(arguments, selected.size());
    processes_ = std::min<std::size_t>(arguments.jobs, selected.size());
    // With fewer scenarios than jobs, each explores in parallel itself.
    const auto jobs_each = static_cast<unsigned>(arguments.jobs / processes_);
    for (const Scenario* one : selected) {
      jobs_.push_back({one, options_for(*one, arguments, arguments.in_process ? 1 : jobs_each),
                       arguments.minimise});
      results_.push_back(question(*one, jobs_.back().options));
    }
    outputs_ = {arguments.json_file, arguments.junit_file, arguments.sarif_file};
    check_outputs(outputs_, arguments.record_directory);
  }

  int run() {
    const auto began = ProgressLine::Clock::now();
    ProgressLine line(console_.err, progress_mode(), jobs_.size(), console_.width);
    progress_ = &line;
    if (arguments_.in_process) {
      run_one_by_one();
    } else {
      run_pool(program_, jobs_, processes_, events());
    }
    line.clear();
    progress_ = nullptr;
    run_.memory_model = arguments_.memory_model;
    run_.strategy = arguments_.strategy;
    run_.seed = arguments_.seed;
    run_.shard = arguments_.shard;
    run_.shards = arguments_.shards;
    if (arguments_.shards != 0) run_.build = build_id();
    run_.elapsed = ProgressLine::Clock::now() - began;
    console_.out << report::verdict_table(run_, results_, console_.width, console_.colour);
    const bool written = write_outputs(outputs_, run_, results_, console_) && recorded_;
    const int code = report::exit_code(results_);
    const bool milder = code == success || code == not_complete;
    return !written && milder ? static_cast<int>(usage) : code;
  }

 private:
  ProgressLine::Mode progress_mode() const {
    if (arguments_.quiet) return ProgressLine::Mode::quiet;
    return console_.terminal ? ProgressLine::Mode::terminal : ProgressLine::Mode::lines;
  }

  PoolEvents events() {
    return {[this](std::size_t job) { progress_->started(results_[job].name); },
            [this](std::size_t job, const Progress& progress) {
              progress_->progress(results_[job].name, progress);
            },
            [this](std::size_t job, JobResult result) { finished(job, std::move(result)); },
            [this] { progress_->tick(); }};
  }

  void run_one_by_one() {
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      const std::string& name = results_[job].name;
      progress_->started(name);
      finished(job, run_here(program_, jobs_[job], [&](const Progress& progress) {
                 progress_->progress(name, progress);
               }));
    }
  }

  void finished(std::size_t job, JobResult found) {
    CheckResult& result = results_[job];
    if (!found.refused.empty()) {
      throw UsageError(fmt::format("{}: {}", result.name, found.refused));
    }
    result.report = std::move(found.report);
    result.crash = std::move(found.crash);
    progress_->finished(result.name);
    // The trace first: it is safe then, whatever happens to the picture of it.
    if (result.report.failure) record(result);
    if (report::is_fine(report::judge(result))) return;
    progress_->clear();
    tell(result);
    console_.out.flush();
  }

  void record(CheckResult& result) {
    if (arguments_.record_directory.empty()) return;
    const auto existing = arguments_.overwrite ? trace::Existing::replace : trace::Existing::keep;
    const Trace& trace = result.report.failure->trace;
    const auto file = trace::path_for(arguments_.record_directory, result.name);
    try {
      const trace::Stored stored = trace::store(arguments_.record_directory, trace, existing);
      if (stored != trace::Stored::kept) {
        result.trace_file = file.string();
        return;
      }
      progress_->clear();
      console_.err << fmt::format(
          "heddle: {} holds another trace of {} and was kept; --overwrite replaces it\n",
          file.string(), result.name);
    } catch (const trace::TraceError& error) {
      progress_->clear();
      console_.err << "heddle: " << error.what() << '\n';
      recorded_ = false;
    }
  }

  // At once, not at the end: the run may go on for long.
  void tell(const CheckResult& result) {
    const report::Painter paint(console_.colour);
    const std::string head = fmt::format("{}: {}", result.name, word_for(report::judge(result)));
    console_.out << paint(report::Style::red, head) << ": " << result.shows << "\n";
    if (!result.report.failure) {
      console_.out << report::explain(result) << "\n\n";
      return;
    }
    const Trace& trace = result.report.failure->trace;
    try {
      console_.out << report::view(trace, {console_.width, console_.colour, true});
    } catch (const std::exception& error) {
      // The reporter's own fault must not cost the failure.
      console_.out << "The trace cannot be drawn (" << error.what() << "). It is:\n"
                   << trace::write_json(trace);
    }
    if (result.trace_file.empty()) {
      console_.out << fmt::format("record it:  heddle check {} --record DIR\n\n", result.name);
    } else {
      console_.out << fmt::format("replay it:  heddle replay {}\n\n", result.trace_file);
    }
  }

  const Program& program_;
  const CheckArguments& arguments_;
  Console& console_;
  std::size_t processes_ = 1;
  std::vector<Job> jobs_;
  std::vector<CheckResult> results_;
  OutputFiles outputs_;
  report::RunInfo run_;
  ProgressLine* progress_ = nullptr;
  bool recorded_ = true;
};

}  // namespace

int check(const Program& program, const CheckArguments& arguments, Console& console) {
  return Check(program, arguments, console).run();
}

}  // namespace heddle::sim::cli
