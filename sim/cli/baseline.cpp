#include <heddle/sim/cli/baseline.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/cli/questions.hpp>

namespace heddle::sim::cli {

using report::ProgressLine;

namespace {

constexpr std::uint64_t sampled_executions = 10'000;

}  // namespace

ProgressLine::Mode progress_mode(bool quiet, const Console& console) {
  if (quiet) return ProgressLine::Mode::quiet;
  return console.terminal ? ProgressLine::Mode::terminal : ProgressLine::Mode::lines;
}

PoolEvents progress_events(ProgressLine& line, std::span<const std::string> names,
                           std::function<void(std::size_t, JobResult)> finished) {
  PoolEvents events;
  events.started = [&line, names](std::size_t job) { line.started(names[job]); };
  events.progress = [&line, names](std::size_t job, const Progress& progress) {
    line.progress(names[job], progress);
  };
  events.finished = [&line, names, finished = std::move(finished)](std::size_t job,
                                                                   JobResult result) {
    line.finished(names[job]);
    finished(job, std::move(result));
  };
  events.tick = [&line] { line.tick(); };
  return events;
}

std::vector<Baseline> run_baseline(const Program& program, const BaselineQuestion& asked,
                                   Console& console) {
  CheckArguments arguments;
  arguments.memory_model = asked.memory_model;
  arguments.time_limit = asked.each;
  std::vector<Baseline> baselines;
  std::vector<Job> jobs;
  std::vector<std::string> names;
  for (const Scenario* one : asked.scenarios) {
    Job job;
    job.scenario = one;
    job.options = options_for(*one, arguments, 1);
    job.with_sites = true;
    if (!one->options.exhaustive) job.options.max_executions = sampled_executions;
    baselines.push_back({one, question(*one, job.options), {}});
    jobs.push_back(std::move(job));
    names.push_back(one->name);
  }
  ProgressLine line(console.err, progress_mode(asked.quiet, console), jobs.size(), console.width);
  run_pool(program, jobs, asked.processes,
           progress_events(line, names, [&](std::size_t at, JobResult found) {
             if (!found.refused.empty()) {
               throw UsageError(fmt::format("{}: {}", names[at], found.refused));
             }
             baselines[at].result.report = std::move(found.report);
             baselines[at].result.crash = std::move(found.crash);
             baselines[at].sites = std::move(found.sites);
           }));
  line.clear();
  return baselines;
}

bool is_asked_for(const Site& site, std::span<const std::string> prefixes) {
  if (prefixes.empty()) return !site.file.starts_with("sim/");
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& one) { return site.file.starts_with(one); });
}

}  // namespace heddle::sim::cli
