// What every back end of heddle::sync has to do: one set of bodies, run over each of them. A file
// that includes this has said before, in namespace heddle::properties::conformance,
//
//   void run(void (*body)());                       once, often, or in every execution
//   void expect(bool condition, const char* what);  in any thread of a body
//
// Bodies are small programs that hold in every execution; under the simulator that is what is
// checked, over real threads it is tried many times.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <gtest/gtest.h>

#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/sync.hpp>

#define HEDDLE_CONFORMANCE(name)                     \
  static void name##_body();                         \
  TEST(sync_conformance, name) { run(name##_body); } \
  static void name##_body()

namespace heddle::properties::conformance {

using namespace std::chrono_literals;

// ---- atomics ------------------------------------------------------------------------------------

HEDDLE_CONFORMANCE(an_atomic_integer_calculates) {
  sync::atomic<std::uint32_t> a{5};
  expect(a.load() == 5, "initial value");
  a.store(7, sync::memory_order_relaxed);
  expect(a.exchange(9) == 7, "exchange gives the old value");
  expect(a.fetch_add(3) == 9, "fetch_add");
  expect(a.fetch_sub(2) == 12, "fetch_sub");
  expect(a.fetch_and(0b110) == 10, "fetch_and");
  expect(a.fetch_or(0b1000) == 2, "fetch_or");
  expect(a.fetch_xor(0b0010) == 10, "fetch_xor");
  expect(++a == 9 && a++ == 9 && --a == 9 && a-- == 9, "increments");
  a = 0xffffffff;
  expect(a.fetch_add(1) == 0xffffffff && a == 0, "unsigned arithmetic wraps at its width");
}

HEDDLE_CONFORMANCE(compare_exchange_says_what_it_saw) {
  sync::atomic<int> a{1};
  int expected = 2;
  expect(!a.compare_exchange_strong(expected, 3), "a different value");
  expect(expected == 1, "what was there is reported");
  expect(a.compare_exchange_strong(expected, 3, sync::memory_order_acq_rel,
                                   sync::memory_order_acquire),
         "the same value");
  expect(expected == 1 && a.load() == 3, "and expected stays");
  expected = 3;
  while (!a.compare_exchange_weak(expected, 4, sync::memory_order_release)) continue;
  expect(a.load() == 4, "weak, in a loop");
}

HEDDLE_CONFORMANCE(pointers_bools_and_structs_are_atomic_too) {
  std::array<int, 3> numbers{1, 2, 3};
  sync::atomic<int*> pointer{numbers.data()};
  expect(pointer.fetch_add(2) == numbers.data(), "pointer arithmetic counts objects");
  expect(*pointer.load() == 3, "not bytes");
  sync::atomic<bool> flag{false};
  expect(!flag.exchange(true) && flag.load(), "bool");
  struct alignas(8) pair {  // aligned, so that no compiler calls libatomic
    std::uint32_t left;
    std::uint32_t right;
    bool operator==(const pair&) const = default;
  };
  sync::atomic<pair> both{pair{1, 2}};
  pair seen{1, 2};
  expect(both.compare_exchange_strong(seen, pair{3, 4}), "struct");
  expect(both.load() == pair{3, 4}, "as one value");
}

HEDDLE_CONFORMANCE(additions_of_two_threads_add_up) {
  sync::atomic<int> sum{0};
  sync::thread other([&] {
    sum.fetch_add(1, sync::memory_order_relaxed);
    sum.fetch_add(1, sync::memory_order_relaxed);
  });
  sum.fetch_add(10, sync::memory_order_relaxed);
  other.join();
  expect(sum.load(sync::memory_order_relaxed) == 12, "nothing is lost");
}

HEDDLE_CONFORMANCE(release_and_acquire_carry_plain_data) {
  sync::cell<int> data;
  sync::atomic<bool> ready{false};
  sync::thread writer([&] {
    data.write(42);
    ready.store(true, sync::memory_order_release);
  });
  while (!ready.load(sync::memory_order_acquire)) sync::spin_hint();
  expect(data.read() == 42, "what was written before the release");
  writer.join();
}

// ThreadSanitizer does not follow fences and would call this a race.
#ifndef __SANITIZE_THREAD__
HEDDLE_CONFORMANCE(fences_carry_plain_data) {
  sync::cell<int> data;
  sync::atomic<bool> ready{false};
  sync::thread writer([&] {
    data.write(42);
    sync::atomic_thread_fence(sync::memory_order_release);
    ready.store(true, sync::memory_order_relaxed);
  });
  while (!ready.load(sync::memory_order_relaxed)) sync::spin_hint();
  sync::atomic_thread_fence(sync::memory_order_acquire);
  expect(data.read() == 42, "what was written before the fence");
  writer.join();
}
#endif

HEDDLE_CONFORMANCE(sequentially_consistent_fences_order_store_and_load) {
  sync::atomic<int> x{0};
  sync::atomic<int> y{0};
  sync::cell<int> seen_by_other{-1};
  sync::thread other([&] {
    x.store(1, sync::memory_order_relaxed);
    sync::atomic_thread_fence(sync::memory_order_seq_cst);
    seen_by_other.write(y.load(sync::memory_order_relaxed));
  });
  y.store(1, sync::memory_order_relaxed);
  sync::atomic_thread_fence(sync::memory_order_seq_cst);
  const int seen = x.load(sync::memory_order_relaxed);
  other.join();
  expect(seen == 1 || seen_by_other.read() == 1, "not both have missed the other's store");
}

HEDDLE_CONFORMANCE(atomic_wait_returns_when_the_value_has_changed) {
  sync::atomic<int> value{0};
  sync::thread other([&] {
    value.store(1);
    value.notify_one();
  });
  value.wait(0);
  expect(value.load() == 1, "the new value");
  value.wait(0);
  other.join();
}

// ---- cells --------------------------------------------------------------------------------------

HEDDLE_CONFORMANCE(a_cell_holds_a_value) {
  sync::cell<std::string> text{std::string("one")};
  expect(text.read() == "one", "read");
  text.write("two");
  text.with([](std::string& inside) { inside += " and a half"; });
  expect(std::as_const(text).with([](const std::string& inside) { return inside.size(); }) == 14,
         "with, to write and to read");
  sync::cell<int> later;
  later.write(1);
  expect(later.read() == 1, "first written, then read");
}

// ---- blocking -----------------------------------------------------------------------------------

HEDDLE_CONFORMANCE(a_mutex_excludes) {
  sync::mutex mutex;
  sync::cell<int> count{0};
  const auto add = [&] {
    const std::lock_guard lock(mutex);
    count.write(count.read() + 1);
  };
  sync::thread other(add);
  add();
  other.join();
  expect(count.read() == 2, "both were alone");
}

HEDDLE_CONFORMANCE(try_lock_fails_while_another_holds_the_mutex) {
  sync::mutex mutex;
  std::unique_lock lock(mutex);
  sync::thread other([&] { expect(!mutex.try_lock(), "held"); });
  other.join();
  lock.unlock();
  expect(mutex.try_lock(), "free");
  mutex.unlock();
}

HEDDLE_CONFORMANCE(notify_one_wakes_a_waiter) {
  sync::mutex mutex;
  sync::condition_variable changed;
  sync::cell<bool> ready{false};
  sync::thread other([&] {
    {
      const std::lock_guard lock(mutex);
      ready.write(true);
    }
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready.read(); });
    expect(lock.owns_lock(), "wait returns with the lock");
  }
  other.join();
}

HEDDLE_CONFORMANCE(notify_all_wakes_every_waiter) {
  sync::mutex mutex;
  sync::condition_variable changed;
  sync::cell<bool> ready{false};
  const auto wait = [&] {
    std::unique_lock lock(mutex);
    while (!ready.read()) changed.wait(lock);
  };
  sync::thread first(wait);
  sync::thread second(wait);
  {
    const std::lock_guard lock(mutex);
    ready.write(true);
  }
  changed.notify_all();
  first.join();
  second.join();
}

HEDDLE_CONFORMANCE(timed_waits_end_by_time) {
  sync::mutex mutex;
  sync::condition_variable never;
  std::unique_lock lock(mutex);
  const auto before = sync::clock::now();
  expect(!never.wait_for(lock, 1ms, [] { return false; }), "the predicate stayed false");
  expect(sync::clock::now() - before >= 1ms, "not early");
  while (never.wait_until(lock, before) != sync::cv_status::timeout) continue;
  expect(lock.owns_lock(), "with the lock");
  expect(never.wait_for(lock, 1ms, [] { return true; }), "nothing to wait for");
}

// ---- threads ------------------------------------------------------------------------------------

HEDDLE_CONFORMANCE(a_thread_runs_its_function_with_its_arguments) {
  sync::atomic<int> sum{0};
  sync::thread thread([&](int a, int b) { sum.store(a + b); }, 3, 4);
  expect(thread.joinable(), "before join");
  sync::thread moved(std::move(thread));
  expect(!thread.joinable() && moved.joinable(), "moved");  // NOLINT(bugprone-use-after-move)
  moved.join();
  expect(!moved.joinable(), "after join");
  expect(sum.load() == 7, "it has run");
  expect(sync::thread::hardware_concurrency() >= 1, "at least this one");
}

HEDDLE_CONFORMANCE(threads_have_identities) {
  sync::atomic<bool> go{false};
  sync::cell<sync::thread::id> inside;
  sync::thread other([&] {
    inside.write(sync::this_thread_id());
    while (!go.load()) sync::spin_hint();
  });
  const sync::thread::id outside = other.get_id();
  expect(outside != sync::thread::id(), "a running thread has one");
  expect(outside != sync::this_thread_id(), "of its own");
  go.store(true);
  other.join();
  expect(inside.read() == outside, "the same from inside");
  expect(other.get_id() == sync::thread::id(), "none after join");
}

HEDDLE_CONFORMANCE(a_slot_has_one_object_per_thread) {
  sync::thread_slot<int> slot;
  expect(slot.get() == 0, "value-initialised");
  slot.get() = 1;
  sync::thread other([&] {
    expect(slot.get() == 0, "another thread, another object");
    slot.get() = 2;
    expect(slot.get() == 2, "which stays");
  });
  other.join();
  expect(slot.get() == 1, "untouched");
}

HEDDLE_CONFORMANCE(slots_do_not_mix) {
  sync::thread_slot<int> numbers;
  sync::thread_slot<int> more_numbers;
  numbers.get() = 1;
  more_numbers.get() = 2;
  { const sync::thread_slot<int> short_lived; }
  sync::thread_slot<int> third;
  expect(third.get() == 0, "a new slot has new objects");
  expect(numbers.get() == 1 && more_numbers.get() == 2, "the others keep theirs");
}

/// Counts how many of it live.
struct counted {
  inline static int alive = 0;
  counted() { ++alive; }
  ~counted() { --alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  int value = 0;
};

HEDDLE_CONFORMANCE(the_object_in_a_slot_dies_with_its_thread_or_with_the_slot) {
  counted::alive = 0;
  {
    sync::thread_slot<counted> slot;
    expect(counted::alive == 0, "nothing before the first use");
    sync::thread other([&] { slot.get().value = 1; });
    other.join();
    expect(counted::alive == 0, "gone with its thread");
    slot.get().value = 2;
    expect(counted::alive == 1, "the present thread's");
  }
  expect(counted::alive == 0, "gone with the slot");
}

// ---- the world ----------------------------------------------------------------------------------

HEDDLE_CONFORMANCE(time_goes_forward) {
  static_assert(sync::clock::is_steady);
  const auto before = sync::clock::now();
  sync::sleep_for(1ms);
  const auto after = sync::clock::now();
  expect(after - before >= 1ms, "as long as was slept");
  sync::sleep_until(before);
  expect(sync::clock::now() >= after, "a deadline in the past does not wait, nor turn back");
}

HEDDLE_CONFORMANCE(chance_stays_below_its_bound) {
  sync::random random{0};
  expect(random.below(1) == 0, "one choice");
  expect(random.below(3) < 3, "three choices");
}

HEDDLE_CONFORMANCE(giving_way_changes_nothing) {
  sync::yield();
  HEDDLE_ASSERT(1 + 1 == 2, "true");
}

// ---- the layer itself ---------------------------------------------------------------------------

// Two back ends in one binary must not share a symbol.
HEDDLE_CONFORMANCE(symbols_belong_to_their_back_end) {
  const std::string_view name = typeid(deque<int>).name();
  expect(name.find(HEDDLE_BACK_END) != std::string_view::npos,
         "mangled names tell back ends apart");
}

}  // namespace heddle::properties::conformance
