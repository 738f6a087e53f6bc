// sim::clock: virtual time. It moves when the body calls advance(), and when a sleep or a timed
// wait ends by time; never by itself.
#pragma once

#include <chrono>

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim {

struct clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<clock>;
  static constexpr bool is_steady = true;

  static time_point now(source_location site = source_location::current());
};

/// Moves the virtual clock.
void advance(std::chrono::nanoseconds by, source_location site = source_location::current());

/// Moves the virtual clock to the deadline unless it is there already: time passes for a thread.
void reach(clock::time_point deadline, source_location site = source_location::current());

/// Ends at any moment after it began at which the clock has reached the deadline.
void sleep_until(clock::time_point deadline, source_location site = source_location::current());
void sleep_for(std::chrono::nanoseconds duration,
               source_location site = source_location::current());

}  // namespace heddle::sim
