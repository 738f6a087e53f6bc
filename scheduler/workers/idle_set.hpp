// Who sleeps, and how many look for work: decides whether a publication of work must wake somebody,
// and whom. After Tokio's idle set; here the sleepers' own second look is never skipped.
//
// Threads:    any; enter/leave calls for a worker by that worker.
// State:      word_      idle workers in the high half, searching ones in the low half
//             sleepers_  the idle ones by number, guarded by mutex_
// Invariants: I1 under mutex_: the idle count is sleepers_.size(), and nobody is in it twice
//             I2 idle + searching <= workers; neither field borrows from the other
//             I3 a worker in sleepers_ parks, or is on its way to; whoever takes it out gives it a
//                token, so a worker that was taken out by another always has one coming
// Protocol:   wake:  publish the work; fence; read word_; if somebody is idle and nobody searches,
//                    take a sleeper out, count it as searching, give it its token.
//             sleep: change word_ and join the list; fence; look at all queues once more; park.
//             The two fences order the pairs (publish, read word_) and (change word_, look): one of
//             the two sides sees the other (B08). The last searcher that stops, because it found
//             work or because it sleeps, looks again after its decrement (B09). One that is not
//             the last need not: a waker that counted on it counted on the last one, too.
// Progress:   wake is a fence and a load unless somebody must be woken.
// Checked by: properties/workers/idle_set_scenarios.cpp, properties/workers/parking_std_test.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include <heddle/scheduler/limits.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

class IdleSet {
 public:
  using WorkerId = std::uint32_t;

  explicit IdleSet(unsigned workers) : workers_(workers) { sleepers_.reserve(workers); }

  /// Cheap, and may be out of date: is there somebody to wake, and nobody searching?
  bool worth_waking() const {
    const Counts now = counts();
    return now.idle != 0 && now.searching == 0;
  }
  std::uint32_t searching() const { return counts().searching; }
  std::uint32_t idle() const { return counts().idle; }

  /// After work was published: takes out the worker to wake, `preferred` if it sleeps. The caller
  /// unparks it; it is counted as searching already.
  std::optional<WorkerId> choose_after_publishing(
      std::optional<WorkerId> preferred = std::nullopt) {
    // store-load: the publication before, the read of word_ after.
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    return choose_after_fence(preferred);
  }
  /// The same, when the caller has put a full fence after the publication.
  std::optional<WorkerId> choose_after_fence(std::optional<WorkerId> preferred = std::nullopt) {
    return worth_waking() ? choose(preferred) : std::nullopt;
  }

  /// A worker without work starts to look at the others' queues.
  void begin_search() { word_.fetch_add(one_searching, sync::memory_order_relaxed); }

  /// It found something, or gives up without sleeping. True: nobody searches now, so the caller
  /// looks at the queues once more and wakes another worker for what it sees.
  [[nodiscard]] bool end_search() {
    const Counts before(word_.fetch_sub(one_searching, sync::memory_order_relaxed));
    HEDDLE_ASSERT(before.searching >= 1, "I2");
    if (before.searching != 1) return false;
    // store-load: the decrement before, the look at the queues after.
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    return true;
  }

  /// It found nothing: from searching to idle. True: nobody searches now, so the caller looks at
  /// all queues once more. Then it parks or calls leave().
  [[nodiscard]] bool enter(WorkerId worker) {
    bool last = false;
    {
      const std::lock_guard lock(mutex_);
      HEDDLE_ASSERT(std::find(sleepers_.begin(), sleepers_.end(), worker) == sleepers_.end(), "I1");
      sleepers_.push_back(worker);
      const Counts before(word_.fetch_add(one_idle - one_searching, sync::memory_order_relaxed));
      HEDDLE_ASSERT(before.searching >= 1, "I2");
      HEDDLE_ASSERT(before.idle + before.searching <= workers_, "I2");
      last = before.searching == 1;
    }
    // store-load: the announcement before, the second look after.
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    return last;
  }

  /// From idle back to searching. False: somebody has taken the worker out, which is then counted
  /// as searching and has a token coming that it must take (I3).
  [[nodiscard]] bool leave(WorkerId worker) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find(sleepers_.begin(), sleepers_.end(), worker);
    if (found == sleepers_.end()) return false;
    sleepers_.erase(found);
    word_.fetch_sub(one_idle - one_searching, sync::memory_order_relaxed);
    return true;
  }

  /// Takes everybody out. The caller unparks them all.
  std::vector<WorkerId> take_all() {
    std::vector<WorkerId> taken;
    taken.reserve(workers_);
    const std::lock_guard lock(mutex_);
    while (!sleepers_.empty()) taken.push_back(take_last());
    return taken;
  }

 private:
  static constexpr std::uint32_t one_searching = 1;
  static constexpr std::uint32_t one_idle = 1U << 16;

  struct Counts {
    explicit Counts(std::uint32_t word) : idle(word >> 16), searching(word & 0xffff) {}
    std::uint32_t idle;
    std::uint32_t searching;
  };

  // relaxed, as every change of word_: a hint, or ordered by a fence; a wake carries what it was
  // for in its token, and the list has its mutex.
  Counts counts() const { return Counts(word_.load(sync::memory_order_relaxed)); }

  std::optional<WorkerId> choose(std::optional<WorkerId> preferred) {
    const std::lock_guard lock(mutex_);
    // Two publications at once wake one worker: the second sees it searching.
    if (!worth_waking() || sleepers_.empty()) return std::nullopt;
    if (preferred) {
      const auto found = std::find(sleepers_.begin(), sleepers_.end(), *preferred);
      if (found != sleepers_.end()) std::iter_swap(found, sleepers_.end() - 1);
    }
    return take_last();
  }
  WorkerId take_last() {
    const WorkerId worker = sleepers_.back();
    sleepers_.pop_back();
    const Counts before(word_.fetch_sub(one_idle - one_searching, sync::memory_order_relaxed));
    HEDDLE_ASSERT(before.idle >= 1, "I2");
    return worker;
  }

  const unsigned workers_;
  alignas(separate_lines) sync::atomic<std::uint32_t> word_{0};
  alignas(separate_lines) sync::mutex mutex_;
  std::vector<WorkerId> sleepers_;  // guarded by mutex_
};

}  // namespace heddle::inline HEDDLE_ON
