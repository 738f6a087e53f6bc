// The scheduler behind its public face: slots, events, queues and workers, and what is done to
// them.
//
// Threads:    any, on everything that is public.
// Invariants: I1 live() = 0 in a stage from stopping on implies that nothing is or will be live
//             I2 a process is closed once: by the thread that moves it to complete
//             I3 the stage moves along created → starting → running → stopping → forcing →
//                stopped → starting …, by exchange
// Protocol:   docs/scheduler.md §6, with its race cases.
// Checked by: properties/scheduler/*_scenarios.cpp, properties/scheduler/*_std_test.cpp
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <heddle/scheduler/process/command_registry.hpp>
#include <heddle/scheduler/process/control_block.hpp>
#include <heddle/scheduler/process/event.hpp>
#include <heddle/scheduler/process/host.hpp>
#include <heddle/scheduler/queues/global_queue.hpp>
#include <heddle/scheduler/workers/counters.hpp>
#include <heddle/scheduler/workers/idle_set.hpp>
#include <heddle/scheduler/workers/options.hpp>
#include <heddle/scheduler/workers/statistics.hpp>
#include <heddle/scheduler/workers/worker.hpp>

namespace heddle::inline HEDDLE_ON {

class Core final : public Host {
 public:
  enum class Stage : std::uint8_t { created, starting, running, stopping, forcing, stopped };

  /// Precondition: options.validate() is no error. Starts with one reference.
  explicit Core(Options options);

  // -- life cycle: lifecycle.cpp
  // -------------------------------------------------------------------
  Error add_handler(CommandId id, Handler handler);
  Error start();
  void request_shutdown() override { begin_shutdown(options.shutdown_deadline); }
  /// Begins; a second call can only bring the deadline nearer. Never blocks.
  void begin_shutdown(std::chrono::nanoseconds deadline);
  /// Begins, and waits for the end, unless the caller is one of the workers.
  void shutdown(std::chrono::nanoseconds deadline);
  /// What workers do about a shutdown between steps. True: the scheduler has stopped.
  bool tend_shutdown();
  std::optional<sync::clock::time_point> shutdown_deadline() const;
  Stage stage() const { return stage_.load(sync::memory_order_relaxed); }
  bool is_stopping() const { return stage() >= Stage::stopping; }

  // -- processes: processes.cpp
  // --------------------------------------------------------------------
  ControlBlock* claim(Error& why) override;
  Result<Pid> launch(ControlBlock& block, std::string_view method, Payload&& input,
                     Pid watcher) override;
  void unclaim(ControlBlock& block) override;
  /// running or starting → complete, and everything that follows. The caller owns the process.
  void end_process(ControlBlock& block, Worker* self, ExitReason reason, Error error);
  bool terminate(Pid pid) override;
  Error watch(Pid watcher, Pid target) override;
  Result<ExitReport> wait(Pid pid);
  std::uint64_t live() const;

  // -- messages: messages.cpp
  // ----------------------------------------------------------------------
  SendResult send(Pid from, Pid to, Message&& message) override;
  SendResult send(Pid from, Pid to, Message&& message, const CancellationToken& token) override;
  SendResult complete(Pid to, Event&& completion) override;
  bool cancel(Pid pid) override;
  EventNode& take_node(Worker* self);
  void give_node(Worker* self, EventNode& node);
  /// Throws events away that will not be delivered, and answers watch requests among them.
  void discard(Worker* self, std::uint32_t newest, const ExitReport& report);

  // -- work: scheduling.cpp
  // ------------------------------------------------------------------------
  /// Queues a process that the caller has made ready, and wakes a worker if one is needed.
  void schedule(Worker* self, ControlBlock& block);
  void push_global(ControlBlock& block);
  /// After work was published; includes the fence.
  void wake_one(std::optional<std::uint32_t> preferred = std::nullopt);
  /// The same, when a full fence followed the publication, or when a miss does no harm.
  void wake_one_after_fence();
  void wake_all();
  bool queues_show_work() const;
  std::size_t queued() const;
  /// The worker that the calling thread is, or null.
  Worker* current() { return current_.get(); }
  void set_current(Worker* worker) { current_.get() = worker; }

