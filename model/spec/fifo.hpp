// A queue as a sequential object: first in, first out.
//
//   push(item)   done; full only when a bounded queue holds `capacity` items
//   pop()        the oldest item; empty only when there is none; retry always
//
// `retry` is the answer of a queue whose producers need two steps (exchange, then link): what was
// pushed first is not reachable yet. Like a lost race it says nothing about the contents.
#pragma once

#include <limits>

#include <heddle/model/spec/collection.hpp>

namespace heddle::model {

struct Fifo : Collection {
  static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

  std::size_t capacity = unbounded;
  bool full_always = false;  ///< `full` needs no reason; set by relaxed()

  Fifo() = default;
  explicit Fifo(std::size_t items_max) : capacity(items_max) {}

  /// States list the items from the oldest to the newest.
  std::vector<State> step(const State& items, const CollectionOperation& operation) const;
  std::string explain(const State& items, const CollectionOperation& operation) const;
  /// What did not fit would fit when items are dropped; what did fit still does.
  Fifo relaxed() const;
};

}  // namespace heddle::model
