// The work-stealing deque as a sequential object: the owner pushes and pops at the bottom, thieves
// take from the top.
//
//   push(item)        done
//   pop()             the bottom item; empty only when there is none
//   steal()           the top item; empty only when there is none; lost_race always
//   steal_half(max)   1 to max items from the top, in their order; empty only when there is none;
//                     lost_race always
//
// A lost race says nothing about the contents, so it is allowed everywhere; count_answers() counts
// them, and lost_races_without_rival() finds those that nobody can have caused.
#pragma once

#include <heddle/model/spec/collection.hpp>

namespace heddle::model {

struct Deque : Collection {
  /// How many items a batch may have. A thief that reads how many there are before it takes its
  /// batch may take more than half of those that are left by then: at_most_half is for structures
  /// that promise to decide both at once.
  enum class Batch : std::uint8_t { any, at_most_half };

  Batch batch = Batch::any;

  Deque() = default;
  explicit Deque(Batch batches) : batch(batches) {}

  /// States list the items from the top to the bottom.
  std::vector<State> step(const State& items, const CollectionOperation& operation) const;
  std::string explain(const State& items, const CollectionOperation& operation) const;
  /// Half of fewer items is less: the limit does not survive when items are dropped.
  Deque relaxed() const { return Deque{}; }

 private:
  std::size_t batch_max(const State& items, const Request& request) const noexcept;
  bool allows(const State& items, const CollectionOperation& operation) const;
};

}  // namespace heddle::model
