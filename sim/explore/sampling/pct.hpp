// PCT: probabilistic concurrency testing. Threads have random priorities and the highest one runs;
// at d-1 random steps the running thread falls below all others.
//
// Guarantee: a defect of depth d (d ordering constraints are enough for it) is hit by one execution
//            with a chance of at least 1 / (n k^(d-1)), for n threads and k steps.
// Source:    Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
//            Guarantees of Finding Bugs (ASPLOS 2010).
// Deviations: k is not given but learnt: the most steps that an execution took; the first one is a
//            random walk for that. Only steps with a choice count, those with two ready threads.
//            Threads get their priorities when they are first seen; drawn independently, every
//            order of them is equally likely.
//            A thread that spins falls below all others, and after `tail` steps the execution is a
//            random walk: without that a thread of high priority would wait for one of low for
//            ever.
#pragma once

#include <vector>

#include <heddle/sim/explore/sampling/scheduler.hpp>

namespace heddle::sim::engine {

class Pct final : public Scheduler {
 public:
  static constexpr unsigned depth_max = 1000;

  Pct(std::uint64_t seed, unsigned depth) : Scheduler(seed), depth_(depth) {}

  bool begin_run() override;
  std::size_t pick(const Situation& situation) override;
  void spun(graph::thread_id thread) override;
  void end_run() override;
  std::string description() const override;

 private:
  struct Priority {
    std::uint64_t run = 0;  // the run that it was drawn in
    std::int64_t value = 0;
  };
  // Tail: far more steps than an execution ever took, and enough for short ones.
  static constexpr std::uint64_t tail_factor = 8;
  static constexpr std::uint64_t tail_min = 1000;

  std::int64_t& priority(graph::thread_id thread);
  std::size_t highest(const std::vector<ModelThread*>& ready);
  void draw_change_points();

  unsigned depth_;
  std::uint64_t run_ = 0;
  std::uint64_t steps_ = 0;      // of this run, with a choice
  std::uint64_t steps_max_ = 0;  // k
  std::uint64_t tail_ = 0;       // 0: all of the run is one
  std::int64_t lowest_ = 0;      // what a spinning thread gets next is below this
  std::vector<Priority> priorities_;
  // The step before which the running thread falls to priority i+1, below all initial ones.
  std::vector<std::uint64_t> change_points_;
};

}  // namespace heddle::sim::engine
