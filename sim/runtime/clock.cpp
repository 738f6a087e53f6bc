#include <heddle/sim/runtime/clock.hpp>

#include <atomic>

namespace heddle::sim {

using runtime::LocationRef;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

runtime::value ticks(std::chrono::nanoseconds time) noexcept {
  return {static_cast<std::uint64_t>(time.count()), 0};
}

}  // namespace

// The clock is a location of its own: reading it is an event, so two threads that look at it may
// see it in either order, and each sees it only move forward.
clock::time_point clock::now(source_location site) {
  runtime::core& core = runtime::here("sim::clock", site);
  const LocationRef now = core.clock();
  const runtime::value seen = core.load(now.address, now.id, relaxed, site);
  return time_point(duration(static_cast<rep>(seen.low)));
}

void advance(std::chrono::nanoseconds by, source_location site) {
  runtime::core& core = runtime::here("sim::advance", site);
  if (by.count() < 0) core.fail(FailureKind::misuse, "the virtual clock cannot go back", site);
  const LocationRef now = core.clock();
  core.rmw(now.address, now.id, {runtime::rmw_kind::add, 8, ticks(by), {}}, relaxed, relaxed, site);
}

void reach(clock::time_point deadline, source_location site) {
  if (deadline.time_since_epoch().count() <= 0) return;
  runtime::core& core = runtime::here("sim::clock", site);
  const LocationRef now = core.clock();
  core.rmw(now.address, now.id,
           {runtime::rmw_kind::maximum, 8, ticks(deadline.time_since_epoch()), {}}, relaxed,
           relaxed, site);
}

void sleep_until(clock::time_point deadline, source_location site) { reach(deadline, site); }

void sleep_for(std::chrono::nanoseconds duration, source_location site) {
  if (duration.count() > 0) sleep_until(clock::now(site) + duration, site);
}

}  // namespace heddle::sim
