// Who watches atomic operations and fences by their place in the source, and may run one of them
// with another memory order. `heddle audit` and `heddle coverage` are made of it; an exploration
// without an observer does not pay for it.
//
// Threads:    called by the OS thread that explores. One observer belongs to one exploration.
#pragma once

#include <atomic>
#include <cstdint>

#include <heddle/sim/graph/event.hpp>
#include <heddle/sim/runtime/source_location.hpp>

namespace heddle::sim {

namespace engine {
class Execution;
enum class RunEnd : std::uint8_t;
}  // namespace engine

class SiteObserver {
 public:
  virtual ~SiteObserver() = default;

  /// Asked before every load, store and read-modify-write of an atomic and every fence, also when
  /// it is replayed; may replace the orders. `failure` is that of a failed read-modify-write, and
  /// the same object as `order` for everything else. Must answer alike throughout an exploration.
  /// Relaxed makes a fence vanish.
  virtual void orders(graph::EventKind kind, const source_location& site, std::memory_order& order,
                      std::memory_order& failure) = 0;

  /// After each run, with its graph; also after runs that ended before they were complete.
  virtual void ran(const engine::Execution& execution, engine::RunEnd end) = 0;
};

}  // namespace heddle::sim
