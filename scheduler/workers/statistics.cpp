#include <heddle/scheduler/workers/statistics.hpp>

#include <heddle/scheduler/workers/core.hpp>

namespace heddle::inline HEDDLE_ON {

std::string_view to_string(ExitReason reason) noexcept {
  switch (reason) {
    case ExitReason::done:
      return "done";
    case ExitReason::failed:
      return "failed";
    case ExitReason::terminated:
      return "terminated";
  }
  return "?";
}

Statistics Core::statistics() const {
  Statistics all;
  const auto relaxed = sync::memory_order_relaxed;
  all.live = live();
  // Ends before beginnings, so that no report shows more events delivered than accepted.
  all.discarded = shared_.discarded.load(relaxed);
  for (const auto& worker : workers) {
    all.delivered += worker->counters.delivered.read();
    all.discarded += worker->counters.discarded.read();
  }
  all.accepted = shared_.accepted.load(relaxed);
  all.dropped = shared_.dropped.load(relaxed);
  all.submitted = shared_.launched.load(relaxed);
  for (const auto& worker : workers) {
    const WorkerCounters& counters = worker->counters;
    all.accepted += counters.accepted.read();
    all.dropped += counters.dropped.read();
    all.submitted += counters.launched.read();
    all.workers.push_back({.executed = counters.steps.read(),
                           .stolen = counters.stolen.read(),
                           .parks = counters.parks.read(),
                           .local_length = worker->local_size(),
                           .inject_waiting = !worker->inject_seems_empty()});
    all.steps += all.workers.back().executed;
    all.stolen += all.workers.back().stolen;
  }
  all.global_length = global.size();
  all.searching_workers = idle.searching();
  all.idle_workers = idle.idle();
  return all;
}

std::optional<ProcessInfo> Core::info(Pid pid) const {
  const ControlBlock* const block = blocks.find(pid.slot);
  if (block == nullptr) return std::nullopt;
  const MailboxWord<> before = block->mailbox.look();
  if (!before.live(pid.generation)) return std::nullopt;
  ProcessInfo info;
  info.state = before.state();
  info.steps = block->steps.load(sync::memory_order_relaxed);
  info.started_at = sync::clock::time_point(
      sync::clock::duration(block->started_at.load(sync::memory_order_relaxed)));
  // The numbers are this process's if it was still there after they were read.
  if (!block->mailbox.look().live(pid.generation)) return std::nullopt;
  return info;
}

}  // namespace heddle::inline HEDDLE_ON
