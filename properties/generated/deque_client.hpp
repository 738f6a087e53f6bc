// Programs over a deque as data: an owner's script and up to two thieves'. One is run inside of an
// execution; which one, a test enumerates or rapidcheck draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/model.hpp>
#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/sim.hpp>

#include "../known_bad/naive_batch_deque.hpp"
#include "../support/delivery.hpp"
#include "../support/history_recorder.hpp"

namespace heddle::properties {

enum class DequeCall : std::uint8_t { push, pop, steal, steal_half };

struct DequeScript {
  std::vector<DequeCall> owner;                 ///< push and pop
  std::vector<std::vector<DequeCall>> thieves;  ///< steal and steal_half
};

constexpr std::string_view name_of(DequeCall call) {
  constexpr std::array names = {"push", "pop", "steal", "steal_half"};
  return names[static_cast<std::size_t>(call)];
}

inline std::string text_of(const DequeScript& script) {
  const auto line = [](std::string_view who, const std::vector<DequeCall>& calls) {
    std::string text = std::string(who) + ':';
    for (const DequeCall call : calls) text.append(" ").append(name_of(call));
    return text;
  };
  std::string text = line("owner", script.owner);
  for (const auto& thief : script.thieves) text += " | " + line("thief", thief);
  return text;
}

/// The deque of this repository, with items of its own memory: a delivery is a race check, too.
class OwnDeque {
 public:
  struct limits : deque_limits {
    static constexpr unsigned index_bits = 6;
    static constexpr std::uint64_t first_index = 62;
    static constexpr std::size_t first_capacity = 2;
    static constexpr std::size_t batch_max = 2;
  };
  void push(int item) { deque_.push(item); }
  std::size_t pop(int& item) { return deque_.pop(item) == pop_result::item ? 1 : 0; }
  model::Outcome steal(std::span<int> buffer, bool half) {
    stolen_batch taken{};
    if (half) {
      taken = deque_.steal_half(buffer);
    } else {
      taken.result = deque_.steal(buffer[0]);
      taken.count = taken.result == steal_result::item ? 1 : 0;
    }
    if (taken.result == steal_result::lost_race) return model::lost_race();
    return outcome(buffer.first(taken.count));
  }
  static model::Outcome outcome(std::span<const int> items) {
    if (items.empty()) return model::empty();
    return model::delivered(std::vector<model::Item>(items.begin(), items.end()));
  }
  static constexpr std::size_t batch = limits::batch_max;

 private:
  deque<int, limits> deque_;
};

/// H1: to see that generated programs find it, and shrink to the smallest one that has it.
class NaiveDeque {
 public:
  void push(int item) { deque_.push(item); }
  std::size_t pop(int& item) { return deque_.pop(item) ? 1 : 0; }
  model::Outcome steal(std::span<int> buffer, bool half) {
    const auto attempt = half ? deque_.try_steal_half(buffer) : deque_.try_steal(buffer[0]);
    if (attempt.lost_race) return model::lost_race();
    return OwnDeque::outcome(buffer.first(attempt.count));
  }
  static constexpr std::size_t batch = 4;

 private:
  known_bad::naive_batch_deque deque_;
};

template <class Deque>
class DequeClient {
 public:
  explicit DequeClient(const DequeScript& script) : script_(script) {}

  /// As the body of an execution. Conservation, linearizability, races.
  void run() {
    {
      std::array<sync::thread, 2> thieves;
      for (std::size_t i = 0; i < script_.thieves.size(); ++i) {
        thieves.at(i) = sync::thread([this, i] {
          for (const DequeCall call : script_.thieves[i]) steal(call == DequeCall::steal_half);
        });
      }
      for (const DequeCall call : script_.owner) {
        if (call == DequeCall::push)
          push();
        else
          static_cast<void>(pop());
      }
      for (std::size_t i = 0; i < script_.thieves.size(); ++i) thieves.at(i).join();
    }
    while (pop()) continue;
    for (int item = 1; item <= pushed_; ++item) {
      sim::check(taken_.at(static_cast<std::size_t>(item)), "an item was lost");
    }
    history_.check_linearizable();
  }

 private:
  static constexpr std::size_t items_max = 8;

  void push() {
    const int item = ++pushed_;
    contents_.at(static_cast<std::size_t>(item)).write(item);
    history_.record(model::push(item), [&] {
      deque_.push(item);
      return model::done();
    });
  }
  bool pop() {
    const model::Outcome result = history_.record(model::pop(), [&] {
      int item = 0;
      const std::size_t count = deque_.pop(item);
      return OwnDeque::outcome(std::span(&item, count));
    });
    note(result);
    return !result.items.empty();
  }
  void steal(bool half) {
    const auto call = half ? model::steal_half(Deque::batch) : model::steal();
    note(history_.record(call, [&] {
      std::array<int, Deque::batch> buffer{};
      return deque_.steal(buffer, half);
    }));
  }
  void note(const model::Outcome& result) {
    for (const model::Item item : result.items) {
      const bool known = item >= 1 && item < static_cast<model::Item>(items_max);
      sim::check(known, "an item that was never put in");
      const auto at = static_cast<std::size_t>(item);
      sim::check(contents_.at(at).read() == static_cast<int>(item), "an item arrives as it was");
      sim::check(!taken_.at(at), "an item delivered twice");
      taken_.at(at) = true;
    }
  }

  const DequeScript& script_;
  Deque deque_;
  int pushed_ = 0;
  std::array<sync::cell<int>, items_max> contents_;
  std::array<bool, items_max> taken_{};
  history_recorder<model::Deque> history_;
};

template <class Deque>
sim::Report explore(const DequeScript& script, std::uint64_t max_executions = 0) {
  sim::Options options;
  options.max_executions = max_executions;
  return sim::explore(options, [&script] { DequeClient<Deque>(script).run(); });
}

}  // namespace heddle::properties
