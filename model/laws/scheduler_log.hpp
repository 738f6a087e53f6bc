// What a scheduler did, as a list of events: what the laws of scheduling are checked on.
//
// The order of the list must be one in which the events could have happened: events of one process
// in the order of its steps, the offer of a message before its delivery.
//
// Threads: none; who records from several threads takes turns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::model {

/// A process: a slot, and which of its occupants.
struct ProcessId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const ProcessId&, const ProcessId&) = default;
  friend auto operator<=>(const ProcessId&, const ProcessId&) = default;
};

struct SchedulerEvent {
  enum class Kind : std::uint8_t {
    spawned,    ///< a process is there
    sent,       ///< producer `who` offers `process` its event `number`; before the answer
    refused,    ///< and is told that it was not accepted
    delivered,  ///< the process got event `number` of producer `who`
    ready,      ///< the process is to be stepped
    stepped,    ///< a step began, on worker `who`
    rested,     ///< the step ended, and the process is not ready
    continued,  ///< the step ended, and the process is ready again
    closed,     ///< the process was closed
    waited,     ///< somebody who waited for the process's end was told
    asleep,     ///< worker `who` went to sleep
    awake,      ///< worker `who` is up again
    stopped     ///< shutdown has returned; `number`: how many processes it says are alive
  };
  Kind kind{};
  ProcessId process{};
  std::uint32_t who = 0;
  std::uint64_t number = 0;
};

std::string to_string(const SchedulerEvent& event);

}  // namespace heddle::model
