// All that the scheduler keeps about one process: two cache lines in a slab that is never unmapped.
// The first has the mailbox word and what its owner and its wakers need; small processes live in
// the second.
//
// Threads:    mailbox, link, budgets, last_worker, steps, started_at: any. process, watchers and
//             storage: the thread that owns the process, which the mailbox's state decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <heddle/scheduler/limits.hpp>
#include <heddle/scheduler/process/budget.hpp>
#include <heddle/scheduler/process/mailbox.hpp>
#include <heddle/scheduler/process/pid.hpp>
#include <heddle/scheduler/queues/inject_queue.hpp>
#include <heddle/scheduler/queues/pool.hpp>

namespace heddle::inline HEDDLE_ON {

class Process;

struct alignas(separate_lines) ControlBlock : InjectLink {
  static constexpr std::uint16_t no_worker = std::numeric_limits<std::uint16_t>::max();
  static constexpr std::size_t storage_bytes =
      DefaultLimits::inline_process_bytes == 0 ? 1 : DefaultLimits::inline_process_bytes;

  explicit ControlBlock(std::uint32_t index) : pool_index(index) {}
  ~ControlBlock() {
    if (TopicBudgets* const table = budgets.load(sync::memory_order_relaxed)) table->retire();
  }

  Pid pid_of(std::uint32_t generation) const noexcept { return {pool_index, generation}; }

  Mailbox<> mailbox;
  sync::cell<Process*> process{nullptr};
  sync::atomic<TopicBudgets*> budgets{nullptr};
  sync::atomic<std::uint64_t> steps{0};
  sync::atomic<std::int64_t> started_at{0};  // nanoseconds of sync::clock
  sync::cell<std::uint32_t> pool_next{0};
  const std::uint32_t pool_index;
  sync::cell<std::uint32_t> watchers{0};  // event nodes: who is told when the process has ended
  sync::atomic<std::uint16_t> last_worker{no_worker};
  sync::cell<bool> in_place{false};  // the process lives in `storage`
  alignas(16) std::byte storage[storage_bytes];
};

// B12 allows 256 bytes for a parked process besides its own state.
static_assert(sync::limits_are_small || sizeof(ControlBlock) == 128);

using BlockPool = Pool<ControlBlock>;

}  // namespace heddle::inline HEDDLE_ON
