// The search for an order of operations that the specification allows: Wing and Gong's, with
// Lowe's memo of (placed operations, state), over any strict partial order.
//
// It deviates from the published form in three ways. An operation is a candidate when all its
// predecessors are placed, instead of when no return stands before its call, so that real time and
// happens-before are one case. A configuration is remembered when it is left without success,
// instead of when it is entered: the set of placed operations grows along a path, so that a path
// never meets its own configurations, and a search that never turns back remembers nothing. And
// optional operations (pending ones) are placed only where they change the state: elsewhere their
// absence serves as well.
//
// Threads:    none.
// Invariants: I1 candidates_ holds exactly the unplaced operations without unplaced predecessors
//             I2 frame i was entered by placing the operation of frame i; frame 0 by none
//             I3 from a remembered configuration no allowed order is reachable
// Budget:     configurations entered; when they are used up the answer is `unknown`.
// Source:     Wing, Gong: Testing and Verifying Concurrent Objects (1993); Lowe: Testing for
//             Linearizability (2017).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include <heddle/model/linearizability/order.hpp>
#include <heddle/model/linearizability/placed_set.hpp>
#include <heddle/model/linearizability/specification.hpp>

namespace heddle::model {

enum class Verdict : std::uint8_t { linearizable, not_linearizable, unknown };

template <Specification S>
class Search {
 public:
  using State = typename S::State;

  /// One step of an order: the operation, and the state behind it.
  struct Step {
    OperationId operation;
    State state;
  };

  /// Ghosts (optional operations that have a result) are searched as if it were not known.
  Search(const S& spec, std::span<const OperationOf<S>> operations, const Order& order,
         std::span<const Role> roles, std::uint64_t states_max)
      : spec_(spec),
        plan_(order.plan(roles)),
        placed_(plan_.required, plan_.operations.size()),
        states_max_(states_max),
        missing_(plan_.predecessors) {
    operations_.reserve(plan_.operations.size());
    for (std::size_t number = 0; number < plan_.operations.size(); ++number) {
      operations_.push_back(operations[plan_.operations[number]]);
      if (number >= plan_.required) {
        operations_.back().result.reset();
      }
      if (missing_[number] == 0) {
        candidates_.push_back(static_cast<std::uint32_t>(number));
      }
    }
  }

  /// Before run(): keep the longest order that was found, for longest().
  void keep_longest() { keep_longest_ = true; }

  Verdict run() {
    frames_.push_back(Frame{spec_.initial(), 0, 0, {}});
    while (!frames_.empty() && placed_.required_left() > 0) {
      if (!step_forward()) {
        if (out_of_budget_) {
          return Verdict::unknown;
        }
        step_back();
      }
    }
    return frames_.empty() ? Verdict::not_linearizable : Verdict::linearizable;
  }

  /// Configurations entered.
  std::uint64_t states() const noexcept { return states_; }

  /// After `linearizable`: the order that was found. Optional operations may be missing in it.
  std::vector<Step> found() const { return path(); }

  /// After `not_linearizable` and keep_longest(): the first of the longest orders that the
  /// specification allows, counted in required operations.
  const std::vector<Step>& longest() const noexcept { return longest_; }

 private:
  struct Frame {
    State state;
    std::uint32_t placed;             // the operation that led here
    std::uint32_t next_candidate;     // numbers below it have been tried
    std::vector<State> alternatives;  // states of next_candidate - 1 that have not been tried
  };

  struct Configuration {
    std::vector<std::uint64_t> placed;
    State state;
    std::size_t hash;
    bool operator==(const Configuration& other) const {
      return hash == other.hash && placed == other.placed && state == other.state;
    }
  };
  struct ConfigurationHash {
    std::size_t operator()(const Configuration& configuration) const noexcept {
      return configuration.hash;
    }
  };

