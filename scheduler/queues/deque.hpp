// The local queue of a worker: a growable work-stealing deque whose thieves may take a batch in
// one compare-and-swap. After Chase and Lev, Dynamic Circular Work-Stealing Deque (SPAA 2005), with
// the weak-memory reasoning of Lê, Pop, Cohen and Zappa Nardelli, Correct and Efficient
// Work-Stealing for Weak Memory Models (PPoPP 2013). Two deviations:
//   * There, a batch of more than one item taken by one CAS of top is wrong, as the owner pops
//     without touching top and so a thief's CAS may succeed over items that are gone. Here the word
//     that thieves CAS also says how many items may be taken from top (`limit`), and the owner
//     lowers the limit before it touches an item below it.
//   * No fences: the store-load pairs are seq_cst accesses. On x86 the thief then pays nothing, and
//     ThreadSanitizer, which knows no fences, understands them.
//
// Threads:    the owner (one thread at a time) calls push, pop, size_for_owner; any thread calls
//             steal, steal_half, size. Destroy after all thieves have returned.
// State:      word_    (top, limit); modified by CAS only. Thieves add to top, the owner lowers
//                      limit or adds one to top.
//             bottom_  what thieves take for one past the newest item; stored by the owner only.
//                      The owner's own record of it is `bottom` below.
//             ring_    the current slots; stored by the owner only.
// Invariants: I1 top <= bottom; and bottom_ is bottom, or one less while the owner pops and when
//                the deque is empty
//             I2 slots [top, bottom) hold the items, in the current ring and in every ring that a
//                thief can hold whose CAS can still succeed
//             I3 for a fixed top the limit only falls, and top only rises: no value of the word
//                comes back (within 2^index_bits moves), so a CAS proves that nothing changed since
//                the word was read
//             I4 1 <= limit <= batch_max
//             I5 while the word is (top, limit), the owner takes an item in [top, top + limit) only
//                by changing the word
//
// Protocol:   pop of the item at `last`, with `ahead` items between top and it:
//   P1 ahead == 0: the only item. CAS top to top + 1; bottom needs no change.
//   P2 ahead <  limit: store bottom, then lower the limit to half of `ahead` by CAS. The CAS is a
//      release: a thief that reads this word, or one made from it by other thieves, sees the new
//      bottom. Thieves with an older word fail.
//   P3 ahead >= limit: store bottom, then read the word again, both seq_cst. If the word read is
//      still so, the item is the owner's: a thief whose CAS succeeds read either this word, which
//      does not reach that far, or a later one, and then its read of bottom_ comes after the store
//      in the order of seq_cst operations. If not so: P2 or P1, with bottom already stored.
//   Steal: read the word, then bottom_, then ring_, copy, CAS. The order matters. The word before
//      bottom_ for P3; bottom_ before ring_ so that the ring holds every item below that bottom,
//      and anew for every CAS: what is in an older ring may be an older item (B01).
//   Grow: copy [top, bottom) to a ring of twice the size, then publish it. A thief that copies from
//      the old one meanwhile gets the same items, or fails.
//
// Progress:   push is wait-free but for growing; pop is wait-free but for P2 retries, each of which
//             is a thief's success; steal and steal_half are wait-free and report lost_race.
// Memory:     replaced rings are kept until the deque dies, so no thief can meet a freed one. They
//             halve in size one after the other: together they are smaller than the current ring.
// Checked by: properties/queues/deque_scenarios.cpp, properties/known_bad/, and on real threads by
//             properties/queues/deque_std_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <heddle/scheduler/queues/deque_ring.hpp>
#include <heddle/scheduler/queues/deque_word.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

enum class [[nodiscard]] pop_result{item, empty};

/// lost_race: another thief, or the owner, changed the word meanwhile; there may be items.
enum class [[nodiscard]] steal_result{item, empty, lost_race};

struct [[nodiscard]] stolen_batch {
  steal_result result;
  std::size_t count;  ///< items taken; 0 unless result is item
};

