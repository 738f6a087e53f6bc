// A deque under test whose every call is recorded and held against the sequential deque at the
// end. Conservation alone cannot see an item that comes out at the wrong end, or an `empty` that
// was not so; this does.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/sim.hpp>

#include "../support/history_recorder.hpp"

namespace heddle::properties {

template <class Limits>
class linearizable_deque {
 public:
  void push(int count = 1) {
    for (; count > 0; --count) {
      recorder_.record(model::push(++pushed_), [&] {
        deque_.push(pushed_);
        return model::done();
      });
    }
  }
  void pop(int count = 1) {
    for (; count > 0; --count) {
      recorder_.record(model::pop(), [&] {
        int item = 0;
        return deque_.pop(item) == pop_result::item ? model::delivered(item) : model::empty();
      });
    }
  }
  void steal() {
    recorder_.record(model::steal(), [&] {
      int item = 0;
      return outcome(deque_.steal(item), std::span(&item, 1));
    });
  }
  void steal_half() {
    recorder_.record(model::steal_half(Limits::batch_max), [&] {
      std::array<int, Limits::batch_max> buffer{};
      const stolen_batch batch = deque_.steal_half(buffer);
      return outcome(batch.result, std::span(buffer).first(batch.count));
    });
  }

  /// Runs the owner's script beside one thread per thief, empties the deque, and checks that all of
  /// it can be ordered, and that races were lost only to somebody.
  template <class Owner, class... Thieves>
  void run(Owner owner, Thieves... thieves) {
    {
      std::array<sync::thread, sizeof...(thieves)> threads{
          sync::thread([this, thieves] { thieves(*this); })...};
      owner(*this);
      for (sync::thread& each : threads) each.join();
    }
    pop(static_cast<int>(deque_.size()) + 1);
    recorder_.check_linearizable();
    const bool only_to_rivals = sim::outside([&] {
      const auto history = recorder_.history();
      return model::lost_races_without_rival(history.operations(), history.order()).empty();
    });
    sim::check(only_to_rivals, "a race was lost that nobody else ran");
  }

 private:
  static model::Outcome outcome(steal_result result, std::span<const int> items) {
    switch (result) {
      case steal_result::item:
        return model::delivered(std::vector<model::Item>(items.begin(), items.end()));
      case steal_result::empty:
        return model::empty();
      case steal_result::lost_race:
        break;
    }
    return model::lost_race();
  }

  deque<int, Limits> deque_;
  history_recorder<model::Deque> recorder_;
  int pushed_ = 0;
};

}  // namespace heddle::properties
