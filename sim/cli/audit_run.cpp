#include <heddle/sim/cli/audit_run.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/cli/questions.hpp>
#include <heddle/sim/trace/store.hpp>

namespace heddle::sim::cli {
namespace {

using report::AuditNote;
using report::AuditRow;
using report::Judgement;
using report::ProgressLine;
using Clock = ProgressLine::Clock;
using Finding = AuditRow::Finding;

constexpr std::uint64_t sampled_executions = 10'000;
constexpr auto least_time = std::chrono::seconds(1);

// A row with what is still to be run for it.
struct Open {
  AuditRow row;
  std::vector<const Baseline*> scenarios;  // that reach the site, the quickest first
  std::size_t next = 0;
  bool closed = false;
};

std::vector<AuditNote> notes_from(const std::string& file) {
  if (file.empty()) return {};
  try {
    return report::read_audit_notes(file);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("--notes {}", error.what()));
  }
}

class Audit {
 public:
  Audit(const Program& program, const AuditArguments& arguments, Console& console)
      : program_(program),
        arguments_(arguments),
        console_(console),
        began_(Clock::now()),
        notes_(notes_from(arguments.notes_file)) {}

  AuditOutcome run(const std::vector<Baseline>& baselines) {
    sort_out(baselines);
    while (run_round()) {
    }
    for (Open& one : rows_) {
      close(one);
      outcome_.rows.push_back(std::move(one.row));
    }
    std::stable_sort(outcome_.rows.begin(), outcome_.rows.end(),
                     [](const AuditRow& a, const AuditRow& b) { return a.site < b.site; });
    report::explain_rows(outcome_.rows, notes_);
    for (const AuditNote& note : notes_) {
      if (note.used) continue;
      outcome_.useless_notes.push_back(fmt::format(
          "{}:{}: fits no order that is unneeded or undecided", arguments_.notes_file, note.line));
    }
    outcome_.info.elapsed = Clock::now() - began_;
    return std::move(outcome_);
  }

 private:
  // Which scenarios can say something, and which sites they reach.
  void sort_out(const std::vector<Baseline>& baselines) {
    report::AuditInfo& info = outcome_.info;
    info.sites = arguments_.sites.empty() ? "everything but sim/"
                                          : fmt::format("{}", fmt::join(arguments_.sites, ", "));
    std::map<Site, std::vector<const Baseline*>> reached;
    for (const Baseline& one : baselines) {
      const Judgement judgement = report::judge(one.result);
      const std::string& name = one.scenario->name;
      if (one.scenario->options.expect) {
        info.left_out.push_back(name + " (known bad)");
        continue;
      }
      if (judgement == Judgement::verified || judgement == Judgement::wrong_count) {
        info.exhausted.push_back(name);
      } else if (judgement == Judgement::sampled) {
        info.sampled.push_back(name);
      } else if (judgement == Judgement::incomplete) {
        info.incomplete.push_back(fmt::format("{} ({})", name, one.result.report.bound));
      } else {
        info.left_out.push_back(fmt::format("{} ({} as it is)", name, word_for(judgement)));
        continue;
      }
      for (const auto& [site, outcomes] : one.sites) {
        if (is_asked_for(site, arguments_.sites)) reached[site].push_back(&one);
      }
    }
    for (auto& [site, scenarios] : reached) {
      std::stable_sort(scenarios.begin(), scenarios.end(),
                       [](const Baseline* a, const Baseline* b) {
                         return a->result.report.elapsed < b->result.report.elapsed;
                       });
      for (AuditRow& row : report::weaker_orders(site)) add(std::move(row), scenarios);
    }
  }

  void add(AuditRow row, std::vector<const Baseline*> scenarios) {
    // Relaxed is a step from acquire and from release.
    const bool known = std::any_of(rows_.begin(), rows_.end(), [&](const Open& one) {
      return one.row.weakening == row.weakening;
    });
    if (known) return;
    Open open;
    open.row = std::move(row);
    open.scenarios = std::move(scenarios);
    rows_.push_back(std::move(open));
  }

  std::chrono::nanoseconds time_left() const {
    if (arguments_.time_limit.count() == 0) return std::chrono::hours(24 * 365);
    return arguments_.time_limit - (Clock::now() - began_);
  }

  // The next scenario of every open row; false when there is none.
  bool run_round() {
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      Open& one = rows_[at];
      if (one.closed) continue;
      if (one.next == one.scenarios.size()) {
        close(one);
        if (one.row.finding != Finding::not_needed) continue;
        // Copies: the table may move.
        const auto further = report::weaker_orders(one.row);
        const auto scenarios = one.scenarios;
        for (const AuditRow& row : further) add(row, scenarios);
        continue;
      }
      open.push_back(at);
    }
    if (open.empty()) return rows_.end() != std::find_if(rows_.begin(), rows_.end(), is_open);
    const std::size_t batch = arguments_.jobs * std::size_t{4};
    for (std::size_t from = 0; from < open.size(); from += batch) {
      if (time_left() < least_time) {
        outcome_.out_of_time = true;
        return false;
      }
      const std::size_t count = std::min(batch, open.size() - from);
      run_batch(std::span(open).subspan(from, count));
    }
    return true;
  }

