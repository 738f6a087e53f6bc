// What to explore and how far.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <heddle/sim/memory/memory_model.hpp>

namespace heddle::sim {

class SiteObserver;

/// See docs/sampling.md for which one when. Only exhaustive verifies.
enum class Strategy { exhaustive, bounded, random, pct, pos };
enum class Verdict { verified, failed, incomplete, internal_error };

struct Progress {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  double executions_per_second = 0;
  double estimated_total = 0;  ///< 0: no estimate yet
  std::chrono::nanoseconds elapsed{0};
  std::optional<double> chance_of_new{};  ///< as in Report
  double estimated_error =
      0;             ///< of estimated_total: within a factor of e^this, two times in three
  double share = 0;  ///< of the tree of executions that is explored, by weight; 0 to 1
};

struct Options {
  MemoryModel memory_model = MemoryModel::rc11;
  Strategy strategy = Strategy::exhaustive;
  std::uint64_t max_executions = 0;        ///< 0: no limit
  std::chrono::nanoseconds time_limit{0};  ///< 0: no limit
  std::uint64_t seed = 0;
  unsigned jobs = 1;  ///< processes that explore; the report is the same with any number
  unsigned preemption_bound = 2;  ///< Strategy::bounded
  unsigned pct_depth = 3;         ///< Strategy::pct
  bool stop_at_first_failure = true;
  bool timeouts =
      true;  ///< false: no timed wait ever ends by time, so that it cannot hide a lost wakeup
  std::function<void(const Progress&)> on_progress{};
  std::uint64_t max_steps = 100'000;     ///< events of one execution; reaching it is `incomplete`
  std::size_t stack_bytes = 256 * 1024;  ///< stack of one model thread
  unsigned spurious_wakeups = 1;         ///< explored per condition_variable wait; 0: none
  SiteObserver* sites = nullptr;         ///< see site_observer.hpp; outlives the exploration
  // Strategy::exhaustive, see docs/checkpoint.md.
  std::string checkpoint{};  ///< file in which the state of the search is kept; empty: none
  bool resume = false;       ///< go on from `checkpoint`
  std::chrono::nanoseconds checkpoint_every{std::chrono::seconds(5)};
  std::string scenario{};  ///< its name: a checkpoint belongs to one
  unsigned shard = 0;      ///< 1..shards: explore this part of the executions only
  unsigned shards = 0;     ///< 0: all of them
};

}  // namespace heddle::sim
