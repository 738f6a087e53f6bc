// The public face of the scheduler: processes, messages, commands, and the runtime that steps them.
//
//   heddle::Scheduler scheduler;                        // one worker per hardware thread
//   scheduler.start();
//   auto pid = scheduler.spawn<MyProcess>("main");      // init, then step, step, … close
//   scheduler.send(*pid, {topic, payload});
//   auto report = scheduler.wait(*pid);                 // how it ended
//
// docs/scheduler.md explains what happens inside.
//
// Threads:    any, on everything; construction and destruction as any object's. Two schedulers do
//             not know of each other.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <heddle/scheduler/process/cancellation.hpp>
#include <heddle/scheduler/process/command_registry.hpp>
#include <heddle/scheduler/process/launch.hpp>
#include <heddle/scheduler/process/process.hpp>
#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/scheduler/sync/sync.hpp>
#include <heddle/scheduler/workers/options.hpp>
#include <heddle/scheduler/workers/statistics.hpp>

namespace heddle::inline HEDDLE_ON {

class Core;

class Scheduler {
 public:
  /// Throws: std::invalid_argument, with what is wrong, when the options make no sense.
  explicit Scheduler(Options options = {});
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  /// Shuts down with the deadline of the options. Not from inside of a process.
  ~Scheduler();

  /// Before the first start().
  Error register_command(CommandId id, Handler handler);

  /// Creates the workers. May be called again after a shutdown.
  Error start();

  /// Asks every process to finish, with an event on topics::cancel; ends those that are left when
  /// the deadline has passed; returns when no thread is left. From inside of a process it only
  /// begins.
  void shutdown();
  void shutdown(std::chrono::nanoseconds deadline);
  /// Only begins.
  void request_shutdown();

  /// Constructs a T with `args`, initialises it with method and input, and makes it ready.
  template <class T, class... Args>
  Result<Pid> spawn(std::string_view method = {}, Payload input = {}, Args&&... args) {
    return launch_new<T>(host(), Pid{}, method, std::move(input), std::forward<Args>(args)...);
  }
  Result<Pid> submit(std::unique_ptr<Process> process, std::string_view method = {},
                     Payload input = {}) {
    return launch_existing(host(), std::move(process), method, std::move(input));
  }

  SendResult send(Pid to, Message message);
  /// The token is looked at before the receiver is looked up, and again before admission.
  SendResult send(Pid to, Message message, const CancellationToken& token);

  /// Sends the cancel event; false when it was sent before, or there is no such process.
  bool cancel(Pid pid);
  /// Ends a process by force, after the step that it may be in. False: there is no such process.
  bool terminate(Pid pid);
  /// Blocks until the process has ended. An error when it is gone already, as its report then is.
  /// Either way all that its steps did is visible afterwards.
  Result<ExitReport> wait(Pid pid);
  /// `watcher` gets an ExitReport on topics::exit when `target` has ended.
  Error watch(Pid watcher, Pid target);

  Statistics statistics() const;
  /// Nothing when there is no such process.
  std::optional<ProcessInfo> info(Pid pid) const;

 private:
  Host& host();

  Core* core_;
};

}  // namespace heddle::inline HEDDLE_ON
