// The smallest part of a history that shows why the history is not linearizable.
//
// Leaving an operation out of a history is not harmless: without the push, the result of the pop is
// impossible by itself. So operations leave only by steps that are sound, which means: if what is
// left has no allowed order, then neither has the history before the step.
//
//   1. Drop an item everywhere (for a Projecting specification): its push, its delivery, its place
//      in a batch.
//   2. Drop an operation that only observes: whatever order the others have does not need it.
//   3. Make an operation a ghost: it may have taken effect or not, at any time after its
//      predecessors and with any result. Every order of the history is one with the ghost.
//
// Each step makes the question only weaker, so what could not leave once can never leave later, and
// one pass leaves a *core* from which no step can take anything. The ghosts that the core leans on
// (those without which some part of the core would be impossible by itself) are its *context*:
// core and context together are what a person has to look at.
//
// Example: push(1), pop() -> 1 and steal() -> 1. The core is the two deliveries; they contradict
// each other whatever else happened. The context is the push that explains each of them.
//
// Budget: configurations over all searches. A search that does not end keeps its operation, which
//         is sound; the result then says that it may not be minimal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <heddle/model/linearizability/search.hpp>

namespace heddle::model {

/// A part of a history, as the steps above leave it.
template <Specification S>
struct Part {
  S spec;                                  ///< relaxed when items have been dropped
  std::vector<OperationOf<S>> operations;  ///< all of the history; items may be missing in them
  std::vector<Role> roles;                 ///< required: the core; optional: ghosts, or pending
};

template <Specification S>
struct MinimalPart {
  Part<S> part;
  std::vector<OperationId> core{};
  std::vector<OperationId> context{};
  bool minimal = true;       ///< no step can take anything away from the core
  std::uint64_t states = 0;  ///< configurations entered for it
};

/// Offers the elements to `take` in ever smaller chunks; a chunk that it takes is gone. Ends with a
/// pass over single elements, so that none is left that could be taken alone.
template <class Element, class Take>
void take_in_chunks(std::vector<Element>& elements, Take take) {
  for (std::size_t chunk = elements.size(); chunk > 0; chunk /= 2) {
    std::size_t at = 0;
    while (at < elements.size()) {
      const std::size_t count = std::min(chunk, elements.size() - at);
      const auto first = elements.begin() + static_cast<std::ptrdiff_t>(at);
      const auto last = first + static_cast<std::ptrdiff_t>(count);
      if (take(std::span<const Element>(elements).subspan(at, count))) {
        elements.erase(first, last);
      } else {
        at += count;
      }
    }
  }
}

template <Specification S>
class Minimiser {
 public:
  /// `history` must have no allowed order.
  Minimiser(Part<S> history, const Order& order, std::uint64_t states_max)
      : order_(order),
        states_left_(states_max),
        attempt_max_(states_max / 16 + 1),
        result_{std::move(history)} {}

  /// Before run(): the items that the failure is known to be about. Saves searching for them.
  template <class Value>
      Minimiser suspecting(const std::vector<Value>& items) && requires Projecting<S> {
    std::vector<Value> others = items_of<S>(result_.part);
    std::erase_if(others, [&](const Value& item) {
      return std::find(items.begin(), items.end(), item) != items.end();
    });
    accept_if_impossible(without_items<S>(result_.part, others));
    return std::move(*this);
  }

  MinimalPart<S> run() {
    drop_items();
    drop_operations();
    find_context();
    return std::move(result_);
  }

 private:
  Verdict judge(const Part<S>& part) {
    const std::uint64_t states_max = std::min(attempt_max_, states_left_);
    Search<S> search(part.spec, part.operations, order_, part.roles, states_max);
    const Verdict verdict = search.run();
    states_left_ -= search.states();
    result_.states += search.states();
    if (verdict == Verdict::unknown) {
      result_.minimal = false;
    }
    return verdict;
  }

  bool accept_if_impossible(Part<S> candidate) {
    if (judge(candidate) != Verdict::not_linearizable) {
      return false;
    }
    result_.part = std::move(candidate);
    return true;
  }

  // Step 1.

