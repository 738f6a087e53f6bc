// The one word of a process that threads compete for: undelivered events, state, wakeup flag and
// generation. See docs/scheduler.md §1 for the table of transitions and why it is one word.
//
// Threads:    push and mark by any thread; claim, open, begin_run, let_go, finish and recycle by
//             the thread that owns the process at that moment; look by any.
// State:      see MailboxWord.
// Invariants: I1 the list is empty while the state is free, and from finish() on
//             I2 a process is in a queue, or about to be put there by one thread, exactly while it
//                is ready
//             I3 a process that is blocked or idle has no wakeup and is not killed; the only events
//                it may have are watch requests
//             I4 the generation grows by one each time the state becomes free
// Protocol:   every transition is a loop that re-reads the word: a failed exchange says only that
//             something changed, never that somebody else did this transition (B67). Weak, then,
//             and relaxed on failure: only the next exchange decides.
// Progress:   lock-free: an exchange fails because another thread's succeeded.
// Checked by: properties/process/mailbox_scenarios.cpp, properties/process/mailbox_std_test.cpp
#pragma once

#include <cstdint>

#include <heddle/scheduler/limits.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

enum class ProcessState : std::uint8_t { free, starting, ready, running, blocked, idle, complete };

/// low to high: list | state:3 | wakeup | killed | cancelled | budgeted | generation
template <class Limits = DefaultLimits>
class MailboxWord {
  static constexpr unsigned state_shift = Limits::list_bits;
  static constexpr unsigned flag_shift = state_shift + 3;
  static constexpr unsigned generation_shift = flag_shift + 4;
  static_assert(generation_shift + Limits::generation_bits <= 64);
  static constexpr std::uint64_t list_mask = (std::uint64_t{1} << Limits::list_bits) - 1;
  static constexpr std::uint64_t state_mask = std::uint64_t{7} << state_shift;

 public:
  static constexpr std::uint64_t no_flag = 0;
  static constexpr std::uint64_t wakeup = std::uint64_t{1} << flag_shift;
  static constexpr std::uint64_t killed = wakeup << 1;
  static constexpr std::uint64_t cancelled = wakeup << 2;
  static constexpr std::uint64_t budgeted = wakeup << 3;
  static constexpr std::uint32_t generation_max =
      static_cast<std::uint32_t>((std::uint64_t{1} << Limits::generation_bits) - 1);

  explicit constexpr MailboxWord(std::uint64_t bits) noexcept : bits_(bits) {}
  constexpr MailboxWord(ProcessState state, std::uint32_t generation) noexcept
      : bits_(static_cast<std::uint64_t>(state) << state_shift | std::uint64_t{generation}
                                                                     << generation_shift) {}

  constexpr std::uint64_t bits() const noexcept { return bits_; }
  /// What an exchange of the word expects, and refreshes when it fails.
  constexpr std::uint64_t& expected() noexcept { return bits_; }
  constexpr std::uint32_t list() const noexcept {
    return static_cast<std::uint32_t>(bits_ & list_mask);
  }
  constexpr ProcessState state() const noexcept {
    return static_cast<ProcessState>((bits_ & state_mask) >> state_shift);
  }
  constexpr std::uint32_t generation() const noexcept {
    return static_cast<std::uint32_t>(bits_ >> generation_shift);
  }
  constexpr bool has(std::uint64_t flags) const noexcept { return (bits_ & flags) != 0; }
  /// The occupant `of` exists and has not ended.
  constexpr bool live(std::uint32_t of) const noexcept {
    return generation() == of && state() != ProcessState::free && state() != ProcessState::complete;
  }

