// A core, started, with one worker that has no thread: the threads of a scenario are all there is,
// and what they do to the stage, the slots and the mailboxes is small enough to be exhausted.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include <heddle/scheduler/process/process.hpp>
#include <heddle/scheduler/workers/core.hpp>
#include <heddle/sim.hpp>

namespace heddle::properties {

class Nothing : public Process {
  Error init(Context, std::string_view, Payload) override { return {}; }
  void step(Events&, StepOutput&) override {}
  void close() override {}
};

class QuietCore {
 public:
  QuietCore() : core_(new Core(options())) { start(); }
  QuietCore(const QuietCore&) = delete;
  QuietCore& operator=(const QuietCore&) = delete;
  ~QuietCore() { core_->unreference(); }
  Core* operator->() const { return core_; }

  void start() const { sim::check(!core_->start(), "starts"); }
  bool stopped() const { return core_->stage() == Core::Stage::stopped; }
  ControlBlock* claim() const {
    Error why;
    return core_->claim(why);
  }
  /// Nothing when it is refused.
  std::optional<Pid> claim_and_launch() const {
    ControlBlock* const block = claim();
    if (block == nullptr) return std::nullopt;
    block->process.write(new Nothing);
    block->in_place.write(false);
    const auto pid = core_->launch(*block, "", Payload(), Pid{});
    sim::check(static_cast<bool>(pid), "init has no error");
    return *pid;
  }
  /// The calling thread does what the worker's thread would.
  template <class Work>
  void as_worker(Work work) const {
    Worker& worker = *core_->workers[0];
    core_->set_current(&worker);
    work();
    core_->events.empty(worker.event_magazine);
    core_->blocks.empty(worker.block_magazine);
    core_->set_current(nullptr);
  }
  bool has(Pid pid, std::uint64_t flag) const {
    return core_->blocks.at(pid.slot).mailbox.look().has(flag);
  }
  /// Takes a ready process, with whatever waits for it, to its end.
  void end(Pid pid) const {
    ControlBlock& block = core_->blocks.at(pid.slot);
    core_->discard(nullptr, block.mailbox.begin_run().list(), {});
    core_->end_process(block, nullptr, ExitReason::done, {});
  }

 private:
  static Options options() {
    Options all;
    all.workers = 1;
    all.create_thread = [](const std::function<void()>&) { return sync::thread(); };
    return all;
  }
  Core* core_;
};

}  // namespace heddle::properties
