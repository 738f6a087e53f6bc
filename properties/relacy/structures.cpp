// The production mailbox word, inject queue, global queue, parker and idle set under Relacy: its
// random and its context-bound search, and its full search where that ends. As for the deque, these
// are samples for weak memory; what they have over the simulator's proofs is that nothing is
// shared.
#include <array>
#include <cstdint>
#include <span>

#include <gtest/gtest.h>

#include <heddle/scheduler/process/mailbox.hpp>
#include <heddle/scheduler/queues/global_queue.hpp>
#include <heddle/scheduler/queues/inject_queue.hpp>
#include <heddle/scheduler/workers/idle_set.hpp>
#include <heddle/scheduler/workers/parker.hpp>

#include "program_suite.hpp"

namespace {

using namespace heddle;
using relacy_suite::ask;

/// A blocked process gets two events from two producers; a worker runs it when it is queued. With
/// `Sound` false the second producer pushes for a generation that never was.
template <bool Sound>
class mailbox_program {
 public:
  static constexpr unsigned threads = 3;

  mailbox_program() {
    generation_ = mailbox_.claim();
    mailbox_.open();
    (void)mailbox_.begin_run();
    (void)mailbox_.let_go(ProcessState::blocked);
  }

  void thread(unsigned index) {
    if (index == 0) {
      run_queued();
      return;
    }
    const std::uint32_t bound = Sound || index == 1 ? generation_ : generation_ + 1;
    const push_result result =
        mailbox_.push(bound, index, next_[index], MailboxWord<>::no_flag, MailboxWord<>::no_flag);
    HEDDLE_ASSERT(result != push_result::refused, "a live process accepts");
    if (result == push_result::make_ready) queue();
  }

  void after() {
    while (run_queued()) continue;
    const MailboxWord<> word = mailbox_.look();
    HEDDLE_ASSERT(word.state() == ProcessState::blocked, "the process is at rest");
    HEDDLE_ASSERT(word.list() == 0, "nothing waits");
    HEDDLE_ASSERT(delivered_.read() == 2, "both arrive");
  }

 private:
  void queue() {
    const int before = queued_.exchange(1);
    HEDDLE_ASSERT(before == 0, "a process is in at most one queue");
  }
  bool run_queued() {
    if (queued_.exchange(0) == 0) return false;
    for (std::uint32_t node = mailbox_.begin_run().list(); node != 0; node = next_[node].read()) {
      delivered_.write(delivered_.read() + 1);
    }
    if (mailbox_.let_go(ProcessState::blocked) == ProcessState::ready) queue();
    return true;
  }

  Mailbox<> mailbox_;
  std::uint32_t generation_ = 0;
  std::array<sync::cell<std::uint32_t>, 3> next_;
  sync::atomic<int> queued_{0};
  sync::cell<int> delivered_{0};
};

struct Item : InjectLink {
  sync::cell<int> content{0};
};

/// Two producers, one taker. With `Sound` false the taker takes `retry` for the end.
template <bool Sound>
class inject_program {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index != 0) {
      items_[index - 1].content.write(1);
      queue_.push(items_[index - 1]);
      return;
    }
    (void)take();
    (void)take();
  }
  void after() {
    if (Sound) take_all();
    HEDDLE_ASSERT(taken_ == 2, "nothing is lost");
  }

 private:
  inject_result take() {
    std::array<Item*, 1> out{};
    const auto result = queue_.pop_some(out);
    if (result.count == 1) {
      HEDDLE_ASSERT(out[0]->content.read() == 1, "an item is as its producer left it");
      out[0]->content.write(2);
      ++taken_;
    }
    return result.result;
  }
  void take_all() {
    while (take() == inject_result::item) continue;
    HEDDLE_ASSERT(queue_.seems_empty(), "the end can be reached");
  }

  InjectQueue<Item> queue_;
  std::array<Item, 2> items_;
  int taken_ = 0;
};

/// Two submitters and a taker of the global queue. With `Sound` false one item counts twice.
template <bool Sound>
class global_program {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index != 0)
      queue_.push(static_cast<int>(index));
    else
      take();
  }
  void after() {
    take();
    take();
    HEDDLE_ASSERT(sum_ == (Sound ? 3 : 4), "nothing is lost, nothing twice");
    HEDDLE_ASSERT(queue_.size() == 0, "and its length says so");
  }

 private:
  void take() {
    std::array<int, 1> out{};
    if (queue_.pop_share(out, 1) == 1) sum_ += out[0];
  }
  GlobalQueue<int> queue_;
  int sum_ = 0;
};

/// With `Sound` false the sleeper wants two wakes, and unparks count once.
template <bool Sound>
class parker_program {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index != 0) {
      work_.fetch_add(1, sync::memory_order_relaxed);
      parker_.unpark();
    } else if (Sound) {
      while (work_.load(sync::memory_order_relaxed) != 2) (void)parker_.park();
    } else {
      (void)parker_.park();
      (void)parker_.park();
    }
  }
  void after() {}

 private:
  sync::atomic<int> work_{0};
  Parker parker_;
};

/// One submission while the worker falls asleep. With `Sound` false it has no fence.
template <bool Sound>
class idle_program {
 public:
  static constexpr unsigned threads = 2;

  idle_program() : idle_(1) { idle_.begin_search(); }

  void thread(unsigned index) {
    if (index == 1) {
      work_.store(1, sync::memory_order_release);
      const auto chosen = Sound ? idle_.choose_after_publishing() : idle_.choose_after_fence();
      if (chosen) parker_.unpark();
      return;
    }
    while (work_.exchange(0, sync::memory_order_acquire) == 0) {
      const bool more = idle_.enter(0) && work_.load(sync::memory_order_relaxed) != 0;
      if (!more || !idle_.leave(0)) (void)parker_.park();
    }
    (void)idle_.end_search();
  }
  void after() { HEDDLE_ASSERT(idle_.idle() == 0 && idle_.searching() == 0, "counts are exact"); }

 private:
  IdleSet idle_;
  Parker parker_;
  sync::atomic<int> work_{0};
};

template <template <bool> class Program>
void examine(rl::iteration_t iterations) {
  for (const auto search : {rl::random_scheduler_type, rl::fair_context_bound_scheduler_type}) {
    const auto sound = ask<Program<true>>(search, iterations);
    EXPECT_EQ(sound.result, rl::test_result_success) << rl::test_result_str(sound.result);
  }
  const auto flawed = ask<Program<false>>(rl::random_scheduler_type, iterations);
  EXPECT_NE(flawed.result, rl::test_result_success) << "the checks cannot fail";
}

constexpr rl::iteration_t some = 100'000;

TEST(structures_relacy, mailbox) { examine<mailbox_program>(some); }
TEST(structures_relacy, inject_queue) { examine<inject_program>(some); }
TEST(structures_relacy, global_queue) { examine<global_program>(some); }
TEST(structures_relacy, parker) { examine<parker_program>(some); }
TEST(structures_relacy, idle_set) { examine<idle_program>(some); }

// Relacy's full search ends for the global queue: all else is behind its mutex.
TEST(structures_relacy, full_search) {
  constexpr rl::iteration_t enough = 1'000'000;
  const auto global = ask<global_program<true>>(rl::fair_full_search_scheduler_type, enough);
  EXPECT_EQ(global.result, rl::test_result_success);
  EXPECT_LT(global.iterations, enough) << "it did not end";
}

}  // namespace
