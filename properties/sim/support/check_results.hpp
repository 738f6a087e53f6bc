// A run of `heddle check` in which everything that can happen happens once.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <heddle/sim/report/check_result.hpp>

#include "sample_traces.hpp"

namespace heddle::sim::support {

inline report::CheckResult result_of(std::string name, std::string shows, Verdict verdict,
                                     std::uint64_t executions) {
  report::CheckResult result;
  result.name = std::move(name);
  result.shows = std::move(shows);
  result.group = "queues";
  result.file = "properties/queues/deque_scenarios.cpp";
  result.line = 12;
  result.threads = 3;
  result.report.verdict = verdict;
  result.report.executions = executions;
  result.report.elapsed = std::chrono::milliseconds(executions);
  return result;
}

inline report::CheckResult failing(report::CheckResult result, const Trace& trace) {
  result.report.verdict = Verdict::failed;
  result.report.failures = 1;
  result.report.failure = Failure{trace.failure, trace.message, trace};
  result.report.failure->trace.scenario = result.name;
  return result;
}

inline report::CheckResult known_bad(report::CheckResult result, FailureKind expect,
                                     std::string caught_by) {
  result.group = "known_bad";
  result.expect = expect;
  result.caught_by = std::move(caught_by);
  return result;
}

inline std::vector<report::CheckResult> every_result() {
  std::vector<report::CheckResult> all;
  all.push_back(
      result_of("two_thieves", "two thieves never take one item", Verdict::verified, 24451));
  all.back().report.blocked = 7;
  all.back().report.outcomes = {{{{"x", 0}, {"y", 1}}, 24000}, {{{"x", 1}, {"y", -1}}, 451}};
  all.push_back(
      failing(result_of("mp", "a message <is there> & whole", {}, 10), message_passing().trace()));
  all.back().trace_file = "traces/mp.trace.json";
  all.push_back(
      result_of("too_large", "four thieves and a ring that grows", Verdict::incomplete, 2'000'000));
  all.back().report.bound = "time_limit (60000 ms)";
  all.push_back(result_of("sampled", "the whole scheduler", Verdict::incomplete, 10000));
  all.back().strategy = Strategy::random;
  all.push_back(result_of("golden", "the count stays", Verdict::verified, 27));
  all.back().golden_executions = 26;
  all.push_back(result_of("vacuous", "nothing at all", Verdict::verified, 0));
  all.push_back(result_of("crashing", "a wild pointer", {}, 0));
  all.back().crash = "the process that ran it died of signal 11 (Segmentation fault)";
  all.push_back(result_of("broken", "the engine's own fault", Verdict::internal_error, 3));
  all.back().report.bound = "execution graph: co is not total (event 7)";
  all.push_back(known_bad(failing(result_of("race_bad", "shown", {}, 2), race().trace()),
                          FailureKind::data_race, "the race detector"));
  all.push_back(known_bad(result_of("mended", "shown", Verdict::verified, 99),
                          FailureKind::deadlock, "the end of the execution"));
  all.push_back(known_bad(failing(result_of("other", "shown", {}, 5), opposite_locks().trace()),
                          FailureKind::data_race, "the race detector"));
  all.push_back(
      known_bad(result_of("weak", "shown", Verdict::verified, 4), FailureKind::check, ""));
  all.back().memory_model = MemoryModel::sc;
  return all;
}

inline report::RunInfo every_run() {
  report::RunInfo run;
  run.elapsed = std::chrono::seconds(125);
  return run;
}

}  // namespace heddle::sim::support
