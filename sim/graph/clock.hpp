// Vector clocks of a graph, one block of rows per event.
//
// clock[t] is the number of events of thread t that are covered, so an event (t, i) is covered when
// clock[t] > i. All rows of a graph have one width, a multiple of four, which grows when a thread
// with a higher number appears.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <heddle/sim/graph/event.hpp>

namespace heddle::sim::graph {

using tick = std::uint32_t;

// Widths are multiples of four, so that rows are handled by the vector.
using tick_quad [[gnu::vector_size(16)]] = tick;

inline void join_into(tick* into, const tick* from, std::size_t width) noexcept {
  for (std::size_t i = 0; i < width; i += 4) {
    tick_quad a;
    tick_quad b;
    std::memcpy(&a, into + i, sizeof a);
    std::memcpy(&b, from + i, sizeof b);
    a = a > b ? a : b;
    std::memcpy(into + i, &a, sizeof a);
  }
}
inline void copy_row(tick* into, const tick* from, std::size_t width) noexcept {
  for (std::size_t i = 0; i < width; i += 4) {
    tick_quad a;
    std::memcpy(&a, from + i, sizeof a);
    std::memcpy(into + i, &a, sizeof a);
  }
}

class ClockRows {
 public:
  enum Row : std::uint8_t { porf, hb, release };  ///< release: what an acquire of this write gets
  static constexpr std::size_t rows = 3;

  std::size_t width() const noexcept { return width_; }

  tick* row(event_id event, Row which) noexcept {
    return data_.data() + (event * rows + which) * width_;
  }
  const tick* row(event_id event, Row which) const noexcept {
    return data_.data() + (event * rows + which) * width_;
  }

  /// Room for events 0..count-1. Rows of new events are not initialised.
  void reserve_events(std::size_t count) {
    const std::size_t needed = count * rows * width_;
    if (data_.size() < needed) data_.resize(std::max(needed, data_.size() * 2));
  }
  /// Room for threads 0..count-1; keeps the contents of the first `events` blocks.
  void reserve_threads(std::size_t count, std::size_t events);

  /// Copies the block of `source`'s event `from` to event `to`.
  void copy_event(event_id to, const ClockRows& source, event_id from) noexcept {
    const tick* in = source.row(from, porf);
    std::copy(in, in + rows * width_, row(to, porf));
  }
  /// Takes over the width of another graph; contents are lost.
  void adopt_width(std::size_t width) {
    width_ = width;
    if (nothing_.size() < width) nothing_.resize(width, 0);
  }
  /// A clock that covers no event.
  const tick* nothing() const noexcept { return nothing_.data(); }

 private:
  std::size_t width_ = 4;
  std::vector<tick> data_;
  std::vector<tick> nothing_ = std::vector<tick>(4, 0);
};

}  // namespace heddle::sim::graph