  constexpr MailboxWord with_list(std::uint32_t newest) const noexcept {
    return MailboxWord((bits_ & ~list_mask) | newest);
  }
  constexpr MailboxWord with_state(ProcessState state) const noexcept {
    return MailboxWord((bits_ & ~state_mask) | static_cast<std::uint64_t>(state) << state_shift);
  }
  constexpr MailboxWord plus(std::uint64_t flags) const noexcept {
    return MailboxWord(bits_ | flags);
  }
  constexpr MailboxWord minus(std::uint64_t flags) const noexcept {
    return MailboxWord(bits_ & ~flags);
  }

 private:
  std::uint64_t bits_;
};

/// What a producer has to do next.
enum class [[nodiscard]] push_result{
    refused,   ///< the occupant is gone, or has ended: nothing happened
    diverted,  ///< a flag that the caller did not want is set: nothing happened
    accepted,
    make_ready  ///< accepted, and the process is ready now: the caller puts it in a queue
};

template <class Limits = DefaultLimits>
class Mailbox {
 public:
  using Word = MailboxWord<Limits>;

  Mailbox() : word_(Word(ProcessState::free, 1).bits()) {}

  /// Adds the events from `newest` back to the one whose link is `oldest_next`, for the occupant
  /// `generation`, sets `flags`, and wakes. Refuses when it is gone, diverts when `unwanted` is
  /// set. A link is anything with write(uint32_t).
  template <class Link>
  push_result push(std::uint32_t generation, std::uint32_t newest, Link& oldest_next,
                   std::uint64_t flags, std::uint64_t unwanted) {
    return change(generation, flags, unwanted, true, [&](Word seen) {
      oldest_next.write(seen.list());
      return seen.with_list(newest);
    });
  }

  /// Adds an event that needs no attention: the process stays as it is.
  template <class Link>
  push_result push_quietly(std::uint32_t generation, std::uint32_t newest, Link& oldest_next) {
    return change(generation, Word::no_flag, Word::no_flag, false, [&](Word seen) {
      oldest_next.write(seen.list());
      return seen.with_list(newest);
    });
  }

  /// Sets flags, and wakes.
  push_result mark(std::uint32_t generation, std::uint64_t flags) {
    return change(generation, flags, Word::no_flag, true, [](Word seen) { return seen; });
  }

  /// Sets flags, without a wake.
  push_result mark_quietly(std::uint32_t generation, std::uint64_t flags) {
    return change(generation, flags, Word::no_flag, false, [](Word seen) { return seen; });
  }

  /// free → starting. Returns the generation of the new occupant.
  std::uint32_t claim() {
    const Word seen = look();
    HEDDLE_ASSERT(seen.state() == ProcessState::free, "I4");
    HEDDLE_ASSERT(seen.list() == 0, "I1");
    // release: the end of the last occupant, which came with the slot, goes on to who is refused.
    word_.store(seen.with_state(ProcessState::starting).bits(), sync::memory_order_release);
    return seen.generation();
  }

  /// starting → ready; the caller queues the process.
  void open() {
    Word seen = look();
    for (;;) {
      HEDDLE_ASSERT(seen.state() == ProcessState::starting, "I2");
      const Word next = seen.with_state(ProcessState::ready).minus(Word::wakeup);
      // relaxed: the queue that it goes into now publishes the process.
      if (word_.compare_exchange_weak(seen.expected(), next.bits(), sync::memory_order_relaxed,
                                      sync::memory_order_relaxed)) {
        return;
      }
    }
  }

  /// ready → running; takes the events. Called by the worker that took the process from a queue.
  /// Returns the word as it was.
  Word begin_run() {
    Word seen = look();
    for (;;) {
      HEDDLE_ASSERT(seen.state() == ProcessState::ready, "I2");
      const Word next = seen.with_state(ProcessState::running).with_list(0).minus(Word::wakeup);
      // acquire: the events, from the release in change(), and the process as the last worker left
      // it, from the release in let_go(); the exchanges in between continue its release sequence.
      if (word_.compare_exchange_weak(seen.expected(), next.bits(), sync::memory_order_acquire,
                                      sync::memory_order_relaxed)) {
        return seen;
      }
    }
  }

