// One event of an execution graph. A read-modify-write is one event with a read and a write part.
#pragma once

#include <atomic>
#include <cstdint>

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim::graph {

using runtime::location_id;
using runtime::thread_id;
using runtime::value;

/// Index into the graph in insertion order: the event's stamp. Cutting a graph to a stamp is
/// truncating the array.
using event_id = std::uint32_t;
inline constexpr event_id from_initial = 0xffff'ffff;  ///< reads the value of the construction
inline constexpr event_id no_event = 0xffff'fffe;

enum class EventKind : std::uint8_t { load, store, rmw, fence, choose, spawn, join };

struct Event {
  EventKind kind{};
  bool waits = false;            ///< an await: with an unsatisfying value its thread stops here
  bool satisfied = true;         ///< false: the thread is stopped at this await
  bool writes = false;           ///< store, or an RMW that took place
  bool revisitable = true;       ///< false in the porf-prefix of a write that revisited backwards
  bool maximal = true;           ///< added in the most boring way, see explore/revisit.hpp
  bool in_place = false;         ///< its source was changed without deleting anything
  bool releases_nothing = true;  ///< write: the release row is empty
  std::memory_order order = std::memory_order_relaxed;          ///< in force
  std::memory_order order_success = std::memory_order_relaxed;  ///< RMW: when it writes
  std::memory_order order_failure = std::memory_order_relaxed;  ///< RMW: when it does not
  runtime::wait_reason reason = runtime::wait_reason::none;

  thread_id thread = 0;
  std::uint32_t index = 0;  ///< position in program order
  location_id location = 0;
  event_id source = no_event;       ///< reads: the write read from
  event_id base = no_event;         ///< reads: the source when nothing is taken in place
  std::uint32_t co_position = 0;    ///< writes: 1 is the first after the initial value
  std::uint32_t release_fence = 0;  ///< index + 1 of the last release fence po-before; 0: none
  std::uint32_t argument = 0;       ///< spawn, join: the other thread; choose: what was chosen
  std::uint32_t choices = 0;        ///< choose: out of how many

  value read{};
  value written{};
  runtime::rmw_operation operation{};
  runtime::await_predicate predicate{};
  source_location site{};

  bool reads() const noexcept { return kind == EventKind::load || kind == EventKind::rmw; }
  bool accesses() const noexcept { return kind <= EventKind::rmw; }
};

constexpr bool is_acquire(std::memory_order order) noexcept {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst || order == std::memory_order_consume;
}
constexpr bool is_release(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}
constexpr bool is_seq_cst(std::memory_order order) noexcept {
  return order == std::memory_order_seq_cst;
}

/// What a read-modify-write does when it reads `old`.
struct RmwEffect {
  bool writes;
  value written;
};
RmwEffect apply(const runtime::rmw_operation& operation, const value& old) noexcept;

}  // namespace heddle::sim::graph
