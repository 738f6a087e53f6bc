#include <heddle/scheduler/workers/worker.hpp>

#include <algorithm>
#include <utility>

#include <heddle/scheduler/process/process.hpp>
#include <heddle/scheduler/workers/core.hpp>

namespace heddle::inline HEDDLE_ON {

Worker::Worker(Core& core, std::uint32_t number) : core_(core), number_(number) {
  const Options& options = core.options;
  batch_.resize(std::max({options.inject_batch + 1, options.global_batch, options.steal_batch}));
  overflow_.resize(options.local_max / 2);
  seen_picks_.resize(options.workers);
}

void Worker::run() {
  core_.set_current(this);
  now_ns_ = sync::clock::now().time_since_epoch().count();
  while (ControlBlock* const block = next_process()) execute(*block);
  if (std::exchange(searching_, false)) (void)core_.idle.end_search();
  core_.events.empty(event_magazine);
  core_.blocks.empty(block_magazine);
  core_.set_current(nullptr);
}

ControlBlock* Worker::next_process() {
  for (;;) {
    if (core_.is_stopping() && core_.tend_shutdown()) [[unlikely]]
      return nullptr;
    if (ControlBlock* const block = pick()) {
      if (searching_) [[unlikely]]
        return found(block);
      // What the last step left in the local queue, others may take. A publication that this misses
      // is seen at the next pick; those inside of a step have a fence.
      if (core_.idle.worth_waking() && local_.size() != 0) core_.wake_one_after_fence();
      return block;
    }
    if (ControlBlock* const block = search()) return block;
  }
}

/// One step, after which the events are gone.
inline void Worker::step(ControlBlock& block, const Events& events, Error& thrown) {
  block.steps.store(block.steps.load(sync::memory_order_relaxed) + 1, sync::memory_order_relaxed);
  counters.steps.add();
  output_.reset();
  try {
    Events copy = events;
    block.process.read()->step(copy, output_);
  } catch (...) {
    thrown = Error::from_current_exception(Errc::step_failed);
  }
  if (!events.empty()) {
    counters.delivered.add(events.size());
    for (auto at = events.begin(); at != events.end();) {
      EventNode& node = at.node();
      ++at;
      core_.give_node(this, node);
    }
  }
}

void Worker::execute(ControlBlock& block) {
  const MailboxWord<> word = block.mailbox.begin_run();
  const Pid pid = block.pid_of(word.generation());
  if (word.has(MailboxWord<>::killed)) [[unlikely]] {
    core_.discard(this, word.list(), ExitReport{pid, ExitReason::terminated, Errc::terminated});
    core_.end_process(block, this, ExitReason::terminated, Errc::terminated);
    return;
  }
  if (block.last_worker.load(sync::memory_order_relaxed) != number_) {
    block.last_worker.store(static_cast<std::uint16_t>(number_), sync::memory_order_relaxed);
  }
  Events events = arrange(block, word.list());
  Error thrown;
  for (;;) {
    step(block, events, thrown);
    if (output_.yields() != 0) dispatch(pid);
    if (output_.status() != StepStatus::continue_ || thrown || !may_go_on(block)) break;
    events = Events(core_.events, 0, 0);
  }
  if (thrown) [[unlikely]] {
    core_.end_process(block, this, ExitReason::failed, std::move(thrown));
    return;
  }
  switch (output_.status()) {
    case StepStatus::done: {
      const ExitReason reason = output_.error() ? ExitReason::failed : ExitReason::done;
      core_.end_process(block, this, reason, output_.error());
      return;
    }
    case StepStatus::continue_:
      (void)block.mailbox.let_go(ProcessState::ready);
      requeue(block);
      return;
    case StepStatus::idle:
    case StepStatus::blocked: {
      const auto wanted =
          output_.status() == StepStatus::idle ? ProcessState::idle : ProcessState::blocked;
      if (block.mailbox.let_go(wanted) == ProcessState::ready) requeue(block);
      return;
    }
  }
}

/// May the running process, which wants to continue, do so at once? When nothing has come for it,
/// and nothing else waits that this worker would find: then it would be the next one picked. It
/// stays running, which spares its way through the word and a queue.
bool Worker::may_go_on(const ControlBlock& block) {
  if (local_.size() != 0 || next_.load(sync::memory_order_relaxed) != nullptr) return false;
  if (!inject_.seems_empty() || core_.global.size() != 0) return false;
  if (core_.is_stopping() || !block.mailbox.undisturbed()) return false;
  count_pick();
  return true;
}

/// Counts a pick. True on every fairness tick.
bool Worker::count_pick() {
  ++tick_;
  // relaxed: thieves only want to see it change.
  picks_.store(tick_, sync::memory_order_relaxed);
  if (tick_ % DefaultLimits::fairness_tick != 0) [[likely]]
    return false;
  now_ns_ = sync::clock::now().time_since_epoch().count();
  return true;
}

/// Turns the list around, so that the oldest event comes first, and puts watch requests aside.
Events Worker::arrange(ControlBlock& block, std::uint32_t newest) {
  std::uint32_t oldest = 0;
  std::size_t count = 0;
  while (newest != 0) {
    EventNode& node = core_.events.at(newest);
    const std::uint32_t older = node.next.read();
    const bool watch =
        node.event.with([](const Event& event) { return event.kind() == EventKind::watch; });
    if (watch) [[unlikely]] {
      node.next.write(block.watchers.read());
      block.watchers.write(newest);
    } else {
      node.next.write(oldest);
      oldest = newest;
      ++count;
    }
    newest = older;
  }
  return Events(core_.events, oldest, count);
}

void Worker::dispatch(Pid pid) {
  for (std::size_t i = 0; i < output_.yields(); ++i) {
    Yield& yield = output_.yield_at(i);
    const Handler* const handler = core_.registry.find(yield.command);
    Completer completer(core_, pid, yield.tag);
    if (handler == nullptr) {
      (void)completer.fail(Errc::unknown_command);
      continue;
    }
    Command command{yield.command, pid, std::move(yield.data)};
    try {
      const Error error = (*handler)(command, completer);
      if (error && completer.armed()) {
        (void)completer.fail(Error(Errc::handler_failed, error.message(), error.cause()));
      }
    } catch (...) {
      if (completer.armed())
        (void)completer.fail(Error::from_current_exception(Errc::handler_failed));
    }
  }
}

void Worker::requeue(ControlBlock& block) {
  push_local(block);
  oldest_first_ = true;
}

void Worker::put_next(ControlBlock& block) {
  // release: thieves of stalled slots follow the pointer.
  next_.store(&block, sync::memory_order_release);
  // Nobody is woken for it: this worker will be there first. But if its step does not end, somebody
  // has to notice: one of the sleepers watches (wait_for_token()), or is told to.
  if (core_.idle.worth_waking() && core_.options.stall_limit.count() != 0 &&
      !core_.sentinel.load(sync::memory_order_relaxed)) {
    core_.wake_one_after_fence();
  }
}

void Worker::schedule_spawned(ControlBlock& block) {
  if (next_.load(sync::memory_order_relaxed) == nullptr) {
    put_next(block);
    // store-load: open() before; launch()'s second look at the stage after.
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    return;
  }
  push_local(block);
  // store-load: the push before; the idle set's word, and launch()'s second look, after.
  sync::atomic_thread_fence(sync::memory_order_seq_cst);
  core_.wake_one_after_fence();
}

void Worker::schedule_woken(ControlBlock& block) {
  if (next_.load(sync::memory_order_relaxed) == nullptr) {
    put_next(block);
    return;
  }
  // The inject queue is first in, first out: a process that waits there gathers messages, where one
  // on top of the local queue would be stepped for each.
  const std::uint16_t last = block.last_worker.load(sync::memory_order_relaxed);
  const std::uint32_t to = last == ControlBlock::no_worker ? number_ : last;
  core_.workers[to]->inject(block);
  core_.wake_one(to);
}

void Worker::push_local(ControlBlock& block) {
  try {
    local_.push(&block);
  } catch (const std::exception&) {
    inject_.push(block);  // needs no memory
    return;
  }
  // Measuring touches a line that thieves write: not at every push.
  constexpr std::uint32_t interval = DefaultLimits::local_max >= 64 ? 32 : 1;
  if (++pushes_ % interval == 0 && local_.size() > core_.options.local_max) spill();
}

/// Half of the local queue, its older half, to the global queue.
void Worker::spill() {
  std::size_t count = 0;
  const std::size_t wanted = std::min(local_.size() / 2, overflow_.size());
  while (count < wanted) {
    const std::span<ControlBlock*> room(overflow_.data() + count, wanted - count);
    const stolen_batch taken = local_.steal_half(room);
    if (taken.result != steal_result::item) break;  // thieves are at it: good enough
    count += taken.count;
  }
  if (count == 0) return;
  try {
    core_.global.push_all(std::span<ControlBlock* const>(overflow_.data(), count));
  } catch (const std::bad_alloc&) {
    for (std::size_t i = 0; i < count; ++i) inject_.push(*overflow_[i]);
  }
}

}  // namespace heddle::inline HEDDLE_ON
