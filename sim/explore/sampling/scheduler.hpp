// How executions are chosen: which thread takes the next step, and what it sees where that is open.
// One strategy per file; the Sampler runs them.
//
// To add one: derive, give pick(), and name it in make_scheduler().
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/explore/options.hpp>

namespace heddle::sim::engine {

/// Where an execution stands before its next step.
struct Situation {
  const std::vector<ModelThread*>& ready;    ///< one or more, by number: can take their next step
  const std::vector<ModelThread*>& pending;  ///< all that stopped before an operation, ready or not
  const ModelThread* last;                   ///< took the step before; nullptr at the start
};

class Scheduler {
 public:
  static constexpr std::size_t differs = static_cast<std::size_t>(-1);

  explicit Scheduler(std::uint64_t seed) : schedule_(seed), data_(seed ^ data_stream) {}
  virtual ~Scheduler() = default;

  /// False: there is no further execution.
  virtual bool begin_run() { return true; }
  /// Index into `ready`; `differs` when the body does not do what it did before.
  virtual std::size_t pick(const Situation& situation) = 0;
  /// The result of sim::choose(n).
  virtual std::uint32_t choose(std::uint32_t n) { return below(data_, n); }
  /// Which of the n writes that it may see a read takes; 0 is the newest. Here the newest half of
  /// the time, which keeps loops short, else each with equal chances.
  virtual std::uint32_t read(std::uint32_t n) { return below(data_, 2) == 0 ? 0 : below(data_, n); }
  /// True when read() and choose() go through all numbers, so that each must lead to an execution.
  virtual bool enumerates() const { return false; }
  /// The thread came back to where it was without anything new.
  virtual void spun(graph::thread_id) {}
  virtual void end_run() {}

  /// For Report::bound: "pct of depth 3, …".
  virtual std::string description() const = 0;

 protected:
  using Stream = std::mt19937_64;

  static std::uint32_t below(Stream& stream, std::size_t bound) {
    return static_cast<std::uint32_t>(
        std::uniform_int_distribution<std::size_t>(0, bound - 1)(stream));
  }
  // One stream per purpose, so that data does not move the schedule.
  Stream& schedule() noexcept { return schedule_; }

 private:
  static constexpr std::uint64_t data_stream = 0x9e37'79b9'7f4a'7c15;
  Stream schedule_;
  Stream data_;
};

/// For every strategy but Strategy::exhaustive.
std::unique_ptr<Scheduler> make_scheduler(const Options& options);

}  // namespace heddle::sim::engine
