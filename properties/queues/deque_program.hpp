// A small program over the production deque: one owner and up to three thieves. Checked in every
// execution: that each task is delivered once; that the calls are linearizable; that no race is
// lost without a rival. The tasks' numbers are non-atomic, so each delivery is a race check too.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <heddle/model.hpp>
#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/sim.hpp>

#include "../support/delivery.hpp"
#include "../support/history_recorder.hpp"

namespace heddle::properties {

struct task {
  sync::cell<int> number;
};

template <class Limits, std::size_t Items>
class deque_program {
 public:
  // ---- owner ------------------------------------------------------------------------------------
  void push(int count = 1) {
    for (; count > 0; --count) {
      task& next = tasks_.at(pushed_++);
      next.number.write(static_cast<int>(pushed_));
      history_.record(model::push(static_cast<int>(pushed_)), [&] {
        deque_.push(&next);
        return model::done();
      });
    }
  }
  void pop(int count = 1) {
    for (; count > 0; --count) static_cast<void>(try_pop());
  }

  // ---- thieves ----------------------------------------------------------------------------------
  void steal(int count = 1) {
    for (; count > 0; --count) {
      history_.record(model::steal(), [&] {
        task* taken = nullptr;
        return outcome(deque_.steal(taken), std::span(&taken, 1));
      });
    }
  }
  void steal_half(int count = 1) {
    for (; count > 0; --count) {
      history_.record(model::steal_half(Limits::batch_max), [&] {
        std::array<task*, Limits::batch_max> buffer{};
        const auto [result, taken] = deque_.steal_half(buffer);
        return outcome(result, std::span(buffer).first(taken));
      });
    }
  }

  /// Runs the owner's script in the calling thread beside one thread per thief; then empties the
  /// deque and checks.
  template <class Owner, class... Thieves>
  void run(Owner owner, Thieves... thieves) {
    {
      std::array<sync::thread, sizeof...(thieves)> threads{
          sync::thread([this, thieves] { thieves(*this); })...};
      owner(*this);
      for (sync::thread& each : threads) each.join();
    }
    while (try_pop()) continue;
    sim::check(pushed_ == Items, "the scenario pushes as many items as it says");
    sim::check(deque_.size() == 0, "an empty deque has size 0");
    delivered_.check_nothing_lost();
    history_.check_linearizable();
    history_.check_lost_races();
  }

 private:
  bool try_pop() {
    const model::Outcome result = history_.record(model::pop(), [&] {
      task* taken = nullptr;
      const bool got = deque_.pop(taken) == pop_result::item;
      return outcome(got ? steal_result::item : steal_result::empty, std::span(&taken, 1));
    });
    return result.answer == model::Outcome::Answer::items;
  }

  model::Outcome outcome(steal_result result, std::span<task* const> taken) {
    if (result == steal_result::empty) return model::empty();
    if (result == steal_result::lost_race) return model::lost_race();
    std::vector<model::Item> numbers;
    for (task* const each : taken) {
      sim::check(each != nullptr, "a slot that nothing was put in");
      numbers.push_back(each->number.read());
      delivered_.take(static_cast<int>(numbers.back()));
    }
    return model::delivered(std::move(numbers));
  }

  deque<task*, Limits> deque_;
  std::array<task, Items> tasks_;
  std::size_t pushed_ = 0;
  delivery<Items> delivered_;
  history_recorder<model::Deque> history_;
};

}  // namespace heddle::properties
