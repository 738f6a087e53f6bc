// The words in which a failed check is told: what cannot be ordered, how far an order gets, and
// what stops it there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/model/linearizability/minimise.hpp>

namespace heddle::model {

/// A failure as text that is ready to be laid out; free of the types of the specification.
struct Explanation {
  struct Line {
    OperationId id = 0;
    unsigned thread = 0;
    std::string operation;
    std::vector<OperationId> after;  ///< what stands before it in the order, without implied ones
    bool context = false;            ///< only explains results of others
  };
  struct Step {
    std::string operation;
    std::string state;  ///< behind the operation
  };
  struct Obstacle {
    OperationId id = 0;
    std::string operation;
    std::string reason;
  };

  std::string headline;  ///< what a plain count has shown already; may be empty
  std::size_t operations_total = 0;
  std::optional<std::uint64_t> object{};  ///< when the history has more than one
  bool real_time = true;
  bool minimal = true;
  std::vector<Line> lines;
  std::string initial_state;
  std::vector<Step> longest;        ///< the longest order that the specification allows
  std::vector<Obstacle> obstacles;  ///< why none of the others can come next
};

/// One paragraph per part; lines end with '\n'.
std::string render(const Explanation& explanation);

/// "#1, #4 and #7"
std::string list_of(const std::vector<OperationId>& operations);

/// What stands directly before `id` among `operations`.
std::vector<OperationId> direct_predecessors(OperationId id,
                                             const std::vector<OperationId>& operations,
                                             const Order& order);

template <Specification S>
std::string reason(const S& spec, const typename S::State& state, const OperationOf<S>& operation) {
  if constexpr (Explaining<S>) {
    return spec.explain(state, operation);
  } else {
    return "impossible in state " + std::string(spec.state_text(state));
  }
}

/// `operations`: the core and its context, in the order in which they are shown.
template <Specification S>
Explanation explain(const MinimalPart<S>& found, const std::vector<OperationId>& operations,
                    const Order& order, std::uint64_t states_max) {
  const Part<S>& part = found.part;
  Explanation text;
  text.operations_total = part.operations.size();
  for (const OperationOf<S>& operation : part.operations) {
    if (operation.object != part.operations[operations.front()].object) {
      text.object = part.operations[operations.front()].object;
    }
  }
  text.real_time = order.is_real_time();
  text.minimal = found.minimal;
  std::vector<Role> roles(part.operations.size(), Role::absent);
  for (const OperationId id : operations) {
    const OperationOf<S>& operation = part.operations[id];
    roles[id] = operation.result.has_value() ? Role::required : Role::optional;
    const bool is_context =
        std::find(found.context.begin(), found.context.end(), id) != found.context.end();
    text.lines.push_back({id, operation.thread, describe(part.spec, operation),
                          direct_predecessors(id, operations, order), is_context});
  }

  Search<S> search(part.spec, part.operations, order, roles, states_max);
  search.keep_longest();
  search.run();
  const auto& longest = search.longest();
  const typename S::State initial = part.spec.initial();
  text.initial_state = part.spec.state_text(initial);
  std::vector<OperationId> left = operations;
  for (const auto& step : longest) {
    text.longest.push_back(
        {describe(part.spec, part.operations[step.operation]), part.spec.state_text(step.state)});
    std::erase(left, step.operation);
  }
  const typename S::State& last = longest.empty() ? initial : longest.back().state;
  for (const OperationId id : left) {
    if (roles[id] != Role::required) {
      continue;
    }
    std::vector<OperationId> awaited;
    for (const OperationId other : direct_predecessors(id, operations, order)) {
      if (std::find(left.begin(), left.end(), other) != left.end()) {
        awaited.push_back(other);
      }
    }
    const OperationOf<S>& operation = part.operations[id];
    text.obstacles.push_back(
        {id, describe(part.spec, operation),
         awaited.empty() ? reason(part.spec, last, operation) : "comes after " + list_of(awaited)});
  }
  return text;
}

}  // namespace heddle::model
