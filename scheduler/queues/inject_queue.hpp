// Work with affinity to one worker: many producers, one consumer at a time, first in, first out,
// linked through the items. After Vyukov, Intrusive MPSC node-based queue (1024cores, 2010).
// Deviation: any worker may be the consumer. A flag, taken without waiting, says who is, so that
// work behind a worker that does not come back is found by others.
//
// Threads:    any thread calls push, pop_some, seems_empty.
// State:      newest_ -> … -> oldest_ -> next oldest …: `newest_` is where producers add, `oldest_`
//             what is taken next; `link` of an item points at the item that came after it. stub_
//             is an item of the queue's own, in the chain when there is no other.
// Invariants: I1 following links from oldest_ leads to newest_, but for gaps that are being filled
//                by a producer between its exchange and its link
//             I2 oldest_ and the link of the item taken are touched by the holder of taking_ only
//             I3 an item is returned only when nobody else will touch its link: its successor has
//                been linked
// Protocol:   push: 1. exchange newest_  2. link the predecessor. Between the two the queue is not
//             empty, and yet its end cannot be reached: pop says `retry`. Whoever sees `retry`
//             must not sleep on it; the producer wakes after 2.
// Progress:   push wait-free. pop_some never waits: `retry` also when another thread is taking.
// Checked by: properties/queues/inject_queue_scenarios.cpp, properties/queues/queues_std_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <heddle/scheduler/limits.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

enum class [[nodiscard]] inject_result{item, empty, retry};

/// What the items of an inject queue derive from.
struct InjectLink {
  sync::atomic<InjectLink*> link{nullptr};
};

/// T derives from InjectLink.
template <class T>
class InjectQueue {
 public:
  struct Taken {
    inject_result result;
    std::size_t count;  ///< items taken; 0 unless result is item
  };

  InjectQueue() : newest_(&stub_), oldest_(&stub_) {}
  InjectQueue(const InjectQueue&) = delete;
  InjectQueue& operator=(const InjectQueue&) = delete;

  void push(T& item) { append(item); }

  /// Takes up to out.size() of the oldest items, in their order.
  Taken pop_some(std::span<T*> out) {
    if (seems_empty()) return {inject_result::empty, 0};
    // acquire: the previous consumer's writes to oldest_ come with the flag.
    if (taking_.exchange(true, sync::memory_order_acquire)) return {inject_result::retry, 0};
    std::size_t count = 0;
    inject_result last = inject_result::item;
    while (count < out.size() && last == inject_result::item) {
      InjectLink* item = nullptr;
      last = pop(item);
      if (last == inject_result::item) out[count++] = static_cast<T*>(item);
    }
    taking_.store(false, sync::memory_order_release);
    return {count != 0 ? inject_result::item : last, count};
  }

  /// True when at some moment during the call there was nothing but what a consumer was already
  /// taking. A push that is half done counts as something.
  bool seems_empty() const {
    // newest_ alone is not enough: a consumer may have put the stub behind items that it cannot
    // reach yet, which a half-done push hides. acquire: the oldest_ of that consumer comes with its
    // stub.
    return newest_.load(sync::memory_order_acquire) == &stub_ &&
           oldest_.load(sync::memory_order_relaxed) == &stub_;
  }

 private:
  void append(InjectLink& item) {
    item.link.store(nullptr, sync::memory_order_relaxed);
    // acq_rel: release for the item; acquire so that the link below is ordered after the store of
    // nullptr to the same link by the push that the predecessor came with.
    InjectLink* const before = newest_.exchange(&item, sync::memory_order_acq_rel);
    // release: publishes the item, and what its producer did before, to the load of link in pop().
    before->link.store(&item, sync::memory_order_release);
  }

  /// Takes the oldest item. The caller holds taking_ (I2).
  inject_result pop(InjectLink*& item) {
    // oldest_ is the holder's; relaxed for who looks at it in seems_empty().
    InjectLink* oldest = oldest_.load(sync::memory_order_relaxed);
    // acquire, here and below: the next item, and that its link is not one of an earlier stay.
    InjectLink* next = oldest->link.load(sync::memory_order_acquire);
    if (oldest == &stub_) {
      if (next == nullptr) {
        // relaxed: a push that returned before this call is seen all the same.
        const bool alone = newest_.load(sync::memory_order_relaxed) == &stub_;
        return alone ? inject_result::empty : inject_result::retry;
      }
      oldest_.store(next, sync::memory_order_relaxed);
      oldest = next;
      next = oldest->link.load(sync::memory_order_acquire);
    }
    if (next == nullptr) {
      // The last one. It leaves only with a successor (I3), which is the stub unless somebody has
      // pushed meanwhile.
      if (newest_.load(sync::memory_order_relaxed) != oldest) return inject_result::retry;
      append(stub_);
      // relaxed: whoever linked an item here exchanged newest_ before the stub did, which acquired.
      next = oldest->link.load(sync::memory_order_relaxed);
      if (next == nullptr) return inject_result::retry;
    }
    oldest_.store(next, sync::memory_order_relaxed);
    item = oldest;
    return inject_result::item;
  }

  alignas(separate_lines) sync::atomic<InjectLink*> newest_;
  alignas(separate_lines) sync::atomic<InjectLink*> oldest_;
  sync::atomic<bool> taking_{false};
  InjectLink stub_;
};

}  // namespace heddle::inline HEDDLE_ON
