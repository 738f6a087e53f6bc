// Where a ready process goes, and whom that wakes.
#include <heddle/scheduler/workers/core.hpp>

namespace heddle::inline HEDDLE_ON {

void Core::schedule(Worker* self, ControlBlock& block) {
  if (self != nullptr) {
    self->schedule_woken(block);
    return;
  }
  const std::uint16_t last = block.last_worker.load(sync::memory_order_relaxed);
  if (last == ControlBlock::no_worker) {
    push_global(block);
    wake_one();
  } else {
    workers[last]->inject(block);
    // The worker that it is for if that sleeps; else any: it may be busy for long (H2, H5).
    wake_one(last);
  }
}

void Core::push_global(ControlBlock& block) {
  try {
    global.push(&block);
  } catch (const std::bad_alloc&) {
    workers[0]->inject(block);  // needs no memory, and everybody looks there
  }
}

void Core::wake_one(std::optional<std::uint32_t> preferred) {
  if (const auto chosen = idle.choose_after_publishing(preferred)) workers[*chosen]->unpark();
}

void Core::wake_one_after_fence() {
  if (const auto chosen = idle.choose_after_fence()) workers[*chosen]->unpark();
}

void Core::wake_all() {
  for (const std::uint32_t worker : idle.take_all()) workers[worker]->unpark();
}

bool Core::queues_show_work() const {
  if (global.size() != 0) return true;
  for (const auto& worker : workers) {
    if (worker->shows_work()) return true;
  }
  return false;
}

std::size_t Core::queued() const {
  std::size_t total = global.size();
  for (const auto& worker : workers) total += worker->queued();
  return total;
}

}  // namespace heddle::inline HEDDLE_ON
