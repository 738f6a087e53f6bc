// What a process, and whoever completes its yields, needs of the scheduler: the seam between
// process/ and workers/.
#pragma once

#include <cstdint>
#include <string_view>

#include <heddle/scheduler/process/cancellation.hpp>
#include <heddle/scheduler/process/error.hpp>
#include <heddle/scheduler/process/message.hpp>
#include <heddle/scheduler/process/pid.hpp>

namespace heddle::inline HEDDLE_ON {

class Event;
struct ControlBlock;

/// Threads: any, on everything.
class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// A slot for a new process; or null, and why.
  virtual ControlBlock* claim(Error& why) = 0;
  /// Initialises the process in the slot and makes it ready; `watcher`, if set, is told of its end,
  /// unless it is init that fails. The slot is the host's afterwards.
  virtual Result<Pid> launch(ControlBlock& block, std::string_view method, Payload&& input,
                             Pid watcher) = 0;
  /// Takes back a claimed slot in which no process was put.
  virtual void unclaim(ControlBlock& block) = 0;

  virtual SendResult send(Pid from, Pid to, Message&& message) = 0;
  virtual SendResult send(Pid from, Pid to, Message&& message, const CancellationToken& token) = 0;
  virtual SendResult complete(Pid to, Event&& completion) = 0;
  virtual bool cancel(Pid pid) = 0;
  virtual bool terminate(Pid pid) = 0;
  virtual Error watch(Pid watcher, Pid target) = 0;
  virtual void request_shutdown() = 0;

  /// Keeps the host's memory, not its threads, alive.
  virtual void reference() = 0;
  virtual void unreference() = 0;

 protected:
  ~Host() = default;
};

}  // namespace heddle::inline HEDDLE_ON