  // -- statistics.cpp
  // ------------------------------------------------------------------------------
  Statistics statistics() const;
  std::optional<ProcessInfo> info(Pid pid) const;

  void reference() override;
  void unreference() override;

  const Options options;
  CommandRegistry registry;
  EventPool events;
  BlockPool blocks;
  GlobalQueue<ControlBlock*> global;
  IdleSet idle;
  std::vector<std::unique_ptr<Worker>> workers;
  sync::atomic<bool> sentinel{false};  // some idle worker watches for stalled next slots

 private:
  friend class Worker;
  ~Core() = default;

  /// A thread in wait(). Guarded by wait_mutex_.
  struct Waiter {
    bool done = false;
    ExitReport report;
  };
  /// The counters of all threads that are no workers: as WorkerCounters, but with many writers.
  struct SharedCounters {
    sync::atomic<std::uint64_t> started{0};
    sync::atomic<std::uint64_t> finished{0};
    sync::atomic<std::uint64_t> launched{0};
    sync::atomic<std::uint64_t> accepted{0};
    sync::atomic<std::uint64_t> dropped{0};
    sync::atomic<std::uint64_t> discarded{0};
  };
  /// Adds to a worker's counter, or to the shared one when the thread is no worker.
  void count(Worker* self, Counter WorkerCounters::*own,
             sync::atomic<std::uint64_t> SharedCounters::*shared, std::uint64_t n = 1);

  ControlBlock* refuse_claim(Worker* self);
  bool reserve_place();
  void release_place(Worker* self);
  void finish_outside();
  void release_slot(ControlBlock& block, Worker* self);
  void destroy_process(ControlBlock& block, ExitReason& reason, Error& error);
  void answer(Worker* self, EventNode& node, const ExitReport& report);
  Error add_watch(Pid watcher, Payload waiter, Pid target);
  SendResult deliver(Worker* self, ControlBlock& block, std::uint32_t generation, Event&& event,
                     std::uint64_t flags, std::uint64_t unwanted);
  void after_push(Worker* self, ControlBlock& block, push_result result);
  SendResult send_budgeted(Worker* self, ControlBlock& block, Pid from, Pid to, Message& message);
  SendResult drop(Worker* self, ControlBlock& block, std::uint32_t generation);
  TopicBudgets& budgets_of(ControlBlock& block);
  bool try_end();
  void bring_deadline_nearer(std::int64_t at);
  void force();
  void for_each_live(bool (Core::*act)(Pid));
  Error create_threads();
  void join_threads();
  Error not_running() const;

  alignas(separate_lines) sync::atomic<Stage> stage_{Stage::created};
  static constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();
  sync::atomic<std::int64_t> deadline_ns_{no_deadline};
  sync::atomic<std::uint32_t> references_{1};
  alignas(separate_lines) SharedCounters shared_;
  alignas(separate_lines) sync::atomic<std::size_t> places_taken_{0};  // only with a process limit

  sync::thread_slot<Worker*> current_;
  sync::mutex lifecycle_mutex_;
  std::vector<sync::thread> threads_;  // guarded by lifecycle_mutex_
  sync::mutex wait_mutex_;
  sync::condition_variable wait_done_;
};

// What every message and every process passes through, in sight of its callers.

inline EventNode& Core::take_node(Worker* self) {
  return self != nullptr ? events.take(self->event_magazine) : events.take();
}

inline void Core::give_node(Worker* self, EventNode& node) {
  node.event.with([](Event& event) { event.clear(); });
  if (self != nullptr)
    events.give(self->event_magazine, node);
  else
    events.give(node);
}

inline void Core::count(Worker* self, Counter WorkerCounters::*own,
                        sync::atomic<std::uint64_t> SharedCounters::*shared, std::uint64_t n) {
  if (self != nullptr) (self->counters.*own).add(n);
  // relaxed: a statistic.
  else
    (shared_.*shared).fetch_add(n, sync::memory_order_relaxed);
}

}  // namespace heddle::inline HEDDLE_ON
