// What an exploration found.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <heddle/sim/explore/options.hpp>
#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim {

struct Failure {
  FailureKind kind{};
  std::string message;
  Trace trace;
};

using Outcome = std::map<std::string, std::int64_t>;  ///< filled by observe()

struct Report {
  Verdict verdict = Verdict::internal_error;
  std::uint64_t executions = 0;  ///< complete consistent executions
  std::uint64_t blocked = 0;  ///< executions in which a thread waited for what another branch does
  std::optional<Failure> failure;
  std::map<Outcome, std::uint64_t> outcomes;
  std::string bound;  ///< incomplete: what stopped the search. internal_error: what broke
  std::uint64_t failures =
      0;  ///< failing executions (more than one only without stop_at_first_failure)
  std::chrono::nanoseconds elapsed{0};
  /// random, pct, pos: the estimated chance that one more execution is one that was not seen
  std::optional<double> chance_of_new{};
  bool shard_complete = false;  ///< Options::shards: everything in this shard was explored
};

std::string_view to_string(Verdict verdict) noexcept;

}  // namespace heddle::sim
