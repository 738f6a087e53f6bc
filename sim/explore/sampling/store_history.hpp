// Which writes a read may see, in a sampled execution, at a price that does not grow with it.
//
// Sampled executions add writes at the end of modification order only, so positions never change,
// and a thread sees positions that only grow. Per location and thread it is therefore enough to
// keep the few events at which that thread came to a newer position; and only the newest `depth`
// writes of a location are offered to reads.
//
// Invariants: H1 the entries of a thread grow in index and in position
//             H2 an entry that is missing is of a position that is no longer offered
#pragma once

#include <cstdint>
#include <vector>

#include <heddle/sim/graph/graph.hpp>

namespace heddle::sim::engine {

class StoreHistory {
 public:
  static constexpr std::uint32_t depth = 64;

  void clear();
  /// A read took, or a write became, the write at `position` of its location.
  void add(const graph::Event& access, std::uint32_t position, std::uint32_t newest);
  /// The oldest position that an access with this happens-before clock may see and is offered.
  std::uint32_t oldest(graph::location_id location, const graph::tick* clock,
                       std::uint32_t newest) const noexcept;

 private:
  struct Entry {
    std::uint32_t index;  // of the event in its thread
    std::uint32_t position;
  };
  using PerThread = std::vector<std::vector<Entry>>;

  std::vector<PerThread> locations_;
  std::vector<graph::location_id> touched_;
};

}  // namespace heddle::sim::engine
