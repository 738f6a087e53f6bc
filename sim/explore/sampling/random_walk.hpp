// Random walk: each step goes to one of the threads that can take one, with equal chances.
//
// Guarantee: a schedule with s steps at which n threads were ready has a chance of n^-s. Good at
//            defects that need threads to alternate, poor at those that need one thread to stand
//            still for long.
#pragma once

#include <heddle/sim/explore/sampling/scheduler.hpp>

namespace heddle::sim::engine {

class RandomWalk final : public Scheduler {
 public:
  using Scheduler::Scheduler;

  std::size_t pick(const Situation& situation) override {
    return below(schedule(), situation.ready.size());
  }
  std::string description() const override { return "random walk"; }
};

}  // namespace heddle::sim::engine
