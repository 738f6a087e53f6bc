// Start, shutdown, and start again. The protocol and its races: docs/scheduler.md §6.
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <utility>

#include <heddle/scheduler/workers/core.hpp>

namespace heddle::inline HEDDLE_ON {

Core::Core(Options given) : options(std::move(given)), idle(options.workers) {
  workers.reserve(options.workers);
  for (std::uint32_t i = 0; i < options.workers; ++i) {
    workers.push_back(std::make_unique<Worker>(*this, i));
  }
}

void Core::reference() { references_.fetch_add(1, sync::memory_order_relaxed); }

void Core::unreference() {
  // acq_rel: what every holder did with the core comes before its destruction.
  if (references_.fetch_sub(1, sync::memory_order_acq_rel) == 1) delete this;
}

Error Core::add_handler(CommandId id, Handler handler) {
  const std::lock_guard lock(lifecycle_mutex_);
  return registry.add(id, std::move(handler));
}

Error Core::start() {
  if (current() != nullptr) {
    return Error(Errc::would_block, "start() from inside of a process");
  }
  const std::lock_guard lock(lifecycle_mutex_);
  const Stage before = stage();
  if (before != Stage::created && before != Stage::stopped) {
    return Error(Errc::already_running, before == Stage::running ? "start() was called before"
                                                                 : "a shutdown is under way");
  }
  join_threads();  // of a shutdown that came from inside of a process
  registry.freeze();
  deadline_ns_.store(no_deadline, sync::memory_order_relaxed);
  // relaxed, up to `running`: the workers get it with their creation, wake_all() or their join.
  stage_.store(Stage::starting, sync::memory_order_relaxed);
  if (Error error = create_threads()) {
    stage_.store(Stage::stopped, sync::memory_order_relaxed);
    wake_all();
    join_threads();
    stage_.store(Stage::created, sync::memory_order_relaxed);
    return error;
  }
  // release: publishes that there is no deadline to begin_shutdown().
  stage_.store(Stage::running, sync::memory_order_release);
  return {};
}

Error Core::create_threads() {
  try {
    threads_.reserve(workers.size());
    for (const auto& worker : workers) {
      Worker* const run = worker.get();
      if (options.create_thread) {
        threads_.push_back(options.create_thread([run] { run->run(); }));
      } else {
        threads_.emplace_back([run] { run->run(); });
      }
    }
    return {};
  } catch (...) {
    return Error::from_current_exception(Errc::thread_creation);
  }
}

void Core::join_threads() {
  for (sync::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
  threads_.clear();
}

void Core::begin_shutdown(std::chrono::nanoseconds deadline) {
  // acquire: the deadline to lower is at least as new as this start() made it.
  Stage seen = stage_.load(sync::memory_order_acquire);
  if (seen != Stage::running && seen != Stage::stopping) return;
  bring_deadline_nearer((sync::clock::now() + deadline).time_since_epoch().count());
  // seq_cst: before the sweep and the reading of live(), against claim() and launch().
  if (seen == Stage::running &&
      stage_.compare_exchange_strong(seen, Stage::stopping, sync::memory_order_seq_cst,
                                     sync::memory_order_relaxed)) {
    // store-load: the stage before, the mailboxes in the sweep after.
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    for_each_live(&Core::cancel);
  }
  (void)try_end();
  wake_all();
}

/// Of several shutdowns at once the one that wins the stage need not be the one in a hurry: each
/// lowers the deadline before it touches the stage.
void Core::bring_deadline_nearer(std::int64_t at) {
  std::int64_t known = deadline_ns_.load(sync::memory_order_relaxed);
  while (at < known && !deadline_ns_.compare_exchange_weak(known, at, sync::memory_order_relaxed,
                                                           sync::memory_order_relaxed)) {
  }
}

void Core::shutdown(std::chrono::nanoseconds deadline) {
  begin_shutdown(deadline);
  if (current() != nullptr) return;
  const std::lock_guard lock(lifecycle_mutex_);
  join_threads();
}

std::optional<sync::clock::time_point> Core::shutdown_deadline() const {
  if (stage() != Stage::stopping) return std::nullopt;
  // relaxed: a worker that misses the deadline has none, as start() left it; the shutdown wakes it,
  // or it joins the sleepers afterwards, under the same mutex.
  return sync::clock::time_point(
      sync::clock::duration(deadline_ns_.load(sync::memory_order_relaxed)));
}

bool Core::tend_shutdown() {
  if (stage() == Stage::stopped) return true;
  if (!is_stopping()) return false;
  if (const auto deadline = shutdown_deadline(); deadline && sync::clock::now() >= *deadline) {
    force();
  }
  return try_end();
}

void Core::force() {
  Stage expected = Stage::stopping;
  // relaxed: the fence orders it; what `stopping` published goes on in its release sequence.
  if (!stage_.compare_exchange_strong(expected, Stage::forcing, sync::memory_order_relaxed,
                                      sync::memory_order_relaxed)) {
    return;
  }
  // store-load: as in begin_shutdown().
  sync::atomic_thread_fence(sync::memory_order_seq_cst);
  for_each_live(&Core::terminate);
  wake_all();
}

bool Core::try_end() {
  // seq_cst: the reads in live() come after the shutdown's store of the stage, and so after the
  // count of whoever has still seen the stage before; a relaxed read brings nothing of that with
  // it.
  Stage now = stage_.load(sync::memory_order_seq_cst);
  if (now == Stage::stopped) return true;
  if (live() != 0) return false;
  while (now == Stage::stopping || now == Stage::forcing) {
    // relaxed: wake_all() passes it on to who sleeps, and the join to who starts again.
    if (stage_.compare_exchange_weak(now, Stage::stopped, sync::memory_order_relaxed,
                                     sync::memory_order_relaxed)) {
      wake_all();
      return true;
    }
  }
  return now == Stage::stopped;
}

void Core::for_each_live(bool (Core::*act)(Pid)) {
  for (std::uint32_t slot = 1; slot < blocks.size(); ++slot) {
    const MailboxWord<> word = blocks.at(slot).mailbox.look();
    const Pid pid{slot, word.generation()};
    if (word.live(pid.generation)) (void)(this->*act)(pid);
  }
}

}  // namespace heddle::inline HEDDLE_ON
