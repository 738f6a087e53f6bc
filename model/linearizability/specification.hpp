// What a sequential specification is: states, and what each operation may do to them.
//
//   struct Flag {
//     enum class Call { raise, look };
//     using Result = bool;                      // what the operation returned
//     using State = bool;
//     State initial() const { return false; }
//     std::optional<State> step(State up, const Operation<Call, Result>& operation) const;
//     std::size_t hash(State up) const;
//     std::string call_text(const Call& call) const;                       // "look()"
//     std::string result_text(const Call& call, const Result& up) const;   // "true", or ""
//     std::string state_text(State up) const;
//   };
//
// step() gives every state that `operation`, called in `state`, may leave behind: nothing when its
// recorded result is impossible there. An operation without a result is pending, and any result is
// possible. A deterministic specification returns std::optional, others a std::vector of states.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <heddle/model/linearizability/order.hpp>

namespace heddle::model {

/// One call of the object under test, as it was seen from outside.
template <class Call, class Result>
struct Operation {
  Call call{};
  std::optional<Result> result{};  ///< empty: the operation has not returned
  unsigned thread = 0;
  std::uint64_t object = 0;  ///< which object; each is judged by itself
};

template <class S>
using OperationOf = Operation<typename S::Call, typename S::Result>;

template <class Next, class State>
concept NextStates =
    std::same_as<Next, std::optional<State>> || std::same_as<Next, std::vector<State>>;

template <class S>
concept Specification = std::copyable<S> && std::copyable<typename S::State> &&
    std::equality_comparable<typename S::State> &&
    requires(const S& spec, const typename S::State& state, const OperationOf<S>& operation) {
  { spec.initial() } -> std::convertible_to<typename S::State>;
  { spec.step(state, operation) } -> NextStates<typename S::State>;
  { spec.hash(state) } -> std::convertible_to<std::size_t>;
  { spec.call_text(operation.call) } -> std::convertible_to<std::string>;
  { spec.result_text(operation.call, *operation.result) } -> std::convertible_to<std::string>;
  { spec.state_text(state) } -> std::convertible_to<std::string>;
};

// What a specification may add. Each addition is a promise, and the checker relies on it.

/// Says in words why the result of `operation` is impossible in `state`.
template <class S>
concept Explaining = requires(const S& spec, const typename S::State& state,
                              const OperationOf<S>& operation) {
  { spec.explain(state, operation) } -> std::convertible_to<std::string>;
};

/// Promise: wherever an operation that only observes is possible, it leaves the state as it was.
template <class S>
concept Observing = requires(const S& spec, const OperationOf<S>& operation) {
  { spec.only_observes(operation) } -> std::same_as<bool>;
};

/// A specification of a collection that does not look into its items. values() lists the items
/// that an operation mentions; without() is the same operation as if an item had never been there,
/// or nothing when it was about that item alone. relaxed() is this specification, or a more
/// permissive one, with this promise: an order that relaxed() allows stays allowed when an item is
/// taken out of all operations.
template <class S>
concept Projecting = requires(const S& spec, const OperationOf<S>& operation,
                              const typename S::Value& value) {
  { spec.values(operation) } -> std::same_as<std::vector<typename S::Value>>;
  { spec.without(operation, value) } -> std::same_as<std::optional<OperationOf<S>>>;
  { spec.relaxed() } -> std::same_as<S>;
};

/// "pop() -> 3", "push(3)", "pop() (pending)"
template <Specification S>
std::string describe(const S& spec, const OperationOf<S>& operation) {
  std::string text = spec.call_text(operation.call);
  if (!operation.result.has_value()) {
    return text + " (pending)";
  }
  const std::string result = spec.result_text(operation.call, *operation.result);
  return result.empty() ? text : text + " -> " + result;
}

/// Every state that `operation` may leave behind, whatever the return type of step().
template <Specification S>
std::vector<typename S::State> next_states(const S& spec, const typename S::State& state,
                                           const OperationOf<S>& operation) {
  auto next = spec.step(state, operation);
  if constexpr (std::same_as<decltype(next), std::vector<typename S::State>>) {
    return next;
  } else {
    std::vector<typename S::State> states;
    if (next.has_value()) {
      states.push_back(*std::move(next));
    }
    return states;
  }
}

}  // namespace heddle::model