  template <Projecting T>
  static std::vector<typename T::Value> items_of(const Part<T>& part) {
    std::vector<typename T::Value> items;  // the latest first: the earliest failure is to stay
    for (OperationId id = part.operations.size(); id-- > 0;) {
      if (part.roles[id] == Role::absent) {
        continue;
      }
      for (const auto& item : part.spec.values(part.operations[id])) {
        if (std::find(items.begin(), items.end(), item) == items.end()) {
          items.push_back(item);
        }
      }
    }
    return items;
  }

  template <Projecting T>
  static Part<T> without_items(Part<T> part, std::span<const typename T::Value> items) {
    part.spec = part.spec.relaxed();
    for (OperationId id = 0; id < part.operations.size(); ++id) {
      for (const auto& item : items) {
        if (part.roles[id] == Role::absent) {
          break;
        }
        if (auto rest = part.spec.without(part.operations[id], item)) {
          part.operations[id] = *std::move(rest);
        } else {
          part.roles[id] = Role::absent;
        }
      }
    }
    return part;
  }

  void drop_items() {
    if constexpr (Projecting<S>) {
      auto items = items_of<S>(result_.part);
      take_in_chunks(items, [&](std::span<const typename S::Value> chunk) {
        return accept_if_impossible(without_items<S>(result_.part, chunk));
      });
    }
  }

  // Steps 2 and 3.

  Role role_when_dropped(OperationId id) const {
    if constexpr (Observing<S>) {
      if (result_.part.spec.only_observes(result_.part.operations[id])) {
        return Role::absent;
      }
    }
    return Role::optional;
  }

  /// Observers first: they leave entirely, and what they would force the others to be is gone.
  void drop_operations() {
    std::vector<OperationId> observers;  // the latest first: the earliest failure is to stay
    std::vector<OperationId> others;
    const Plan plan = order_.plan(result_.part.roles);
    for (std::size_t number = plan.required; number-- > 0;) {
      const OperationId id = plan.operations[number];
      (role_when_dropped(id) == Role::absent ? observers : others).push_back(id);
    }
    const auto drop = [&](std::span<const OperationId> chunk) {
      Part<S> candidate = result_.part;
      for (const OperationId id : chunk) {
        candidate.roles[id] = role_when_dropped(id);
      }
      return accept_if_impossible(std::move(candidate));
    };
    take_in_chunks(observers, drop);
    take_in_chunks(others, drop);
    for (const OperationId id : plan.operations) {
      if (result_.part.roles[id] == Role::required) {
        result_.core.push_back(id);
      }
    }
  }

  // The context.

  /// The core without one of its operations; it is possible, thanks to some of the ghosts.
  Part<S> core_without(OperationId id, std::span<const OperationId> hidden) const {
    Part<S> part = result_.part;
    part.roles[id] = role_when_dropped(id);
    for (const OperationId ghost : hidden) {
      part.roles[ghost] = Role::absent;
    }
    return part;
  }

  void find_context() {
    std::vector<OperationId> explicable;
    for (const OperationId id : result_.core) {
      if (judge(core_without(id, {})) == Verdict::linearizable) {
        explicable.push_back(id);
      }
    }
    std::vector<OperationId> ghosts;
    for (OperationId id = result_.part.roles.size(); id-- > 0;) {
      if (result_.part.roles[id] == Role::optional) {
        ghosts.push_back(id);
      }
    }
    std::vector<OperationId> hidden;
    take_in_chunks(ghosts, [&](std::span<const OperationId> chunk) {
      std::vector<OperationId> more = hidden;
      more.insert(more.end(), chunk.begin(), chunk.end());
      const bool all_explained = std::all_of(
          explicable.begin(), explicable.end(),
          [&](OperationId id) { return judge(core_without(id, more)) == Verdict::linearizable; });
      if (all_explained) {
        hidden = std::move(more);
      }
      return all_explained;
    });
    result_.context.assign(ghosts.rbegin(), ghosts.rend());
  }

  const Order& order_;
  std::uint64_t states_left_;
  std::uint64_t attempt_max_;
  MinimalPart<S> result_;
};

}  // namespace heddle::model
