// Preemption bounding: every schedule in which threads that could have gone on are interrupted at
// most `bound` times, one after the other, depth first. Switches from a thread that waits, spins or
// has ended are free.
//
// Guarantee: when it ends, each such schedule was run, with every result of choose(). Under RC11
//            each was also run with every write that its reads may see among those that are there
//            (the newest 64); what comes of writes that go before older ones in modification order
//            is not found, so the search is not exhaustive there, whatever the bound.
// Source:    Musuvathi, Qadeer: Iterative Context Bounding for Systematic Testing of Multithreaded
//            Programs (PLDI 2007).
#pragma once

#include <vector>

#include <heddle/sim/explore/sampling/scheduler.hpp>

namespace heddle::sim::engine {

class Bounded final : public Scheduler {
 public:
  explicit Bounded(unsigned bound) : Scheduler(0), bound_(bound) {}

  bool begin_run() override;
  std::size_t pick(const Situation& situation) override;
  std::uint32_t choose(std::uint32_t n) override { return decide(n); }
  std::uint32_t read(std::uint32_t n) override { return decide(n); }
  bool enumerates() const override { return true; }
  void spun(graph::thread_id thread) override;
  std::string description() const override;

 private:
  struct Decision {
    std::uint32_t taken;
    std::uint32_t options;
  };

  std::uint32_t decide(std::uint32_t options);
  bool rests(graph::thread_id thread) const noexcept {
    return thread < resting_.size() && resting_[thread];
  }

  unsigned bound_;
  bool started_ = false;
  bool ended_ = false;
  bool differs_ = false;
  std::vector<Decision> path_;  // decisions with one option are left out
  std::size_t depth_ = 0;
  unsigned preemptions_ = 0;
  std::vector<bool> resting_;  // spun, and nothing was written since
  std::vector<std::size_t> order_;
};

}  // namespace heddle::sim::engine
