// How many executions there are, before all of them have been explored.
//
// Two sources. Probes are random paths through the tree of runs: each run on one counts one over
// the probability of the path to it, which is an estimate without bias, if a widely spread one
// (Knuth 1975, "Estimating the efficiency of backtrack programs"). The search itself says how many
// executions it has met in the share of the tree that it has explored. Errors are those of the
// logarithm, as estimates of trees are wrong by factors.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include <heddle/sim/explore/options.hpp>

namespace heddle::sim {

struct Estimate {
  double executions = 0;  ///< 0: none yet
  double error = 0;       ///< within a factor of e^error, two times in three
};

/// Complete executions of `body`, from random paths; nothing is verified.
/// Errors: std::invalid_argument for options out of range.
/// Complexity: a probe runs the body as often as it leaves the plain way, so about the logarithm of
/// the number of executions times.
Estimate estimate(const Options& options, const std::function<void()>& body, unsigned probes = 200,
                  std::uint64_t seed = 1);

}  // namespace heddle::sim

namespace heddle::sim::engine {

class Exhaustive;

/// What probes found. How the executions are spread over the tree differs from program to program,
/// so probes draw in several ways, all without bias.
class ProbeSeries {
 public:
  void probe(Exhaustive& prober, std::mt19937_64& random);
  std::size_t count() const noexcept { return count_; }
  Estimate estimate() const noexcept;

 private:
  // By how much the chance of an alternative fades from one decision of a run to the next: what
  // comes below later ones is less, as fewer decisions are left.
  static constexpr std::array<double, 4> fadings{0.85, 0.7, 0.5, 0.3};

  struct Sample {
    std::size_t count = 0;
    std::size_t hits = 0;  // not zero
    double sum = 0, squares = 0;
    double logarithms = 0, logarithms_squares = 0;
    void add(double executions) noexcept;
    Estimate estimate() const noexcept;
  };

  Sample all_;
  std::array<Sample, fadings.size()> ways_{};
  std::size_t count_ = 0;
};

/// Grows better while the search goes on.
class RunningEstimate {
 public:
  RunningEstimate();
  ~RunningEstimate();

  /// Takes some more probes, for a few milliseconds; after enough of them none.
  void probe(const Options& options, const std::function<void()>& body);
  /// What the search has come to: called from time to time, with growing numbers.
  Estimate after(std::uint64_t executions, double share);

 private:
  struct Block {
    double executions;
    double share;
  };
  Estimate of_search(double executions, double share) const;

  std::unique_ptr<Exhaustive> prober_;
  std::mt19937_64 random_{1};
  ProbeSeries probes_;
  std::vector<Block> blocks_;  // of about the same share, in the order of the search
  double block_share_ = 0;     // that a block has to have
  Block last_{0, 0};           // totals at the end of the last block
};

}  // namespace heddle::sim::engine