  /// Enters one more configuration. False when the top frame has none left, or the budget is spent.
  bool step_forward() {
    while (true) {
      Frame& top = frames_.back();
      if (!top.alternatives.empty()) {
        State state = std::move(top.alternatives.back());
        top.alternatives.pop_back();
        if (enter(top.next_candidate - 1, std::move(state))) {
          return true;
        }
        if (out_of_budget_) {
          return false;
        }
        continue;
      }
      const auto candidate =
          std::lower_bound(candidates_.begin(), candidates_.end(), top.next_candidate);
      if (candidate == candidates_.end()) {
        return false;
      }
      const std::uint32_t number = *candidate;
      top.next_candidate = number + 1;
      top.alternatives = next_states(spec_, top.state, operations_[number]);
      std::reverse(top.alternatives.begin(), top.alternatives.end());
      if (number >= plan_.required) {
        std::erase(top.alternatives, top.state);
      }
    }
  }

  /// Places an operation. False when the configuration is known to lead nowhere.
  bool enter(std::uint32_t number, State state) {
    if (states_ == states_max_) {
      out_of_budget_ = true;
      return false;
    }
    place(number);
    if (!hopeless_.empty() && hopeless_.contains(configuration(state))) {
      unplace(number);
      return false;
    }
    ++states_;
    frames_.push_back(Frame{std::move(state), number, 0, {}});
    return true;
  }

  /// Leaves the top frame, from which no order was found.
  void step_back() {
    const std::size_t depth = plan_.required - placed_.required_left();
    if (keep_longest_ && (longest_.empty() || depth > longest_depth_)) {
      longest_ = path();
      longest_depth_ = depth;
    }
    if (frames_.size() > 1) {
      hopeless_.insert(configuration(frames_.back().state));  // I3
      unplace(frames_.back().placed);
    }
    frames_.pop_back();
  }

  Configuration configuration(const State& state) const {
    const std::size_t hash = placed_.hash() ^ spread_bits(spec_.hash(state));
    return Configuration{placed_.key(), state, hash};
  }

  void place(std::uint32_t number) {
    const auto at = std::lower_bound(candidates_.begin(), candidates_.end(), number);
    assert(at != candidates_.end() && *at == number);  // I1
    candidates_.erase(at);
    placed_.place(number);
    for (const std::uint32_t successor : plan_.successors[number]) {
      assert(missing_[successor] > 0);
      if (--missing_[successor] == 0) {
        insert_candidate(successor);
      }
    }
  }

  void unplace(std::uint32_t number) {
    for (const std::uint32_t successor : plan_.successors[number]) {
      if (missing_[successor]++ == 0) {
        candidates_.erase(std::lower_bound(candidates_.begin(), candidates_.end(), successor));
      }
    }
    placed_.remove(number);
    insert_candidate(number);
  }

  void insert_candidate(std::uint32_t number) {
    const auto at = std::lower_bound(candidates_.begin(), candidates_.end(), number);
    assert(at == candidates_.end() || *at != number);  // I1
    candidates_.insert(at, number);
  }

  std::vector<Step> path() const {
    std::vector<Step> steps;
    for (std::size_t depth = 1; depth < frames_.size(); ++depth) {  // I2
      steps.push_back({plan_.operations[frames_[depth].placed], frames_[depth].state});
    }
    return steps;
  }

  const S& spec_;
  Plan plan_;
  std::vector<OperationOf<S>> operations_;  // by new number
  PlacedSet placed_;
  std::uint64_t states_max_;
  std::vector<std::uint32_t> missing_;     // unplaced predecessors of each
  std::vector<std::uint32_t> candidates_;  // ascending: required ones first
  std::vector<Frame> frames_;
  std::unordered_set<Configuration, ConfigurationHash> hopeless_;
  std::uint64_t states_ = 0;
  bool out_of_budget_ = false;
  bool keep_longest_ = false;
  std::size_t longest_depth_ = 0;
  std::vector<Step> longest_;
};

}  // namespace heddle::model
