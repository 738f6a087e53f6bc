// Idle sets, searchers, and to whom a wake goes.
#pragma once

#include <optional>

#include <heddle/scheduler/workers/idle_set.hpp>
#include <heddle/scheduler/workers/parker.hpp>
#include <heddle/sync.hpp>

#include "program.hpp"

namespace heddle::inline HEDDLE_ON::known_bad {

enum class look_flaw {
  sound,
  no_last_look  ///< B09: the last searcher that falls asleep does not look again
};

/// The production idle set, and two workers that use it wrongly.
template <look_flaw Flaw>
class searching_workers {
 public:
  static constexpr unsigned threads = 3;
  static constexpr unsigned workers = 2;

  searching_workers() : idle_(workers) {
    for (unsigned worker = 0; worker < workers; ++worker) idle_.begin_search();
  }

  void thread(unsigned index) {
    if (index == 0) {
      for (int i = 0; i < items; ++i) {
        work_.fetch_add(1);
        if (const auto chosen = idle_.choose_after_publishing()) parkers_[*chosen].unpark();
      }
      return;
    }
    const IdleSet::WorkerId self = index - 1;
    while (done_.load() < items) {
      if (take()) {
        run();
        continue;
      }
      const bool last = idle_.enter(self);
      const bool looks = Flaw != look_flaw::no_last_look;
      const bool more = looks && last && work_.load() != 0;
      if (more || done_.load() == items) {
        if (!idle_.leave(self)) (void)parkers_[self].park();
      } else {
        (void)parkers_[self].park();
      }
    }
    (void)idle_.end_search();
  }
  void after() { require(Check::counts_exact, idle_.idle() == 0 && idle_.searching() == 0); }

 private:
  static constexpr int items = 1;

  bool take() {
    int seen = work_.load();
    while (seen != 0) {
      if (work_.compare_exchange_strong(seen, seen - 1)) return true;
    }
    return false;
  }
  void run() {
    if (done_.fetch_add(1) + 1 == items) {
      for (const IdleSet::WorkerId worker : idle_.take_all()) parkers_[worker].unpark();
    }
  }

  IdleSet idle_;
  std::array<Parker, workers> parkers_;
  sync::atomic<int> work_{0};
  sync::atomic<int> done_{0};
};

/// B36: a searcher finds something and does not look for more, although a submitter has counted on
/// it. Worker 0 searches and has found a long step, which ends when the item has been run; worker 1
/// sleeps.
template <bool Sound>
class found_and_gone {
 public:
  static constexpr unsigned threads = 3;

  found_and_gone() : idle_(2) {
    idle_.begin_search();
    idle_.begin_search();
    (void)idle_.enter(1);
  }

  void thread(unsigned index) {
    if (index == 0) {
      work_.store(1);
      wake(idle_.choose_after_publishing());
    } else if (index == 1) {
      const bool last = idle_.end_search();
      if (Sound && last && work_.load() != 0) wake(idle_.choose_after_fence());
      while (!done_.load()) sync::spin_hint();
    } else {
      (void)parker_.park();
      done_.store(work_.exchange(0) != 0);
    }
  }
  void after() {}

 private:
  void wake(std::optional<IdleSet::WorkerId> chosen) {
    if (chosen) parker_.unpark();
  }

  IdleSet idle_;
  Parker parker_;  // worker 1's
  sync::atomic<int> work_{0};
  sync::atomic<bool> done_{false};
};

enum class idle_flaw {
  sound,
  side_wake,     ///< B10: somebody wakes the worker without taking it out of the set
  never_entered  ///< B76: a worker that was not counted as searching stops searching
};

/// A set of one worker, its token, and the count of those that search.
template <idle_flaw Flaw>
class idle_list {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 0) {
      sleep();
      if constexpr (Flaw == idle_flaw::side_wake) sleep();
    } else if constexpr (Flaw == idle_flaw::side_wake) {
      while (idle_.load() == 0) sync::spin_hint();
      parker_.unpark();
    } else if (idle_.exchange(0) != 0) {
      searching_.fetch_add(1);  // who is taken out is counted
      parker_.unpark();
    }
  }
  void after() {}

 private:
  void sleep() {
    require(Check::idle_once, idle_.exchange(1) == 0);
    bool counted = false;
    if (Flaw == idle_flaw::side_wake && !woken_) {
      counted = woken_ = parker_.park();
    } else if (idle_.exchange(0) == 0) {
      counted = parker_.park();
    }
    if (Flaw == idle_flaw::side_wake) return;
    if (Flaw == idle_flaw::never_entered || counted) {
      require(Check::counts_exact, searching_.fetch_sub(1) > 0);
    }
  }

  sync::atomic<int> idle_{0};
  sync::atomic<int> searching_{0};
  Parker parker_;
  bool woken_ = false;
};

enum class place_flaw {
  sound,
  sound_batch,    ///< sound: a worker that takes a batch wakes another
  busy_worker,    ///< H2: the wake goes to a worker that is in a long step
  private_place,  ///< H5, B17, B62: nobody else looks where it is, an inject queue or a next slot
  silent_batch    ///< H6: a worker takes a batch and tells nobody
};

/// Worker 0 is in a step that ends only when the item has been run; worker 1 sleeps. Whatever is
/// done with the item, worker 1 must come to it.
template <place_flaw Flaw>
class behind_a_long_step {
 public:
  static constexpr unsigned threads = 3;

  void thread(unsigned index) {
    if (index == 0) {  // the submitter
      if constexpr (batch) {
        batch_.store(true);  // for worker 0, which runs the first item of it
      } else {
        place_.store(1);
        parkers_[Flaw == place_flaw::busy_worker ? 0 : 1].unpark();
      }
    } else if (index == 1) {  // worker 0, in its long step
      if constexpr (batch) {
        while (!batch_.load()) sync::spin_hint();
        place_.store(1);
        if (Flaw == place_flaw::sound_batch) parkers_[1].unpark();
      }
      while (!done_.load()) sync::spin_hint();
    } else {  // worker 1
      do {
        (void)parkers_[1].park();
      } while (Flaw == place_flaw::private_place || place_.exchange(0) == 0);
      done_.store(true);
    }
  }
  void after() {}

 private:
  static constexpr bool batch = Flaw == place_flaw::sound_batch || Flaw == place_flaw::silent_batch;

  sync::atomic<int> place_{0};
  sync::atomic<bool> batch_{false};
  sync::atomic<bool> done_{false};
  std::array<Parker, 2> parkers_;
};

/// B87: a worker looks for work while anything is unfinished, instead of queued.
template <bool Sound>
class looks_for_ever {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned index) {
    if (index == 1) {
      unfinished_.store(0);  // the long step ends
      return;
    }
    for (int looks = 0;; ++looks) {
      require(Check::comes_to_rest, looks <= bound);
      if (looks > bound) return;
      if (queued_.load() == 0 && (Sound || unfinished_.load() == 0)) return;  // parks
    }
  }
  void after() {}

 private:
  static constexpr int bound = 3;

  sync::atomic<int> unfinished_{1};
  sync::atomic<int> queued_{0};
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
