// What `heddle check` asked of a scenario, what came out, and what that means.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <heddle/sim/explore/report.hpp>

namespace heddle::sim::report {

/// What all scenarios of one run have in common.
struct RunInfo {
  MemoryModel memory_model = MemoryModel::rc11;
  Strategy strategy = Strategy::exhaustive;
  std::uint64_t seed = 0;
  std::chrono::nanoseconds elapsed{0};
  std::string build;    ///< of the program, where its executions were divided; else empty
  unsigned shard = 0;   ///< 1..shards
  unsigned shards = 0;  ///< 0: every execution was asked for
};

struct CheckResult {
  // What was asked.
  std::string name;
  std::string shows;
  std::string group;
  std::string caught_by;  ///< known-bad: the check that must catch it, in words
  std::string file;       ///< of the scenario
  std::uint32_t line = 0;
  unsigned threads = 0;                 ///< 0: not stated
  std::optional<FailureKind> expect;    ///< known-bad: the failure that must be found
  std::uint64_t golden_executions = 0;  ///< the count that a verified run must have; 0: any
  Strategy strategy = Strategy::exhaustive;
  MemoryModel memory_model = MemoryModel::rc11;

  // What came out.
  Report report;
  std::string crash;       ///< how the process that ran it died, if it did
  std::string trace_file;  ///< where the failure was recorded, if it was
};

enum class Judgement : std::uint8_t {
  verified,       ///< every execution was explored, nothing is wrong
  caught,         ///< known-bad: the expected failure was found
  sampled,        ///< nothing was found, and completeness was not asked for
  not_shown,      ///< known-bad: verified, but under sc, where a weak order may do no harm
  failed,         ///< a failure that nobody expects
  not_caught,     ///< known-bad: no failure was found
  wrong_failure,  ///< known-bad: another kind of failure was found
  wrong_count,    ///< verified, but with another number of executions than the golden one
  vacuous,        ///< verified without a single complete execution: nothing was checked
  incomplete,     ///< a limit ended the search
  crashed,        ///< the process that ran the scenario died
  internal_error  ///< the simulator is wrong
};

Judgement judge(const CheckResult& result);

/// One word for tables: "verified", "NOT CAUGHT".
std::string_view word_for(Judgement judgement) noexcept;
/// The name in machine-readable reports: "not_caught".
std::string_view to_string(Judgement judgement) noexcept;

/// True when nothing about the result needs attention.
bool is_fine(Judgement judgement) noexcept;

/// What is wrong and what to do, in a sentence or two; empty when the result is fine.
std::string explain(const CheckResult& result);

/// The exit code of one result: 0, 1, 3 or 4.
int exit_code(Judgement judgement) noexcept;
/// The exit code of several: an internal error counts most, then a failure, then incomplete.
int exit_code(std::span<const CheckResult> results);

std::string_view strategy_name(Strategy strategy) noexcept;

/// "0.02 s", "3.4 s", "2 min 5 s".
std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace heddle::sim::report
