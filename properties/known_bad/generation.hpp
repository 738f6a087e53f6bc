// A slot that one process leaves to the next, and producers that were bound to the first one.
#pragma once

#include <heddle/sync.hpp>

#include "program.hpp"

namespace heddle::inline HEDDLE_ON::known_bad {

enum class slot_flaw {
  sound,
  read_at_push,      ///< H3, B43: the producer takes the generation that the slot has now
  check_then_push,   ///< H3: the generation is checked first, the event pushed afterwards
  cancel_unchecked,  ///< H4: a termination names the slot and no generation
  never_bumped,      ///< B104: the generation is compared, and never changed
  comes_back         ///< R3: one bit of generation; the third occupant has the first one's
};

/// word: events in bits 0..3, killed in bit 4, generation above.
template <slot_flaw Flaw>
class reused_slot {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 0) {
      reuse();
      if constexpr (Flaw == slot_flaw::comes_back) reuse();
    } else if (index == 1) {
      push(0);
    } else {
      kill(0);
    }
  }
  void after() { require(Check::earlier_life, (word_.load() & content) == 0); }

 private:
  static constexpr unsigned one_event = 1;
  static constexpr unsigned killed = 16;
  static constexpr unsigned content = 31;
  static constexpr unsigned one_life = 32;
  static constexpr unsigned generation_mask =
      Flaw == slot_flaw::comes_back ? one_life : ~(one_life - 1);

  static constexpr unsigned generation_of(unsigned word) { return word & generation_mask; }

  void reuse() {
    unsigned seen = word_.load();
    const unsigned lives = Flaw == slot_flaw::never_bumped ? 0 : one_life;
    while (!word_.compare_exchange_strong(seen, generation_of(generation_of(seen) + lives))) {
      continue;
    }
  }

  void push(unsigned bound) {
    unsigned seen = word_.load();
    if constexpr (Flaw == slot_flaw::read_at_push) bound = generation_of(seen);
    if constexpr (Flaw == slot_flaw::check_then_push) {
      if (generation_of(seen) == bound) word_.fetch_add(one_event);
      return;
    }
    // `bound` of a producer that reads it late is that of the moment: it can only fail by a race.
    while (generation_of(seen) == bound) {
      if (word_.compare_exchange_strong(seen, seen + one_event)) return;
      if constexpr (Flaw == slot_flaw::read_at_push) bound = generation_of(seen);
    }
  }

  void kill(unsigned bound) {
    if constexpr (Flaw == slot_flaw::cancel_unchecked) {
      word_.fetch_or(killed);
      return;
    }
    unsigned seen = word_.load();
    while (generation_of(seen) == bound) {
      if (word_.compare_exchange_strong(seen, seen | killed)) return;
    }
  }

  sync::atomic<unsigned> word_{0};
};

/// A mailbox whose closed bit and list are two words.
template <bool Sound>
class close_and_push {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 0) {
      if (Sound) {
        drained_ += static_cast<int>(list_.fetch_or(closed) & ~closed);
      } else {
        closed_.store(true);
        drained_ += static_cast<int>(list_.exchange(0));
      }
      return;
    }
    if (Sound) {
      unsigned seen = list_.load();
      while ((seen & closed) == 0 && accepted_ == 0) {
        if (list_.compare_exchange_strong(seen, seen + 1)) accepted_ = 1;
      }
    } else if (!closed_.load()) {
      list_.fetch_add(1);
      accepted_ = 1;
    }
  }
  void after() { require(Check::nothing_lost, drained_ == accepted_); }

 private:
  static constexpr unsigned closed = 1024;

  sync::atomic<bool> closed_{false};
  sync::atomic<unsigned> list_{0};
  int accepted_ = 0;
  int drained_ = 0;
};

/// Nodes of a pool on a free list, taken by an exchange of its head. Explicit numbers, so that the
/// same node comes back without the allocator's help.
template <bool Sound>
class pooled_nodes {
 public:
  static constexpr unsigned threads = 2;

  pooled_nodes() {
    for (unsigned node = 1; node <= nodes; ++node) {
      next_[node].store(node == nodes ? 0 : node + 1, sync::memory_order_relaxed);
    }
  }

  void thread(unsigned index) {
    if (index == 1) {
      use(take());
      use(take());
      return;
    }
    const unsigned first = take();
    const unsigned second = take();
    if (first != 0) give(first);
    use(second);
  }
  void after() {}

 private:
  static constexpr unsigned nodes = 3;
  static constexpr unsigned one_life = 4;

  unsigned take() {
    unsigned head = head_.load();
    for (;;) {
      const unsigned node = head & 3U;
      if (node == 0) return 0;
      const unsigned next = next_[node].load();
      const unsigned tag = Sound ? (head & ~3U) + one_life : 0;
      if (head_.compare_exchange_strong(head, next | tag)) return node;
    }
  }
  void give(unsigned node) {
    unsigned head = head_.load();
    do {
      next_[node].store(head & 3U);
    } while (!head_.compare_exchange_strong(head, node | (Sound ? head & ~3U : 0)));
  }
  /// Races with whoever else has it.
  void use(unsigned node) {
    if (node != 0) content_[node].write(1);
  }

  std::array<sync::atomic<unsigned>, nodes + 1> next_;
  std::array<sync::cell<int>, nodes + 1> content_;
  sync::atomic<unsigned> head_{1};
};

/// B07: a block of a queue is filled again while a thief of its earlier round sleeps.
template <bool Sound>
class reused_block {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      take_one();
      return;
    }
    fill(1);
    take_one();
    take_one();
    if (position(state_.load()) == size) fill(3);
  }
  void after() {
    take_one();
    take_one();
    if (filled_ == 1) fill(3);
    take_one();
    take_one();
    taken_.check_nothing_lost();
  }

 private:
  static constexpr unsigned size = 2;
  static constexpr unsigned one_round = 4;
  static constexpr unsigned position(unsigned state) { return state % one_round; }

  void fill(int first) {
    filled_ = first;
    for (unsigned i = 0; i < size; ++i) slots_[i].store(first + static_cast<int>(i));
    const unsigned round = state_.load() - position(state_.load());
    state_.store(Sound ? round + one_round : 0);
  }
  void take_one() {
    unsigned state = state_.load();
    if (position(state) >= size) return;
    const int item = slots_[position(state)].load();
    if (state_.compare_exchange_strong(state, state + 1)) taken_.take(item);
  }

  std::array<sync::atomic<int>, size> slots_;
  sync::atomic<unsigned> state_{size};
  int filled_ = 0;
  taken_items taken_{4};
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
