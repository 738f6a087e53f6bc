// What "before" means between the operations of a history. Two kinds, one face:
//
// * real time: every operation has an interval of positions; a is before b when a returned before
//   b was called. Right for runs that have a real time: interleavings, native threads.
// * partial: any strict partial order, given as a relation. Right for executions under a weak
//   memory model, where a is before b when the return of a happens before the call of b.
//
// An operation that never returned is before nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <variant>
#include <vector>

#include <heddle/model/linearizability/bit_matrix.hpp>

namespace heddle::model {

/// Index of an operation in its history.
using OperationId = std::size_t;

/// The positions of a call and of its return. Only their order counts.
struct Interval {
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t called = 0;
  std::uint64_t returned = never;
};

/// What a search has to do with an operation.
enum class Role : std::uint8_t {
  required,  ///< must take its place
  optional,  ///< may take effect or not, with any result: it did not return, or was made a ghost
  absent,    ///< not part of the question
};

/// An order prepared for a search: operations under new numbers, required ones first and in an
/// order that respects precedence, optional ones behind them.
struct Plan {
  std::vector<OperationId> operations;      ///< new number -> id in the history
  std::size_t required = 0;                 ///< how many of them are required
  std::vector<std::uint32_t> predecessors;  ///< new number -> how many must stand before it
  std::vector<std::vector<std::uint32_t>> successors;  ///< whom placing it brings nearer
};

class Order {
 public:
  /// Errors: std::invalid_argument when an operation returns before it is called.
  static Order real_time(std::vector<Interval> intervals);
  /// The transitive closure of `before`. Errors: std::invalid_argument when it has a cycle.
  static Order partial(BitMatrix before);

  std::size_t size() const noexcept;
  bool is_real_time() const noexcept { return std::holds_alternative<Intervals>(relation_); }
  bool before(OperationId a, OperationId b) const noexcept;

  /// Restricts the order to the operations that are not absent; what is ordered through an absent
  /// operation stays ordered. Optional operations precede nothing.
  /// Complexity: real time n log n + n * (operations that overlap); partial n squared.
  Plan plan(std::span<const Role> roles) const;

 private:
  using Intervals = std::vector<Interval>;
  explicit Order(Intervals intervals) : relation_(std::move(intervals)) {}
  explicit Order(BitMatrix before) : relation_(std::move(before)) {}

  std::variant<Intervals, BitMatrix> relation_;
};

}  // namespace heddle::model
