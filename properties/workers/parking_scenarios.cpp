// Parking and waking under every interleaving, with time switched off: a wake that gets lost is a
// deadlock here, and nothing hides it.
#include <heddle/scheduler/workers/idle_set.hpp>
#include <heddle/scheduler/workers/parker.hpp>
#include <heddle/sim.hpp>

namespace {

using heddle::IdleSet;
using heddle::Parker;
using heddle::sim::check;
using heddle::sim::thread;
namespace sync = heddle::sync;

HEDDLE_SCENARIO(parker_one_wake, "B80, B48: a wake is not lost, whenever it comes",
                {.threads = 2, .timeouts = false, .group = "workers"}) {
  Parker parker;
  sync::cell<int> work{0};
  thread waker([&] {
    work.write(1);
    parker.unpark();
  });
  check(parker.park(), "there is no deadline");
  check(work.read() == 1, "what the waker did is visible");
  waker.join();
}

HEDDLE_SCENARIO(parker_two_wakers, "the owner sees what each of two wakers did",
                {.threads = 3, .timeouts = false, .group = "workers"}) {
  Parker parker;
  sync::atomic<int> work{0};
  const auto wake = [&] {
    work.fetch_add(1, sync::memory_order_relaxed);
    parker.unpark();
  };
  thread first(wake);
  thread second(wake);
  while (work.load(sync::memory_order_relaxed) != 2) check(parker.park(), "there is no deadline");
  first.join();
  second.join();
}

HEDDLE_SCENARIO(parker_deadline, "a park that ends by time leaves no trace in the next one",
                {.threads = 2, .group = "workers"}) {
  Parker parker;
  thread waker([&] { parker.unpark(); });
  const bool early = parker.park(sync::clock::now() + std::chrono::milliseconds(1));
  if (!early) check(parker.park(), "the wake is still to come, or its token is here");
  waker.join();
  check(!parker.park(sync::clock::now()), "it was one token");
}

HEDDLE_SCENARIO(parker_token_at_the_deadline, "a wake at the last moment brings what it was for",
                {.threads = 2, .group = "workers"}) {
  Parker parker;
  sync::cell<int> work{0};
  thread waker([&] {
    work.write(1);
    parker.unpark();
  });
  const bool woken = parker.park(sync::clock::now() + std::chrono::milliseconds(1));
  if (woken) check(work.read() == 1, "what the waker did is visible");
  waker.join();
}

/// A worker's way to sleep, as in find_work.cpp, over one place for work. Returns when it has got
/// the work, or when it was told to stop.
class Sleepers {
 public:
  explicit Sleepers(unsigned workers) : idle_(workers) {}

  void publish() {
    work_.store(1, sync::memory_order_release);
    if (const auto chosen = idle_.choose_after_publishing()) parkers_[*chosen].unpark();
  }

  /// Already counted as searching.
  void work_or_sleep(IdleSet::WorkerId self) {
    while (!done_.load(sync::memory_order_acquire)) {
      if (work_.load(sync::memory_order_relaxed) != 0 &&
          work_.exchange(0, sync::memory_order_acquire) != 0) {
        const bool last = idle_.end_search();
        if (last && work_.load(sync::memory_order_relaxed) != 0) wake();
        stop();
        return;
      }
      const bool last = idle_.enter(self);
      const bool more = last && work_.load(sync::memory_order_relaxed) != 0;
      if (more || done_.load(sync::memory_order_relaxed)) {
        if (!idle_.leave(self)) check(parkers_[self].park(), "a token is coming");
      } else {
        check(parkers_[self].park(), "there is no deadline");
      }
    }
    (void)idle_.end_search();
  }
  void begin_search() { idle_.begin_search(); }

  void settle() {
    check(work_.load(sync::memory_order_relaxed) == 0, "the work was done");
    check(idle_.idle() == 0 && idle_.searching() == 0, "the counts are back at zero (B76)");
  }

 private:
  void wake() {
    if (const auto chosen = idle_.choose_after_fence()) parkers_[*chosen].unpark();
  }
  void stop() {
    done_.store(true, sync::memory_order_release);
    for (const IdleSet::WorkerId worker : idle_.take_all()) parkers_[worker].unpark();
  }

  IdleSet idle_;
  Parker parkers_[2];
  sync::atomic<int> work_{0};
  sync::atomic<bool> done_{false};
};

HEDDLE_SCENARIO(idle_set_submit, "B08: work is published while the only worker falls asleep",
                {.threads = 2, .timeouts = false, .group = "workers"}) {
  Sleepers sleepers(1);
  sleepers.begin_search();
  thread worker([&] { sleepers.work_or_sleep(0); });
  sleepers.publish();
  worker.join();
  sleepers.settle();
}

HEDDLE_SCENARIO(idle_set_last_searcher, "B09: of two searching workers one falls asleep last",
                {.threads = 3, .timeouts = false, .group = "workers", .spurious_wakeups = 0}) {
  Sleepers sleepers(2);
  sleepers.begin_search();
  sleepers.begin_search();
  thread first([&] { sleepers.work_or_sleep(0); });
  thread second([&] { sleepers.work_or_sleep(1); });
  sleepers.publish();
  first.join();
  second.join();
  sleepers.settle();
}

}  // namespace
