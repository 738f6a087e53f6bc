// The laws of scheduling, checked on a log. Each law is broken by some log: see
// properties/model/laws_std_test.cpp.
//
//   L1  a process is stepped by one worker at a time, and only while it lives
//   L2  a process is stepped only when it was made ready
//   L3  every process is closed, once
//   L4  an event is delivered at most once, and only if it was sent and not refused
//   L5  the events of one producer reach one process in the producer's order
//   L6  nothing reaches another process than the one it was sent to: no other slot, and no
//       other occupant of the same slot
//   L7  what was sent and not refused is delivered, unless its process ended first
//   L8  a wait ends after the process is closed
//   L9  no worker sleeps at the end while a process is ready
//   L10 a ready process is overtaken by at most `overtaken_max` steps of others
//   L11 after the shutdown nothing is stepped or closed, and the count of the living is zero
//
// Complexity: O(n log n) in the length of the log.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <heddle/model/laws/scheduler_log.hpp>

namespace heddle::model {

struct LawOptions {
  std::uint64_t overtaken_max = ~std::uint64_t{0};
  bool complete = true;   ///< the log goes to the end: false leaves out L3's "closed", L7 and L9
  bool readiness = true;  ///< the log has ready, rested and continued: false leaves out L2, L9, L10
};

struct Violation {
  unsigned law;       ///< its number, as above
  std::size_t event;  ///< index into the log; its length when the end shows it
  std::string text;
};

/// The first violation, or nothing.
std::optional<Violation> check_laws(std::span<const SchedulerEvent> log,
                                    const LawOptions& options = {});

}  // namespace heddle::model