  /// running → `wanted`, which is ready, blocked or idle; or running → ready when something came
  /// meanwhile. Returns the state that it has now; when that is ready the caller queues it.
  ProcessState let_go(ProcessState wanted) {
    Word seen = look();
    for (;;) {
      HEDDLE_ASSERT(seen.state() == ProcessState::running, "I2");
      const bool woken = seen.has(Word::wakeup | Word::killed);
      const ProcessState to = woken ? ProcessState::ready : wanted;
      const Word next = seen.with_state(to).minus(Word::wakeup);
      // release: publishes the process to the acquire in begin_run(). From here on another worker
      // may run it: the caller must not touch it, unless it is ready and so still the caller's.
      if (word_.compare_exchange_weak(seen.expected(), next.bits(), sync::memory_order_release,
                                      sync::memory_order_relaxed)) {
        return to;
      }
    }
  }

  /// running or starting → complete; takes the events that came too late to be delivered.
  std::uint32_t finish() {
    Word seen = look();
    for (;;) {
      HEDDLE_ASSERT(seen.state() == ProcessState::running || seen.state() == ProcessState::starting,
                    "I2");
      const Word next = seen.with_state(ProcessState::complete).with_list(0);
      // acquire: the events, from the release in change(). release: the end, to who is refused.
      if (word_.compare_exchange_weak(seen.expected(), next.bits(), sync::memory_order_acq_rel,
                                      sync::memory_order_relaxed)) {
        return seen.list();
      }
    }
  }

  /// complete → free, for the next occupant. False when the slot has had its last one.
  bool recycle() {
    const Word seen = look();
    HEDDLE_ASSERT(seen.state() == ProcessState::complete, "I4");
    const bool last = seen.generation() == Word::generation_max;
    if (last) return false;  // stays complete: it refuses for ever
    // A store, as nobody exchanges a word that is complete. release: as in finish().
    word_.store(Word(ProcessState::free, seen.generation() + 1).bits(), sync::memory_order_release);
    return true;
  }

  /// Nothing has come since begin_run(): no event, no wake, no end by force.
  bool undisturbed() const {
    const Word seen = look();
    return seen.list() == 0 && !seen.has(Word::wakeup | Word::killed);
  }

  Word look() const { return Word(word_.load(sync::memory_order_relaxed)); }

 private:
  template <class Edit>
  push_result change(std::uint32_t generation, std::uint64_t flags, std::uint64_t unwanted,
                     bool wakes, Edit edit) {
    Word seen = look();
    for (;;) {
      if (!seen.live(generation)) {
        // Once more, with acquire: who is refused, wait() say, sees all that the occupant did. Each
        // store of the word since its end is a release.
        (void)word_.load(sync::memory_order_acquire);
        return push_result::refused;
      }
      if (seen.has(unwanted)) return push_result::diverted;
      Word next = edit(seen).plus(flags);
      const bool parked =
          seen.state() == ProcessState::blocked || seen.state() == ProcessState::idle;
      if (wakes && parked) next = next.with_state(ProcessState::ready);
      if (wakes && !parked && seen.state() != ProcessState::ready) next = next.plus(Word::wakeup);
      // release: publishes the events to the acquire in begin_run() or finish().
      if (word_.compare_exchange_weak(seen.expected(), next.bits(), sync::memory_order_release,
                                      sync::memory_order_relaxed)) {
        return wakes && parked ? push_result::make_ready : push_result::accepted;
      }
      step_back();
    }
  }

  /// Another producer has the line. One that lets it go on for a while, rather than to take the
  /// line away before each of its pushes, gets its own turn for several in a row: fewer transfers.
  static void step_back() {
    if constexpr (!sync::limits_are_small) sync::spin_hint();
  }

  sync::atomic<std::uint64_t> word_;
};

}  // namespace heddle::inline HEDDLE_ON
