// What a scheduler says about itself while it runs. Every number is right for some moment; numbers
// of one report may be of different moments.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <heddle/scheduler/process/error.hpp>
#include <heddle/scheduler/process/mailbox.hpp>
#include <heddle/scheduler/process/pid.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

struct WorkerStatistics {
  std::uint64_t executed = 0;  ///< steps
  std::uint64_t stolen = 0;    ///< processes taken from other workers
  std::uint64_t parks = 0;     ///< times that it went to sleep
  std::size_t local_length = 0;
  bool inject_waiting = false;
};

struct Statistics {
  std::vector<WorkerStatistics> workers;
  std::size_t global_length = 0;
  std::uint64_t searching_workers = 0;
  std::uint64_t idle_workers = 0;
  // Totals since construction.
  std::uint64_t submitted = 0;
  std::uint64_t live = 0;
  std::uint64_t steps = 0;
  std::uint64_t stolen = 0;
  // Events. accepted = delivered + discarded + those in mailboxes.
  std::uint64_t accepted = 0;
  std::uint64_t dropped = 0;  ///< over a topic's budget
  std::uint64_t delivered = 0;
  std::uint64_t discarded = 0;  ///< the process ended before it could step on them
};

struct ProcessInfo {
  ProcessState state = ProcessState::free;
  std::uint64_t steps = 0;
  /// When it was made ready for the first time; to within a worker's fairness tick.
  sync::clock::time_point started_at{};
};

enum class ExitReason : std::uint8_t {
  done,       ///< its step said so
  failed,     ///< init, step or close threw, or step said fail
  terminated  ///< by terminate(), or when a shutdown's deadline passed
};
std::string_view to_string(ExitReason reason) noexcept;

/// How a process ended: what wait() returns, and the payload of a message on topics::exit.
struct ExitReport {
  Pid pid;
  ExitReason reason = ExitReason::done;
  Error error;  ///< set unless done
};

}  // namespace heddle::inline HEDDLE_ON
