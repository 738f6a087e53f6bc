// A process's handle on its scheduler. Copyable; valid until the scheduler is destroyed.
//
// Threads: any. Inside of a step, calls take the short way through the worker that runs it.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include <heddle/scheduler/process/host.hpp>

namespace heddle::inline HEDDLE_ON {

class Process;

class Context {
 public:
  Context(Host& host, Pid self) noexcept : host_(&host), self_(self) {}

  Pid self() const noexcept { return self_; }

  // spawn and submit are defined in launch.hpp, which needs Context itself; scheduler.hpp has both.
  /// Constructs a T, initialises it, and makes it ready.
  template <class T, class... Args>
  Result<Pid> spawn(std::string_view method = {}, Payload input = {}, Args&&... args) const;
  /// The same, with a watch() that misses no end: it is there before the process can run. When the
  /// spawn fails, its error is all that comes.
  template <class T, class... Args>
  Result<Pid> spawn_watched(std::string_view method = {}, Payload input = {}, Args&&... args) const;
  Result<Pid> submit(std::unique_ptr<Process> process, std::string_view method = {},
                     Payload input = {}) const;

  SendResult send(Pid to, Message message) const {
    return host_->send(self_, to, std::move(message));
  }
  SendResult send(Pid to, Message message, const CancellationToken& token) const {
    return host_->send(self_, to, std::move(message), token);
  }

  /// Sends the cancel event; false if it was sent before, or there is no such process.
  bool cancel(Pid pid) const { return host_->cancel(pid); }
  /// Ends a process by force; false if there is no such process.
  bool terminate(Pid pid) const { return host_->terminate(pid); }
  /// Asks for a message on topics::exit when `target` has ended; an error when it already has.
  Error watch(Pid target) const { return host_->watch(self_, target); }
  /// Begins a shutdown with the deadline of the options. Returns at once.
  void request_shutdown() const { host_->request_shutdown(); }

 private:
  Host* host_;
  Pid self_;
};

}  // namespace heddle::inline HEDDLE_ON
