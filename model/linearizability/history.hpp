// What was called, by whom, with which result, and in which order.
//
//   History<Deque> history;
//   const auto first = history.call(0, push(1));      // real time: in the order of these lines
//   history.returns(first, done());
//
// The order is real time unless order_by() gives another one. A history of operations that were
// timed elsewhere is built with add().
//
// Threads:  none; a concurrent recorder has to bring its records together first.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <heddle/model/linearizability/order.hpp>
#include <heddle/model/linearizability/specification.hpp>

namespace heddle::model {

template <class S>
class History {
 public:
  using Recorded = OperationOf<S>;

  /// Records the call of an operation at the next position of real time.
  OperationId call(unsigned thread, typename S::Call what, std::uint64_t object = 0) {
    return add(Recorded{std::move(what), std::nullopt, thread, object}, {next_position_++});
  }

  /// Records its return. Errors: std::invalid_argument when there is no such open operation.
  void returns(OperationId id, typename S::Result result) {
    if (id >= operations_.size() || operations_[id].result.has_value()) {
      throw std::invalid_argument(
          "operation " + std::to_string(id) +
          (id < operations_.size() ? " has already returned" : " was never called"));
    }
    operations_[id].result = std::move(result);
    intervals_[id].returned = next_position_++;
  }

  /// A call that returns at once: for sequential parts.
  OperationId record(unsigned thread, typename S::Call what, typename S::Result result,
                     std::uint64_t object = 0) {
    const OperationId id = call(thread, std::move(what), object);
    returns(id, std::move(result));
    return id;
  }

  /// Adds an operation that was timed elsewhere. Without a result it has no return either.
  /// Errors: std::logic_error after order_by().
  OperationId add(Recorded operation, Interval interval = {}) {
    if (partial_.has_value()) {
      throw std::logic_error("the history already has its order: add operations before order_by()");
    }
    if (!operation.result.has_value()) {
      interval.returned = Interval::never;
    }
    operations_.push_back(std::move(operation));
    intervals_.push_back(interval);
    return operations_.size() - 1;
  }

  /// Replaces real time by `before(a, b)`, asked for every two operations of which the first has
  /// returned. It comes last: a history that has its order takes no more operations.
  template <class Before>
  void order_by(Before before) {
    BitMatrix relation(size());
    for (OperationId a = 0; a < size(); ++a) {
      for (OperationId b = 0; b < size(); ++b) {
        if (a != b && operations_[a].result.has_value() && before(a, b)) {
          relation.set(a, b);
        }
      }
    }
    partial_ = std::move(relation);
  }

  std::size_t size() const noexcept { return operations_.size(); }
  const std::vector<Recorded>& operations() const noexcept { return operations_; }
  const Recorded& operator[](OperationId id) const { return operations_.at(id); }

  /// Errors: std::invalid_argument when the recorded order is none (see Order).
  Order order() const {
    return partial_.has_value() ? Order::partial(*partial_) : Order::real_time(intervals_);
  }

 private:
  std::vector<Recorded> operations_;
  std::vector<Interval> intervals_;
  std::optional<BitMatrix> partial_;  // empty: real time
  std::uint64_t next_position_ = 0;
};

}  // namespace heddle::model
