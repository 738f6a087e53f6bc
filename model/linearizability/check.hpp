// Is a recorded history one that the specification allows in some order?
//
//   const auto result = check_linearizable(Deque{}, history);
//   if (result.verdict == Verdict::not_linearizable) { std::puts(result.conflict->text.c_str()); }
//
// Every object of a history is judged by itself. In real time that judges the whole:
// linearizability is local (Herlihy, Wing). In a partial order it does not: the objects' orders may
// contradict each other across objects, as under sequential consistency, and `linearizable` then
// says that each object keeps its own contract with the order given, no more.
//
// Cost: exponential in the number of operations that overlap, at worst; the budget bounds it, and
//       what it cuts off is `unknown`, never a wrong yes or no.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <heddle/model/linearizability/explanation.hpp>
#include <heddle/model/linearizability/history.hpp>
#include <heddle/model/linearizability/minimise.hpp>
#include <heddle/model/linearizability/search.hpp>

namespace heddle::model {

struct CheckOptions {
  std::uint64_t states_max = 10'000'000;          ///< configurations of the search, per object
  std::uint64_t minimise_states_max = 2'000'000;  ///< the same for finding the minimal part
  bool counts_first = true;  ///< let a specification that can count find plain losses first
  bool explain = true;       ///< find the minimal part and its words when there is no order
};

/// Why a history is not linearizable. Operations are given by their ids in the history.
struct Conflict {
  std::uint64_t object = 0;
  std::vector<OperationId> operations{};  ///< core and context, ascending
  std::vector<OperationId> core{};        ///< contradict each other; see minimise.hpp
  std::vector<OperationId> context{};     ///< explain the results of the core
  bool minimal = true;                    ///< false: the budget ended first
  std::string text{};
};

struct CheckResult {
  Verdict verdict = Verdict::unknown;
  std::uint64_t states = 0;                  ///< configurations of the search (0: counts sufficed)
  std::vector<OperationId> linearization{};  ///< an allowed order, object by object
  std::optional<Conflict> conflict{};        ///< of the first object that has none
};

/// A plain impossibility that counting finds, with the items that it is about.
template <class Value>
struct Miscount {
  std::string message;
  std::vector<Value> items;
};

/// A specification that finds some impossible histories by counting. Promise: what it reports has
/// no allowed order.
template <class S>
concept Counting = Projecting<S> &&
    requires(const S& spec, const std::vector<OperationOf<S>>& operations,
             const std::vector<Role>& roles, const Order& order) {
  {
    spec.miscount(operations, roles, order)
    } -> std::same_as<std::optional<Miscount<typename S::Value>>>;
};

namespace detail {

template <Specification S>
std::optional<Conflict> make_conflict(MinimalPart<S> found, const Order& order,
                                      std::string headline, const CheckOptions& options) {
  Conflict conflict;
  for (const auto* const group : {&found.core, &found.context}) {
    conflict.operations.insert(conflict.operations.end(), group->begin(), group->end());
  }
  std::sort(conflict.operations.begin(), conflict.operations.end());
  conflict.core = found.core;
  conflict.context = found.context;
  conflict.minimal = found.minimal;
  conflict.object = found.part.operations[conflict.operations.front()].object;
  Explanation text = explain(found, conflict.operations, order, options.minimise_states_max);
  text.headline = std::move(headline);
  conflict.text = render(text);
  return conflict;
}

/// The operations of one object (those that are not absent), against the specification.
template <Specification S>
CheckResult check_object(const S& spec, const std::vector<OperationOf<S>>& operations,
                         const std::vector<Role>& roles, const Order& order,
                         const CheckOptions& options) {
  CheckResult result;
  const auto fail = [&](Minimiser<S> minimiser, std::string headline) {
    result.verdict = Verdict::not_linearizable;
    if (options.explain) {
      result.conflict = make_conflict(minimiser.run(), order, std::move(headline), options);
    }
    return std::move(result);
  };
  const auto minimiser = [&] {
    return Minimiser<S>(Part<S>{spec, operations, roles}, order, options.minimise_states_max);
  };
  if constexpr (Counting<S>) {
    if (options.counts_first) {
      if (auto miscount = spec.miscount(operations, roles, order)) {
        return fail(minimiser().suspecting(miscount->items), std::move(miscount->message));
      }
    }
  }
  Search<S> search(spec, operations, order, roles, options.states_max);
  result.verdict = search.run();
  result.states = search.states();
  if (result.verdict == Verdict::not_linearizable) {
    return fail(minimiser(), {});
  }
  if (result.verdict == Verdict::linearizable) {
    for (const auto& step : search.found()) {
      result.linearization.push_back(step.operation);
    }
  }
  return result;
}

}  // namespace detail

/// Errors: std::invalid_argument when the order of the history is none.
template <Specification S>
CheckResult check_linearizable(const S& spec, const History<S>& history,
                               const CheckOptions& options = {}) {
  const Order order = history.order();
  std::set<std::uint64_t> objects;
  for (const auto& operation : history.operations()) {
    objects.insert(operation.object);
  }
  CheckResult whole;
  whole.verdict = Verdict::linearizable;
  for (const std::uint64_t object : objects) {
    std::vector<Role> roles(history.size(), Role::absent);
    for (OperationId id = 0; id < history.size(); ++id) {
      const auto& operation = history.operations()[id];
      if (operation.object == object) {
        roles[id] = operation.result.has_value() ? Role::required : Role::optional;
      }
    }
    CheckResult result = detail::check_object(spec, history.operations(), roles, order, options);
    whole.states += result.states;
    if (result.verdict == Verdict::not_linearizable) {
      result.states = whole.states;
      return result;
    }
    if (result.verdict == Verdict::unknown) {
      whole.verdict = Verdict::unknown;
    }
    whole.linearization.insert(whole.linearization.end(), result.linearization.begin(),
                               result.linearization.end());
  }
  if (whole.verdict != Verdict::linearizable) {
    whole.linearization.clear();
  }
  return whole;
}

}  // namespace heddle::model
