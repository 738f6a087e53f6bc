// A small program over the production deque: tasks whose numbers are non-atomic, so that every
// delivery is also a race check; one owner, up to three thieves; and conservation in the end.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/sim.hpp>

#include "../support/delivery.hpp"

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
      deque_.push(&next);
    }
  }
  void pop(int count = 1) {
    for (; count > 0; --count) static_cast<void>(try_pop());
  }

  // ---- thieves ----------------------------------------------------------------------------------
  void steal() {
    task* taken = nullptr;
    if (deque_.steal(taken) == steal_result::item) delivered_.take(taken->number.read());
  }
  void steal_half() {
    std::array<task*, Limits::batch_max> buffer{};
    const std::size_t count = deque_.steal_half(buffer).count;
    for (task* const taken : std::span(buffer).first(count)) delivered_.take(taken->number.read());
  }

  /// Runs the owner's script in the calling thread beside one thread per thief; then empties the
  /// deque and checks that every task was delivered once.
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
  }

  deque<task*, Limits>& under_test() { return deque_; }

 private:
  bool try_pop() {
    task* taken = nullptr;
    if (deque_.pop(taken) == pop_result::empty) return false;
    delivered_.take(taken->number.read());
    return true;
  }

  deque<task*, Limits> deque_;
  std::array<task, Items> tasks_;
  std::size_t pushed_ = 0;
  delivery<Items> delivered_;
};

}  // namespace heddle::properties
