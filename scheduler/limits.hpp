// Widths and limits that matter to a proof, in one place: real ones for production, small ones
// where every execution is explored, so that a defect that needs 2^27 operations shows with eight.
// What a user may change at run time is in workers/options.hpp and starts from here.
#pragma once

#include <cstddef>
#include <cstdint>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

struct ProductionLimits {
  // The mailbox word (process/mailbox.hpp): 2^30 event nodes, 2^27 lives of a slot.
  static constexpr unsigned list_bits = 30;
  static constexpr unsigned generation_bits = 27;

  // Slabs and pools (queues/).
  static constexpr std::uint32_t slab_first_chunk = 1024;
  static constexpr unsigned slab_chunks = 20;
  static constexpr std::uint32_t pool_chain = 64;  ///< items that travel together

  /// A process of at most this size lives inside its control block.
  static constexpr std::size_t inline_process_bytes = 64;
  static constexpr std::size_t inline_yields = 2;

  // Looking for work (workers/find_work.cpp).
  static constexpr std::size_t inject_batch = 16;  ///< beside the one that is run
  static constexpr std::size_t global_batch = 32;
  static constexpr std::size_t steal_batch = 32;
  static constexpr std::size_t local_max = 256;  ///< more than this: half goes to the global queue
  static constexpr std::uint32_t fairness_tick = 61;
  static constexpr std::uint32_t next_slot_runs = 16;
  static constexpr std::uint32_t tight_rounds = 4;
  static constexpr std::uint32_t yielding_rounds = 16;
  static constexpr std::uint32_t spins_per_round = 64;
};

struct SmallLimits {
  static constexpr unsigned list_bits = 8;
  static constexpr unsigned generation_bits = 3;
  static constexpr std::uint32_t slab_first_chunk = 4;
  static constexpr unsigned slab_chunks = 6;
  static constexpr std::uint32_t pool_chain = 1;
  static constexpr std::size_t inline_process_bytes = 0;  // so that a stale access is seen
  static constexpr std::size_t inline_yields = 2;
  static constexpr std::size_t inject_batch = 1;
  static constexpr std::size_t global_batch = 2;
  static constexpr std::size_t steal_batch = 2;
  static constexpr std::size_t local_max = 4;
  static constexpr std::uint32_t fairness_tick = 5;
  static constexpr std::uint32_t next_slot_runs = 2;
  static constexpr std::uint32_t tight_rounds = 0;
  static constexpr std::uint32_t yielding_rounds = 0;
  static constexpr std::uint32_t spins_per_round = 0;
};

template <bool small>
struct limits_for {
  using type = ProductionLimits;
};
template <>
struct limits_for<true> {
  using type = SmallLimits;
};
using DefaultLimits = limits_for<sync::limits_are_small>::type;

/// Two cache lines: processors fetch neighbours in pairs.
inline constexpr std::size_t separate_lines = 128;

}  // namespace heddle::inline HEDDLE_ON
