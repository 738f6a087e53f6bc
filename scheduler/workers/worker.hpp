// One worker: its queues, and the loop that takes a process, steps it, and puts it where it
// belongs.
//
// Threads:    run() by the worker's thread, and everything that is not said otherwise. local's
//             thieves, inject, next, the counters and unpark: any thread.
// State:      next    the process that the running one has just made ready; ahead of `local`
//             local   what this worker runs next, newest first
//             inject  what others put here because it ran here last
// Invariants: I1 only the owner puts something into `next`, and only when it is empty
//             I2 a process is in at most one of these, and then it is ready
//             I3 `searching_` is true exactly while the idle set counts this worker as searching
// Progress:   a ready process in `next`, `local` or `inject` is picked within a bounded number of
//             picks: `next` is passed over after Limits::next_slot_runs, the oldest item of `local`
//             is taken after every step that yields and on every fairness tick.
// Checked by: properties/workers/worker_scenarios.cpp, properties/workers/fairness_std_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <heddle/scheduler/process/control_block.hpp>
#include <heddle/scheduler/process/event.hpp>
#include <heddle/scheduler/process/step_output.hpp>
#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/scheduler/queues/inject_queue.hpp>
#include <heddle/scheduler/workers/counters.hpp>
#include <heddle/scheduler/workers/parker.hpp>

namespace heddle::inline HEDDLE_ON {

class Core;

struct WorkerDequeLimits : deque_limits {
  static constexpr std::size_t first_capacity = sync::limits_are_small ? 4 : 512;
  static constexpr std::size_t batch_max = DefaultLimits::steal_batch;
};

class alignas(separate_lines) Worker {
 public:
  Worker(Core& core, std::uint32_t number);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Until the scheduler has stopped.
  void run();

  // -- called by the code that runs on this worker
  // -------------------------------------------------
  /// A process that the running one has made ready: next slot, or where it ran last.
  void schedule_woken(ControlBlock& block);
  /// A process that the running one has spawned.
  void schedule_spawned(ControlBlock& block);
  std::int64_t coarse_now() const { return now_ns_; }

  // -- called by any thread
  // ------------------------------------------------------------------------
  void inject(ControlBlock& block) { inject_.push(block); }
  void unpark() { parker_.unpark(); }
  bool shows_work() const { return local_.size() != 0 || !inject_.seems_empty(); }
  std::size_t queued() const { return local_.size() + (inject_.seems_empty() ? 0 : 1); }
  std::size_t local_size() const { return local_.size(); }
  bool inject_seems_empty() const { return inject_.seems_empty(); }

  WorkerCounters counters;
  // The owner's.
  BlockPool::Magazine block_magazine;
  EventPool::Magazine event_magazine;

 private:
  // worker.cpp: the loop.
  ControlBlock* next_process();
  void execute(ControlBlock& block);
  void step(ControlBlock& block, const Events& events, Error& thrown);
  bool may_go_on(const ControlBlock& block);
  bool count_pick();
  Events arrange(ControlBlock& block, std::uint32_t newest);
  void dispatch(Pid pid);
  void requeue(ControlBlock& block);

  // find_work.cpp: where the next process comes from.
  ControlBlock* pick();
  ControlBlock* pick_local();
  ControlBlock* take_next();
  ControlBlock* take_inject(Worker& from, bool& again);
  ControlBlock* take_global();
  ControlBlock* search();
  ControlBlock* look_around(bool& again);
  ControlBlock* steal_from(Worker& victim, bool& again);
  ControlBlock* take_stalled();
  ControlBlock* keep_first(std::size_t count);
  void remember_picks();
  bool tired(std::uint32_t round) const;
  void pause(std::uint32_t round, bool again) const;
  void begin_search();
  ControlBlock* found(ControlBlock* block);
  ControlBlock* sleep();
  bool wait_for_token();

  void put_next(ControlBlock& block);
  void push_local(ControlBlock& block);
  void spill();

  Core& core_;
  const std::uint32_t number_;

  deque<ControlBlock*, WorkerDequeLimits> local_;
  InjectQueue<ControlBlock> inject_;
  alignas(separate_lines) sync::atomic<ControlBlock*> next_{nullptr};
  sync::atomic<std::uint32_t> picks_{0};

  // The owner's.
  alignas(separate_lines) StepOutput output_;
  std::vector<ControlBlock*> batch_;       // where a batch lands before it is queued
  std::vector<ControlBlock*> overflow_;    // where spill() collects; a batch may be half queued
  std::vector<std::uint32_t> seen_picks_;  // of every worker, when this one began to search
  std::uint32_t tick_ = 0;
  std::uint32_t next_runs_ = 0;
  std::uint32_t pushes_ = 0;
  std::uint32_t rotation_ = 0;
  std::int64_t now_ns_ = 0;
  bool oldest_first_ = false;  // the next local pick takes the oldest item
  bool searching_ = false;

  Parker parker_;
};

}  // namespace heddle::inline HEDDLE_ON
