// POS: partial order sampling. Every operation that a thread has come to has a random priority and
// the highest one goes first; operations that race with the one that went draw a new one.
//
// Guarantee: what is independent does not disturb: an operation that must go before (or after) m
//            operations of another thread that do not race with it does so with a chance of
//            1/(m+1), where a random walk has 2^-m. No parameter, no length to be known.
// Source:    Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling (CAV 2018).
// Deviation: whether an RMW will write is not known before it goes, so it counts as a write.
#pragma once

#include <vector>

#include <heddle/sim/explore/sampling/scheduler.hpp>

namespace heddle::sim::engine {

class Pos final : public Scheduler {
 public:
  using Scheduler::Scheduler;

  bool begin_run() override;
  std::size_t pick(const Situation& situation) override;
  std::string description() const override { return "pos"; }

 private:
  struct Priority {
    std::uint64_t run = 0;
    std::uint32_t position = 0;  // of the operation in its thread
    std::uint64_t value = 0;
  };

  Priority& slot(graph::thread_id thread);
  std::uint64_t priority(const ModelThread& thread);

  std::uint64_t run_ = 0;
  std::vector<Priority> priorities_;  // per thread
};

/// Accesses of one object, one of which may write.
bool race(const graph::Event& a, const graph::Event& b) noexcept;

}  // namespace heddle::sim::engine
