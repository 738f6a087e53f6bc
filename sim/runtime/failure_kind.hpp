// What can be wrong with an execution.
#pragma once

#include <string_view>

namespace heddle::sim {

enum class FailureKind {
  check,               ///< sim::check(false)
  exception,           ///< an exception left the body of a thread
  data_race,           ///< two conflicting accesses, one non-atomic, unordered by happens-before
  use_after_free,      ///< an access to an object that was destroyed or whose memory was freed
  uninitialised_read,  ///< an access to an object that was never constructed or written
  double_free,         ///< memory freed twice
  leak,                ///< memory still allocated when the body has returned
  deadlock,            ///< threads that wait for what no thread will do (lost wakeups included)
  livelock,            ///< a spin loop that sees only newest values and can never end
  unjoined_thread,     ///< a joinable thread object destroyed
  misuse,              ///< a precondition of a sync object violated
  nondeterminism,      ///< the body did something else when it was run again
};

/// The name in traces and reports: "data_race".
std::string_view to_string(FailureKind kind) noexcept;

}  // namespace heddle::sim
