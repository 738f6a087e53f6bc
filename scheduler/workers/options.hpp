// What a scheduler can be told. Every value has a working default.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <heddle/scheduler/limits.hpp>
#include <heddle/scheduler/process/error.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

struct Options {
  static constexpr unsigned workers_max = 1024;

  /// Worker threads; one per hardware thread by default.
  unsigned workers = default_workers();
  /// Most processes alive at once; 0: as many as there is memory for. A limit is exact, and costs
  /// every submission and every end an operation on one shared counter.
  std::size_t process_limit = 0;

  // A worker without work looks again so many times, first with so many pauses in between, then
  // giving its time slice away; then it parks.
  std::uint32_t tight_rounds = DefaultLimits::tight_rounds;
  std::uint32_t yielding_rounds = DefaultLimits::yielding_rounds;
  std::uint32_t spins_per_round = DefaultLimits::spins_per_round;

  // How much is taken at once.
  std::size_t inject_batch = DefaultLimits::inject_batch;  ///< beside the one that is run
  std::size_t global_batch = DefaultLimits::global_batch;
  std::size_t steal_batch = DefaultLimits::steal_batch;
  /// A local queue longer than this gives half of its items to the global queue.
  std::size_t local_max = DefaultLimits::local_max;

  /// With fewer items queued than this, one of several searching workers stops.
  std::size_t stop_searching_below = 8;
  /// With more items queued than this and nobody searching, one more worker is woken.
  std::size_t start_searching_above = 64;

  /// From the beginning of a shutdown until the processes that are left are ended by force.
  std::chrono::nanoseconds shutdown_deadline = std::chrono::seconds(5);
  /// How long a woken process may wait behind a step that does not end, while other workers are
  /// idle, before one of them takes it over. 0: until the step ends.
  std::chrono::nanoseconds stall_limit = std::chrono::milliseconds(sync::limits_are_small ? 0 : 10);

  /// Creates the worker threads, for a host that wants a say in it. May throw.
  std::function<sync::thread(std::function<void()>)> create_thread{};

  /// The first value that makes no sense, with what would.
  Error validate() const;

  static unsigned default_workers();
};

}  // namespace heddle::inline HEDDLE_ON