  static bool is_open(const Open& one) { return !one.closed; }

  void run_batch(std::span<const std::size_t> rows) {
    CheckArguments arguments;
    arguments.memory_model = arguments_.memory_model;
    arguments.time_limit = std::min(arguments_.each, time_left());
    std::vector<Job> jobs;
    std::vector<std::string> names;
    for (const std::size_t at : rows) {
      const Open& one = rows_[at];
      const Scenario& scenario = *one.scenarios[one.next]->scenario;
      Job job;
      job.scenario = &scenario;
      job.options = options_for(scenario, arguments, 1);
      if (!scenario.options.exhaustive) job.options.max_executions = sampled_executions;
      job.weakening = one.row.weakening;
      jobs.push_back(std::move(job));
      names.push_back(fmt::format("{} with {} {}", scenario.name, one.row.site.place(),
                                  report::change_text(one.row)));
    }
    ProgressLine line(console_.err, progress_mode(arguments_.quiet, console_), jobs.size(),
                      console_.width);
    run_pool(program_, jobs, arguments_.jobs,
             progress_events(line, names, [&](std::size_t job, JobResult found) {
               finished(rows_[rows[job]], std::move(found));
             }));
    line.clear();
  }

  void finished(Open& one, JobResult found) {
    AuditRow& row = one.row;
    const Scenario& scenario = *one.scenarios[one.next++]->scenario;
    row.scenarios.push_back(scenario.name);
    row.executions += found.report.executions;
    const auto undecided = [&](const std::string& why) {
      if (row.undecided_by.empty()) row.undecided_by = fmt::format("{}: {}", scenario.name, why);
    };
    if (!found.refused.empty()) return undecided(found.refused);
    if (!found.crash.empty() || found.report.failure) {
      row.finding = Finding::needed;
      row.needed_by = scenario.name;
      row.failure = found.report.failure ? to_string(found.report.failure->kind) : "crash";
      row.message = found.report.failure ? found.report.failure->message : found.crash;
      row.undecided_by.clear();
      one.closed = true;
      if (found.report.failure) record(row, found.report.failure->trace);
      return;
    }
    switch (found.report.verdict) {
      case Verdict::verified:
        if (found.report.executions == 0) undecided("not one execution ran to its end");
        return;
      case Verdict::incomplete:
        undecided(scenario.options.exhaustive
                      ? "incomplete by " + found.report.bound
                      : fmt::format("only sampled, {} executions", found.report.executions));
        return;
      case Verdict::failed:
      case Verdict::internal_error:
        break;
    }
    outcome_.internal_errors.push_back(fmt::format("{} with {} {}: {}", scenario.name,
                                                   row.site.place(), report::change_text(row),
                                                   found.report.bound));
    undecided("internal error: " + found.report.bound);
  }

  void close(Open& one) {
    if (one.closed) return;
    one.closed = true;
    AuditRow& row = one.row;
    if (one.next < one.scenarios.size()) {
      row.undecided_by = fmt::format("the time was used up after {} of {} scenarios", one.next,
                                     one.scenarios.size());
    }
    row.finding = row.undecided_by.empty() ? Finding::not_needed : Finding::undecided;
  }

  void record(AuditRow& row, const Trace& trace) {
    if (arguments_.record_directory.empty()) return;
    std::string name = fmt::format("{}-{}-{}-{}{}-to-{}", row.site.file, row.site.line,
                                   row.site.operation, row.part, row.from, row.to);
    std::replace(name.begin(), name.end(), '/', '_');
    if (row.site.column != 0) name += fmt::format("-{}", row.site.column);
    const auto directory = std::filesystem::path(arguments_.record_directory) / name;
    try {
      static_cast<void>(trace::store(directory, trace, trace::Existing::replace));
      row.trace_file = trace::path_for(directory, trace.scenario).string();
    } catch (const trace::TraceError& error) {
      outcome_.unrecorded.emplace_back(error.what());
    }
  }

  const Program& program_;
  const AuditArguments& arguments_;
  Console& console_;
  Clock::time_point began_;
  std::vector<AuditNote> notes_;
  std::vector<Open> rows_;
  AuditOutcome outcome_;
};

}  // namespace

std::size_t AuditOutcome::unexplained() const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const AuditRow& row) { return !row.is_explained(); }));
}

AuditOutcome run_audit(const Program& program, const AuditArguments& arguments,
                       const std::vector<Baseline>& baselines, Console& console) {
  return Audit(program, arguments, console).run(baselines);
}

}  // namespace heddle::sim::cli
