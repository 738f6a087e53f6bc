// A recorded execution: what each thread did, in an order in which it can be run again, where each
// read took its value and where each write went in its location's modification order. It is data;
// trace/ turns it into JSON and back and replays it, report/ draws it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <heddle/sim/runtime/failure_kind.hpp>

namespace heddle::sim {

/// One event, or one note between events.
struct TraceStep {
  enum class Kind : std::uint8_t {
    load,
    store,
    rmw,
    fence,
    choose,
    spawn,
    join,
    await_load,
    await_rmw,  ///< a read that lets its thread continue only with the right value
    cell_read,
    cell_write,  ///< non-atomic accesses; shown, not needed for replay
    operation_begin,
    operation_end,  ///< the operation history
    blocked,        ///< the thread waits here when the execution ends
    spin            ///< a spin hint that found nothing new
  };
  static constexpr std::int64_t no_source = -2;  ///< not a read
  static constexpr std::int64_t initial = -1;    ///< read the value the location was built with

  Kind kind{};
  std::uint32_t thread = 0;
  std::string order;                      ///< "seq_cst"; empty where there is none
  std::string location;                   ///< "T0.3": third location constructed by thread 0
  std::string role;                       ///< "atomic", "mutex", …
  std::optional<std::string> read;        ///< value read, in hex ("0x2a")
  std::optional<std::string> written;     ///< value written
  std::int64_t source = no_source;        ///< step read from
  std::uint32_t co_position = 0;          ///< writes: place in modification order, 1 is the first
  bool stale = false;                     ///< a newer value was there when this read took place
  std::uint32_t choice = 0, choices = 0;  ///< choose
  std::uint32_t other_thread = 0;         ///< spawn, join
  std::string file;                       ///< relative to the source root where that is known
  std::uint32_t line = 0;
  std::string function;
  std::string text;    ///< notes, operations, what a thread waits for
  bool needed = true;  ///< false: the failure does not depend on it; views fold it

  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

/// An object that steps name.
struct TraceLocation {
  std::string name;  ///< as in TraceStep::location
  std::string role;
  std::string file;  ///< where it was constructed
  std::uint32_t line = 0;

  friend bool operator==(const TraceLocation&, const TraceLocation&) = default;
};

/// A place that ran with weaker memory orders than the source has (`heddle audit`).
struct TraceWeakening {
  std::string operation;  ///< "load", "store", "rmw", "fence"
  std::string file;       ///< relative to the source root where that is known
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< 0: not known
  std::string order;         ///< in the source
  std::string failure;       ///< rmw: of the failure, in the source
  std::string to_order;      ///< as it ran
  std::string to_failure;    ///< rmw: of the failure, as it ran

  friend bool operator==(const TraceWeakening&, const TraceWeakening&) = default;
};

/// An event by a name that survives edits of the source: which thread, at which site, and how
/// often that thread has been there.
struct TraceEventName {
  std::string thread;            ///< role: "0" is the body, "0.2" the second thread it started
  std::string site;              ///< "store push deque.hpp"; "start": before its first event
  std::uint32_t occurrence = 0;  ///< 1 is the first

  friend bool operator==(const TraceEventName&, const TraceEventName&) = default;
};

/// A place where the execution leaves the plain way, in which the running thread goes on for as
/// long as it can, then the first one that can; reads see the newest value, writes come last in
/// modification order, and choose() gives 0. Together the decisions make the execution.
struct TraceDecision {
  enum class Kind : std::uint8_t {
    run,    ///< after `at`, thread `other.thread` runs
    read,   ///< `at` reads what `other` wrote; no thread: the initial value
    place,  ///< `at` goes before the write `other` in modification order
    choose  ///< `at` gives `choice`
  };
  Kind kind{};
  TraceEventName at;
  TraceEventName other;
  std::uint32_t choice = 0;

  friend bool operator==(const TraceDecision&, const TraceDecision&) = default;
};

struct Trace {
  static constexpr int current_version = 2;

  int version = current_version;
  std::string scenario;      ///< name of the scenario, empty for a bare body
  std::string memory_model;  ///< "rc11" or "sc"
  bool timeouts = true;
  unsigned spurious_wakeups = 1;  ///< Options::spurious_wakeups of the run
  std::uint64_t max_steps = 100'000;
  std::size_t stack_bytes = 256 * 1024;
  FailureKind failure{};
  std::string message;
  std::string file;  ///< where the failure was found
  std::uint32_t line = 0;
  std::uint32_t thread = 0;     ///< the thread that failed
  std::uint64_t execution = 0;  ///< how many executions had been explored
  std::vector<TraceStep> steps;
  std::vector<TraceLocation> locations;  ///< for people; replay does not need it
  std::vector<TraceWeakening> weakened;  ///< what was changed at run time; replay changes it again
  std::vector<std::string> conflict;  ///< the two places of a race, the allocation of a leak, …
  std::vector<TraceDecision> decisions;  ///< of a minimised trace
  std::string decisive;  ///< one sentence: what must happen for the failure; of a minimised trace

  friend bool operator==(const Trace&, const Trace&) = default;
};

std::string_view to_string(TraceStep::Kind kind) noexcept;
std::string_view to_string(TraceDecision::Kind kind) noexcept;

}  // namespace heddle::sim
