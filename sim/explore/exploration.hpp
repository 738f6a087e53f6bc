// The exhaustive search from its beginning, or from a checkpoint, to its report: alone or with a
// crew, whole or one shard of it, within its limits.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <heddle/sim/explore/estimate.hpp>
#include <heddle/sim/explore/exhaustive.hpp>
#include <heddle/sim/explore/ledger.hpp>

namespace heddle::sim::engine {

class Exploration {
 public:
  /// A search that is over in a moment is not worth a process.
  static constexpr std::chrono::milliseconds alone_default{30};

  /// `alone`: how long this process explores by itself before it gets a crew (Options::jobs).
  Exploration(const Options& options, const std::function<void()>& body, Exhaustive& search,
              std::chrono::nanoseconds alone = alone_default);

  Report explore();

 private:
  using Clock = std::chrono::steady_clock;

  void prepare();
  void split_for_shards();
  void explore_alone(std::optional<Clock::time_point> until);
  bool explore_part(Ledger::Position part, std::optional<Clock::time_point> until);
  void explore_with_crew();
  bool at_limit(std::uint64_t runs) const;
  bool look(const Tally& so_far);
  void tell(const Tally& so_far);
  bool wants_checkpoint() const;
  void write_state();
  std::chrono::nanoseconds elapsed() const;
  Report report();
  Failure record(const FailureSpot& spot);

  const Options& options_;
  const std::function<void()>& body_;
  Exhaustive& search_;
  std::chrono::nanoseconds alone_;
  Ledger ledger_;
  double whole_share_ = 1;  // of the tree: less for a shard
  Clock::time_point started_;
  std::chrono::nanoseconds elapsed_before_{
      0};  // of the processes whose checkpoint this one took up
  std::chrono::nanoseconds told_{0};
  std::chrono::nanoseconds saved_{0};
  std::string bound_;                // what ended the search
  std::optional<Failure> recorded_;  // of this process, as it was found
  RunningEstimate estimate_;
};

}  // namespace heddle::sim::engine
