// What users write: a state machine that the scheduler steps.
#pragma once

#include <string_view>

#include <heddle/scheduler/process/context.hpp>
#include <heddle/scheduler/process/event.hpp>
#include <heddle/scheduler/process/step_output.hpp>

namespace heddle::inline HEDDLE_ON {

/// Threads: the scheduler calls one of these at a time, on any worker, with everything that the
///          last one wrote visible; init is called by the thread that submits.
class Process {
 public:
  Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  virtual ~Process() = default;

  /// Called once. `method` names an entry point; a process that does not know it returns
  /// Errc::unknown_method. After an error, close() follows and nothing stays behind. The context
  /// may be kept.
  virtual Error init(Context context, std::string_view method, Payload input) = 0;

  /// Called as often as there is reason to; the first time without events unless some came before.
  /// An exception ends the process with Errc::step_failed.
  virtual void step(Events& events, StepOutput& output) = 0;

  /// Called exactly once, however the process ends; the object is destroyed afterwards.
  virtual void close() {}
};

}  // namespace heddle::inline HEDDLE_ON
