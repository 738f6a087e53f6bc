// The life of a process, from its slot to its last watcher.
#include <mutex>
#include <utility>

#include <heddle/scheduler/process/process.hpp>
#include <heddle/scheduler/workers/core.hpp>

namespace heddle::inline HEDDLE_ON {

ControlBlock* Core::claim(Error& why) {
  Worker* const self = current();
  if (self != nullptr) {
    // The process that submits is itself live, so the scheduler cannot stop meanwhile.
    if (stage() != Stage::running) [[unlikely]] {
      why = not_running();
      return nullptr;
    }
    self->counters.started.add();
  } else {
    // seq_cst, both: a shutdown sets the stage and then reads the counters (try_end()). Either it
    // sees this process, or this thread sees the stage (H8).
    shared_.started.fetch_add(1, sync::memory_order_seq_cst);
    if (stage_.load(sync::memory_order_seq_cst) != Stage::running) {
      why = not_running();
      return refuse_claim(self);
    }
  }
  if (options.process_limit != 0 && !reserve_place()) [[unlikely]] {
    why = Error(Errc::process_limit,
                "there are " + std::to_string(options.process_limit) +
                    " processes already, as many as Options::process_limit allows");
    return refuse_claim(self);
  }
  try {
    ControlBlock& block = self != nullptr ? blocks.take(self->block_magazine) : blocks.take();
    (void)block.mailbox.claim();
    return &block;
  } catch (const std::bad_alloc&) {
    if (options.process_limit != 0) places_taken_.fetch_sub(1, sync::memory_order_relaxed);
    why = Errc::out_of_memory;
    return refuse_claim(self);
  }
}

Error Core::not_running() const {
  const Stage now = stage();
  if (now == Stage::created || now == Stage::starting) {
    return Error(Errc::not_running, "the scheduler has not been started");
  }
  return Error(Errc::not_running, "the scheduler is shutting down, or has been shut down");
}

/// Takes the count of a process back that does not come into being. Returns null.
ControlBlock* Core::refuse_claim(Worker* self) {
  if (self != nullptr) {
    self->counters.finished.add();
  } else {
    finish_outside();
  }
  return nullptr;
}

bool Core::reserve_place() {
  std::size_t taken = places_taken_.load(sync::memory_order_relaxed);
  // relaxed: only the number matters; check and increment are one step (B91, H8).
  while (taken < options.process_limit) {
    if (places_taken_.compare_exchange_weak(taken, taken + 1, sync::memory_order_relaxed,
                                            sync::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

void Core::release_place(Worker* self) {
  if (options.process_limit != 0) places_taken_.fetch_sub(1, sync::memory_order_relaxed);
  if (self != nullptr) {
    self->counters.finished.add();
    // A worker that misses the shutdown here meets it on its way to sleep.
    if (is_stopping()) (void)try_end();
  } else {
    finish_outside();
  }
}

/// Counts an end in a thread that is no worker.
void Core::finish_outside() {
  // release: whoever reads the end in live() reads the beginning as well.
  shared_.finished.fetch_add(1, sync::memory_order_release);
  // store-load: the count before; the stage, and the workers' counters, after. Of this thread, the
  // shutdown and a worker on its way to sleep (IdleSet::enter()), each of which counts or sets the
  // stage, has a fence, and looks, the last one sees all; this thread comes by only once.
  sync::atomic_thread_fence(sync::memory_order_seq_cst);
  if (is_stopping()) (void)try_end();
}

Result<Pid> Core::launch(ControlBlock& block, std::string_view method, Payload&& input,
                         Pid watcher) {
  Worker* const self = current();
  const Pid pid = block.pid_of(block.mailbox.look().generation());
  Error error;
  try {
    error = block.process.read()->init(Context(*this, pid), method, std::move(input));
  } catch (...) {
    error = Error::from_current_exception(Errc::init_failed);
  }
  // Before the process can run, so that no end is missed; after init, whose error is the answer.
  if (!error && watcher) error = watch(watcher, pid);
  if (error) {
    end_process(block, self, ExitReason::failed, error);
    return error;
  }
  block.steps.store(0, sync::memory_order_relaxed);
  block.last_worker.store(ControlBlock::no_worker, sync::memory_order_relaxed);
  block.started_at.store(
      self != nullptr ? self->coarse_now() : sync::clock::now().time_since_epoch().count(),
      sync::memory_order_relaxed);
  block.mailbox.open();
  // From here on the process may run, end, and its slot be another's.
  count(self, &WorkerCounters::launched, &SharedCounters::launched);
  if (self != nullptr) {
    self->schedule_spawned(block);
  } else {
    push_global(block);
    wake_one();
  }
  // A shutdown that began after claim() may have passed this slot before the process was in it.
  // Both ways of queueing end with a fence, which orders open() before this read; the shutdown has
  // one between its store of the stage and its sweep.
  const Stage now = stage();
  if (now >= Stage::stopping) (void)cancel(pid);
  if (now >= Stage::forcing) (void)terminate(pid);
  return pid;
}

void Core::unclaim(ControlBlock& block) {
  Worker* const self = current();
  const Pid pid = block.pid_of(block.mailbox.look().generation());
  discard(self, block.mailbox.finish(), ExitReport{pid, ExitReason::failed, Errc::init_failed});
  release_slot(block, self);
  release_place(self);
}

void Core::end_process(ControlBlock& block, Worker* self, ExitReason reason, Error error) {
  const std::uint32_t late = block.mailbox.finish();
  const Pid pid = block.pid_of(block.mailbox.look().generation());
  destroy_process(block, reason, error);
  const std::uint32_t watchers = block.watchers.read();
  if (watchers != 0) block.watchers.write(0);
  release_slot(block, self);
  release_place(self);
  // Last, so that who is told finds the process gone from the statistics. A watcher that is to be
  // told is live itself, or refuses: the end that release_place() may have declared stands.
  if ((watchers | late) != 0) [[unlikely]] {
    const ExitReport report{pid, reason, std::move(error)};
    discard(self, watchers, report);
    discard(self, late, report);
  }
}

void Core::destroy_process(ControlBlock& block, ExitReason& reason, Error& error) {
  Process* const process = block.process.read();
  block.process.write(nullptr);
  try {
    process->close();
  } catch (...) {
    if (!error) error = Error::from_current_exception(Errc::close_failed);
    if (reason == ExitReason::done) reason = ExitReason::failed;
  }
  if (block.in_place.read())
    process->~Process();
  else
    delete process;
}

void Core::release_slot(ControlBlock& block, Worker* self) {
  if (!block.mailbox.recycle()) return;  // its generations are used up: it refuses for ever
  if (self != nullptr)
    blocks.give(self->block_magazine, block);
  else
    blocks.give(block);
}

bool Core::terminate(Pid pid) {
  ControlBlock* const block = blocks.find(pid.slot);
  if (block == nullptr) return false;
  const push_result result = block->mailbox.mark(pid.generation, MailboxWord<>::killed);
  if (result == push_result::make_ready) schedule(current(), *block);
  return result != push_result::refused;
}

Error Core::add_watch(Pid watcher, Payload waiter, Pid target) {
  ControlBlock* const block = blocks.find(target.slot);
  if (block == nullptr) return Errc::no_such_process;
  Worker* const self = current();
  EventNode& node = take_node(self);
  node.event.write(Event::watch(watcher, std::move(waiter)));
  if (block->mailbox.push_quietly(target.generation, node.pool_index, node.next) ==
      push_result::refused) {
    give_node(self, node);
    return Errc::no_such_process;
  }
  return {};
}

Error Core::watch(Pid watcher, Pid target) {
  try {
    return add_watch(watcher, Payload(), target);
  } catch (const std::bad_alloc&) {
    return Errc::out_of_memory;
  }
}

Result<ExitReport> Core::wait(Pid pid) {
  if (current() != nullptr) {
    return Error(Errc::would_block, "wait() from inside of a process; use watch()");
  }
  Waiter waiter;
  try {
    if (Error error = add_watch(Pid{}, Payload(&waiter), pid)) return error;
  } catch (const std::bad_alloc&) {
    return Error(Errc::out_of_memory);
  }
  // Whoever answers touches the waiter under the mutex only, so it may go when this returns (B50).
  std::unique_lock lock(wait_mutex_);
  wait_done_.wait(lock, [&waiter] { return waiter.done; });
  return std::move(waiter.report);
}

void Core::answer(Worker* self, EventNode& node, const ExitReport& report) {
  Event request;
  node.event.with([&request](Event& event) { request = std::move(event); });
  if (Waiter** const waiter = request.payload().get<Waiter*>()) {
    give_node(self, node);
    {
      const std::lock_guard lock(wait_mutex_);
      (*waiter)->report = report;
      (*waiter)->done = true;
    }
    wait_done_.notify_all();
    return;
  }
  // The message travels in the request's own node: an exit is reported even without memory.
  Message message(topics::exit, Payload());
  try {
    message.payload = Payload(report);
  } catch (const std::bad_alloc&) {
    // The watcher learns that it ended, and from() says who; not how.
  }
  node.event.write(Event::of(std::move(message), report.pid, Reservation()));
  const Pid watcher = request.from();
  ControlBlock* const block = blocks.find(watcher.slot);
  const push_result result =
      block == nullptr ? push_result::refused
                       : block->mailbox.push(watcher.generation, node.pool_index, node.next,
                                             MailboxWord<>::no_flag, MailboxWord<>::no_flag);
  if (result == push_result::refused) {
    give_node(self, node);
    return;
  }
  count(self, &WorkerCounters::accepted, &SharedCounters::accepted);
  if (result == push_result::make_ready) schedule(self, *block);
}

std::uint64_t Core::live() const {
  // All that finished first, all that started afterwards: when the sums are equal, nothing was live
  // at a moment in between (docs/scheduler.md §6).
  std::uint64_t finished = shared_.finished.load(sync::memory_order_acquire);
  for (const auto& worker : workers) finished += worker->counters.finished.read();
  std::uint64_t started = 0;
  for (const auto& worker : workers) started += worker->counters.started.read();
  started += shared_.started.load(sync::memory_order_seq_cst);
  return started >= finished ? started - finished : 0;
}

}  // namespace heddle::inline HEDDLE_ON