template <class T, class Limits = deque_limits>
class deque {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "items are pointers or handles");
  using index = deque_index<Limits>;
  using word = deque_word<Limits>;
  using ring = deque_ring<T>;

 public:
  using value_type = T;

  deque() : deque(std::make_unique<ring>(Limits::first_capacity)) {}
  deque(const deque&) = delete;
  deque& operator=(const deque&) = delete;
  ~deque() { delete own_ring_.read(); }

  /// Adds an item at the bottom. Owner.
  /// Throws: std::bad_alloc or std::length_error when it cannot grow; the deque is as before.
  void push(T item) {
    const std::uint64_t bottom = own_bottom_.read();
    if (bottom == full_at_.read()) [[unlikely]]
      make_room(bottom);
    own_ring_.read()->put(bottom, item);
    const std::uint64_t next = index::plus(bottom, 1);
    own_bottom_.write(next);
    // release: publishes the slot, and what the item points at, to the load of bottom_ in take().
    bottom_.store(next, sync::memory_order_release);
  }

  /// Takes the newest item. Owner.
  pop_result pop(T& item) {
    const std::uint64_t last = index::minus(own_bottom_.read(), 1);
    // relaxed: only the choice between P1, P2 and P3 depends on it. An old word has a lower top, so
    // it cannot make the deque look empty, and P1 and P2 fail with it.
    word seen{word_.load(sync::memory_order_relaxed)};
    const std::int64_t ahead = index::distance(last, seen.top());
    if (ahead >= seen.limit()) [[likely]]
      return pop_announced(last, item);
    if (ahead < 0) return pop_result::empty;
    if (ahead == 0) return pop_only(seen, last, item);
    bottom_.store(last, sync::memory_order_release);
    if (!lower_limit(seen, ahead)) return pop_announced(last, item);
    return popped(last, item);
  }

  /// Takes the oldest item. Any thread.
  steal_result steal(T& item) {
    return take(std::span<T>(&item, 1), [](std::int64_t, std::int64_t) { return 1; }).result;
  }

  /// Takes up to half of the items, the oldest ones, into `buffer`, in their order, and at least
  /// one if there is any; not more than the buffer holds and than the limit of the word allows.
  /// Any thread. What is in the buffer beyond the returned count is unspecified.
  stolen_batch steal_half(std::span<T> buffer) {
    const auto room = static_cast<std::int64_t>(buffer.size());
    return take(buffer, [room](std::int64_t size, std::int64_t limit) {
      return std::min({std::max<std::int64_t>(size / 2, 1), limit, room});
    });
  }

  /// An estimate while others are at work; 0 only if each item whose push the caller knows of was
  /// taken, or is about to be. Any thread.
  std::size_t size() const {
    // relaxed: who must not miss an item has its push before this call, by a fence if need be.
    const word seen{word_.load(sync::memory_order_relaxed)};
    const std::uint64_t bottom = bottom_.load(sync::memory_order_relaxed);
    return static_cast<std::size_t>(std::max<std::int64_t>(index::distance(bottom, seen.top()), 0));
  }

  /// Slots in use and kept for thieves: at most twice the current capacity. Owner.
  std::size_t slots_retained() const { return own_ring_.read()->retained(); }
  std::size_t capacity() const { return own_ring_.read()->capacity(); }

 private:
  explicit deque(std::unique_ptr<ring> first)
      : word_(word{Limits::first_index, Limits::batch_max}.bits()),
        bottom_(Limits::first_index),
        ring_(first.get()),
        own_bottom_(Limits::first_index),
        full_at_(index::plus(Limits::first_index, Limits::first_capacity)),
        own_ring_(first.release()) {
    static_assert(Limits::first_capacity * 2 <= index::mask);
    static_assert(Limits::first_index <= index::mask);
  }

  /// P2. Half of what is ahead is all that a thief could take now, and the pops that follow then
  /// need no CAS for a while.
  bool lower_limit(word& seen, std::int64_t ahead) {
    HEDDLE_ASSERT(ahead >= 1, "I4");
    HEDDLE_ASSERT((ahead + 1) / 2 < seen.limit(), "I3");
    // release: publishes the store of bottom_ before it to the load of word_ in take().
    return word_.compare_exchange_strong(seen.expected(), seen.limited_to((ahead + 1) / 2).bits(),
                                         sync::memory_order_release, sync::memory_order_relaxed);
  }

  pop_result popped(std::uint64_t last, T& item) {
    own_bottom_.write(last);
    item = own_ring_.read()->get(last);
    return pop_result::item;
  }

  /// P3, and what follows when a thief was faster than P2.
  pop_result pop_announced(std::uint64_t last, T& item) {
    // seq_cst, this store and the load below: store-load pair with the loads of word_ and bottom_
    // in take(). Either the owner sees the thief's move of top, or the thief sees this bottom.
    bottom_.store(last, sync::memory_order_seq_cst);
    for (;;) {
      word seen{word_.load(sync::memory_order_seq_cst)};
      const std::int64_t ahead = index::distance(last, seen.top());
      HEDDLE_ASSERT(ahead >= -1, "I1");
      if (ahead >= seen.limit()) [[likely]]
        return popped(last, item);
      if (ahead < 0) return pop_result::empty;
      if (ahead == 0) return pop_only(seen, last, item);
      if (lower_limit(seen, ahead)) return popped(last, item);
    }
  }

  /// P1. Whoever gets the item, the deque is empty then, and its bottom is where it was before the
  /// call: bottom_ may be one less, which no thief can tell from an empty deque.
  pop_result pop_only(word& seen, std::uint64_t last, T& item) {
    // release: publishes the bottoms of earlier pops to the load of word_ in take().
    // Failing means that a thief took the item: nobody else changes the word.
    if (!word_.compare_exchange_strong(seen.expected(), seen.taken(1).bits(),
                                       sync::memory_order_release, sync::memory_order_relaxed)) {
      return pop_result::empty;
    }
    item = own_ring_.read()->get(last);
    return pop_result::item;
  }

  template <class HowMany>
  stolen_batch take(std::span<T> out, HowMany how_many) {
    HEDDLE_ASSERT(!out.empty(), "precondition");
    // seq_cst, both loads: see pop_announced(). Acquire for the rest: the word brings the bottom_
    // of P2, and bottom_ brings the slots and the ring that holds them.
    word seen{word_.load(sync::memory_order_seq_cst)};
    const std::uint64_t bottom = bottom_.load(sync::memory_order_seq_cst);
    const std::int64_t size = index::distance(bottom, seen.top());
    if (size <= 0) return {steal_result::empty, 0};
    HEDDLE_ASSERT(seen.limit() >= 1, "I4");
    const auto count = static_cast<std::size_t>(how_many(size, seen.limit()));
    // acquire: the ring may be newer than the bottom_ that was read; its slots come with it.
    const ring* const slots = ring_.load(sync::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i) out[i] = slots->get(index::plus(seen.top(), i));
    // seq_cst: the owner's load of word_ in pop_announced() reads either this or comes before it in
    // the one order of such operations, and then so does its store of bottom_ before the next
    // thief's load of it. Release would let that thief miss it.
    // Release, as part of it: the reads of the slots come before the owner's reuse of them, which
    // it starts after the acquire load in make_room().
    const word desired = seen.taken(count, (size - static_cast<std::int64_t>(count) + 1) / 2);
    if (!word_.compare_exchange_strong(seen.expected(), desired.bits(), sync::memory_order_seq_cst,
                                       sync::memory_order_relaxed)) {
      return {steal_result::lost_race, 0};
    }
    return {steal_result::item, count};
  }

  /// Called when the slot for `bottom` may be in use.
  void make_room(std::uint64_t bottom) {
    // acquire: the thieves that moved top to here have read the slots that push() will reuse.
    const word seen{word_.load(sync::memory_order_acquire)};
    ring* const now = own_ring_.read();
    const auto size = static_cast<std::size_t>(index::distance(bottom, seen.top()));
    HEDDLE_ASSERT(size <= now->capacity(), "I2");
    if (size == now->capacity()) grow(seen.top(), bottom);
    full_at_.write(index::plus(seen.top(), own_ring_.read()->capacity()));
  }

  void grow(std::uint64_t top, std::uint64_t bottom) {
    ring* const old = own_ring_.read();
    // Distances must stay below half of the index range.
    if (old->capacity() * 2 > index::mask / 2) throw std::length_error("heddle::deque is too long");
    auto bigger = std::make_unique<ring>(old->capacity() * 2);
    for (std::uint64_t i = top; i != bottom; i = index::plus(i, 1)) bigger->put(i, old->get(i));
    bigger->adopt(std::unique_ptr<ring>(old));
    own_ring_.write(bigger.get());
    // release: publishes the copied slots to the load of ring_ in take().
    ring_.store(bigger.release(), sync::memory_order_release);
  }

  static constexpr std::size_t line = 128;  // two cache lines: neighbours are fetched in pairs

  alignas(line) sync::atomic<std::uint64_t> word_;
  // Written by the owner in every call and read by thieves; what only the owner uses lies beside.
  alignas(line) sync::atomic<std::uint64_t> bottom_;
  sync::atomic<ring*> ring_;
  sync::cell<std::uint64_t> own_bottom_;  // what bottom_ is between calls
  sync::cell<std::uint64_t> full_at_;     // the bottom at which push() has to look at top again
  sync::cell<ring*> own_ring_;            // what ring_ is
};

}  // namespace heddle::inline HEDDLE_ON
