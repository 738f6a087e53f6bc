// Where the next process comes from: the order of looking, spinning, and falling asleep.
#include <algorithm>
#include <span>

#include <heddle/scheduler/workers/core.hpp>
#include <heddle/scheduler/workers/worker.hpp>

namespace heddle::inline HEDDLE_ON {

ControlBlock* Worker::pick() {
  bool again = false;
  if (count_pick()) [[unlikely]] {
    if (core_.idle.worth_waking() && core_.queued() > core_.options.start_searching_above) {
      core_.wake_one_after_fence();
    }
    oldest_first_ = true;
    if (ControlBlock* const block = take_global()) return block;
    if (ControlBlock* const block = take_inject(*this, again)) return block;
  }
  if (ControlBlock* const block = take_next()) return block;
  if (ControlBlock* const block = pick_local()) return block;
  if (ControlBlock* const block = take_inject(*this, again)) return block;
  return take_global();
}

ControlBlock* Worker::take_next() {
  if (next_.load(sync::memory_order_relaxed) == nullptr) {
    next_runs_ = 0;
    return nullptr;
  }
  if (next_runs_ >= DefaultLimits::next_slot_runs) {
    next_runs_ = 0;
    // Two processes that wake each other live in this slot. Others get their turn, if there are.
    if (shows_work()) {
      oldest_first_ = true;
      return nullptr;
    }
  }
  ++next_runs_;
  // relaxed: it is the owner's own store that is read, unless a thief took it: then null.
  return next_.exchange(nullptr, sync::memory_order_relaxed);
}

ControlBlock* Worker::pick_local() {
  ControlBlock* block = nullptr;
  if (oldest_first_) {
    oldest_first_ = false;
    if (local_.steal(block) == steal_result::item) return block;
  }
  return local_.pop(block) == pop_result::item ? block : nullptr;
}

/// The first of the `count` in batch_ is the caller's to run; the others go to the local queue, so
/// that the oldest is the next one picked, and another worker is told.
ControlBlock* Worker::keep_first(std::size_t count) {
  // Their first lines are needed soon, and were written elsewhere.
  for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(batch_[i], 1);
  for (std::size_t i = count - 1; i > 0; --i) push_local(*batch_[i]);
  ControlBlock* const first = batch_[0];
  if (count > 1) core_.wake_one();  // H6: a batch behind a long step is nobody's but this worker's
  return first;
}

ControlBlock* Worker::take_inject(Worker& from, bool& again) {
  const std::span<ControlBlock*> room(batch_.data(), core_.options.inject_batch + 1);
  const auto taken = from.inject_.pop_some(room);
  if (taken.result == inject_result::retry) again = true;
  return taken.count == 0 ? nullptr : keep_first(taken.count);
}

ControlBlock* Worker::take_global() {
  const std::span<ControlBlock*> room(batch_.data(), core_.options.global_batch);
  const std::size_t count = core_.global.pop_share(room, core_.workers.size());
  return count == 0 ? nullptr : keep_first(count);
}

ControlBlock* Worker::steal_from(Worker& victim, bool& again) {
  const std::span<ControlBlock*> room(batch_.data(), core_.options.steal_batch);
  const stolen_batch taken = victim.local_.steal_half(room);
  if (taken.result == steal_result::lost_race) again = true;
  if (taken.count != 0) {
    counters.stolen.add(taken.count);
    return keep_first(taken.count);
  }
  ControlBlock* const block = take_inject(victim, again);
  if (block != nullptr) counters.stolen.add();
  return block;
}

/// Its own queues, the global queue and every other worker, once.
ControlBlock* Worker::look_around(bool& again) {
  if (ControlBlock* const block = take_next()) return block;
  if (ControlBlock* const block = pick_local()) return block;
  if (ControlBlock* const block = take_inject(*this, again)) return block;
  if (ControlBlock* const block = take_global()) return block;
  const std::size_t count = core_.workers.size();
  const std::uint32_t start = rotation_++;
  for (std::size_t i = 0; i < count; ++i) {
    Worker& victim = *core_.workers[(start + i) % count];
    if (&victim == this) continue;
    if (ControlBlock* const block = steal_from(victim, again)) return block;
  }
  return nullptr;
}

ControlBlock* Worker::search() {
  begin_search();
  remember_picks();
  for (std::uint32_t round = 0;; ++round) {
    bool again = false;
    if (ControlBlock* const block = look_around(again)) return found(block);
    if (core_.is_stopping() && core_.tend_shutdown()) return nullptr;
    if (!again && tired(round)) break;
    pause(round, again);
  }
  if (ControlBlock* const block = take_stalled()) return found(block);
  return sleep();
}

void Worker::begin_search() {
  if (searching_) return;
  core_.idle.begin_search();
  searching_ = true;
}

ControlBlock* Worker::found(ControlBlock* block) {
  searching_ = false;
  // B09: somebody may have counted on this worker to find what it has not looked at.
  if (core_.idle.end_search() && core_.queues_show_work()) core_.wake_one_after_fence();
  return block;
}

bool Worker::tired(std::uint32_t round) const {
  const Options& options = core_.options;
  if (round >= options.tight_rounds + options.yielding_rounds) return true;
  return core_.idle.searching() > 1 && core_.queued() < options.stop_searching_below;
}

void Worker::pause(std::uint32_t round, bool again) const {
  const Options& options = core_.options;
  // `again`: another thread is in the middle of something that this one waits for.
  if (again) sync::spin_hint();
  if (round < options.tight_rounds) {
    // Bounded: it goes on to something else, so the simulator must not wait for a change here.
    for (std::uint32_t i = 0; i < options.spins_per_round; ++i) sync::spin_hint();
  } else {
    sync::yield();
  }
}

void Worker::remember_picks() {
  for (std::size_t i = 0; i < seen_picks_.size(); ++i) {
    seen_picks_[i] = core_.workers[i]->picks_.load(sync::memory_order_relaxed);
  }
}

/// The next slot of a worker that has been in one step since remember_picks().
ControlBlock* Worker::take_stalled() {
  for (std::size_t i = 0; i < seen_picks_.size(); ++i) {
    Worker& victim = *core_.workers[i];
    if (&victim == this) continue;
    ControlBlock* block = victim.next_.load(sync::memory_order_relaxed);
    if (block == nullptr || victim.picks_.load(sync::memory_order_relaxed) != seen_picks_[i]) {
      continue;
    }
    // Should it have been taken, run and put there again meanwhile, it is there again. acquire: the
    // block behind the pointer.
    if (victim.next_.compare_exchange_strong(block, nullptr, sync::memory_order_acquire,
                                             sync::memory_order_relaxed)) {
      counters.stolen.add();
      return block;
    }
  }
  return nullptr;
}

/// Parks, unless there is something after all. Comes back searching, with a process or to look.
ControlBlock* Worker::sleep() {
  const bool last = core_.idle.enter(number_);
  const bool ended = core_.is_stopping() && core_.tend_shutdown();
  const bool work = last && core_.queues_show_work();
  // Ending the others by force, this worker may have made some ready: for its own next slot.
  const bool own_work = next_.load(sync::memory_order_relaxed) != nullptr;
  if (work || own_work || ended) {
    if (!core_.idle.leave(number_)) (void)parker_.park();  // I3 of the idle set: a token is coming
    return nullptr;
  }
  if (wait_for_token()) return nullptr;
  return take_stalled();
}

/// False: the time was up first.
bool Worker::wait_for_token() {
  std::optional<sync::clock::time_point> deadline = core_.shutdown_deadline();
  bool sentinel = false;
  const bool others_run = core_.idle.idle() < core_.workers.size();
  if (!deadline && others_run && core_.options.stall_limit.count() != 0) {
    sentinel = !core_.sentinel.exchange(true, sync::memory_order_relaxed);
    if (sentinel) deadline = sync::clock::now() + core_.options.stall_limit;
  }
  counters.parks.add();
  const bool token = parker_.park(deadline);
  if (sentinel) core_.sentinel.store(false, sync::memory_order_relaxed);
  if (token) return true;
  if (core_.idle.leave(number_)) return false;
  return parker_.park();  // taken out at the last moment
}

}  // namespace heddle::inline HEDDLE_ON
