// Names that survive re-execution: a thread is (parent, its n-th spawn), a location is
// (constructing thread, its n-th construction). Numbers are given out on first sight and kept for
// the whole exploration, so that they can index tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <heddle/sim/graph/event.hpp>

namespace heddle::sim::engine {

class Naming {
 public:
  struct Origin {
    graph::thread_id thread;
    std::uint32_t ordinal;
  };

  graph::thread_id child(graph::thread_id parent, std::uint32_t ordinal) {
    const graph::thread_id next = static_cast<graph::thread_id>(threads_.size());
    const graph::thread_id found = lookup(children_, parent, ordinal, next);
    if (found == next) threads_.push_back({parent, ordinal});
    return found;
  }
  graph::location_id location(graph::thread_id creator, std::uint32_t ordinal) {
    const auto next = static_cast<graph::location_id>(locations_.size());
    const graph::location_id found = lookup(constructions_, creator, ordinal, next);
    if (found == next) locations_.push_back({creator, ordinal});
    return found;
  }
  /// The location that accompanies another one (the waiters of an atomic).
  graph::location_id companion(graph::location_id of) {
    if (of >= companions_.size()) companions_.resize(of + 1, runtime::no_location);
    if (companions_[of] == runtime::no_location) {
      companions_[of] = static_cast<graph::location_id>(locations_.size());
      locations_.push_back({locations_[of].thread, locations_[of].ordinal | waiters_bit});
    }
    return companions_[of];
  }
  const Origin& origin_of_thread(graph::thread_id t) const { return threads_[t]; }
  const Origin& origin_of_location(graph::location_id x) const { return locations_[x]; }
  std::size_t threads() const noexcept { return threads_.size(); }
  std::size_t locations() const noexcept { return locations_.size(); }
  /// The location with this origin, known or new.
  graph::location_id location_of(const Origin& origin) {
    if ((origin.ordinal & waiters_bit) == 0) return location(origin.thread, origin.ordinal);
    return companion(location(origin.thread, origin.ordinal & ~waiters_bit));
  }

  /// "T0.3": the third location that thread 0 constructed.
  std::string location_name(graph::location_id x) const {
    const Origin& origin = locations_[x];
    const bool waiters = (origin.ordinal & waiters_bit) != 0;
    return "T" + std::to_string(origin.thread) + "." +
           std::to_string((origin.ordinal & ~waiters_bit) + 1) + (waiters ? ".waiters" : "");
  }

 private:
  static constexpr std::uint32_t waiters_bit = 0x8000'0000;
  using Table = std::vector<std::vector<std::uint32_t>>;
  static std::uint32_t lookup(Table& table, std::uint32_t row, std::uint32_t ordinal,
                              std::uint32_t next) {
    if (row >= table.size()) table.resize(row + 1);
    if (ordinal >= table[row].size()) table[row].push_back(next);
    return table[row][ordinal];
  }

  std::vector<Origin> threads_{{0, 0}};              // thread 0: the body
  std::vector<Origin> locations_{{0, 0xffff'ffff}};  // number 0 stands for no location
  std::vector<graph::location_id> companions_;
  Table children_;
  Table constructions_;
};

}  // namespace heddle::sim::engine
