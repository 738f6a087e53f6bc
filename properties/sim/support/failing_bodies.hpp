// Bodies that fail, for tests of what is made of their traces. `Edit` is a change that somebody has
// made to the source since the failure was recorded.
#pragma once

#include <functional>
#include <mutex>

#include <heddle/sim.hpp>

namespace heddle::sim::support {

enum class Edit { none, one_more_access, mended, rewritten, breaks_elsewhere };

// A message whose flag is too weak.
template <Edit edit>
struct channel {
  atomic<int> message{0};
  atomic<int> ready{0};
  atomic<int> statistics{0};

  void send() {
    if constexpr (edit == Edit::one_more_access) {
      for (int i = 0; i < 3; ++i) message.store(-1, std::memory_order_relaxed);
      ready.store(0, std::memory_order_relaxed);
    }
    message.store(42, std::memory_order_relaxed);
    constexpr auto order =
        edit == Edit::mended ? std::memory_order_release : std::memory_order_relaxed;
    ready.store(1, order);
  }
  void receive() {
    if constexpr (edit == Edit::one_more_access) statistics.load(std::memory_order_relaxed);
    if (ready.load(std::memory_order_acquire) != 1) return;
    const int seen = message.load(std::memory_order_relaxed);
    if constexpr (edit == Edit::breaks_elsewhere) {
      check(seen != 42, "the message is not there");
    } else {
      check(seen == 42, "the message is there");
    }
  }
  void other_receive() {
    if (statistics.exchange(1) == 0) check(true);
  }
};

template <Edit edit>
void weak_message() {
  channel<edit> shared;
  thread sender([&] { shared.send(); });
  if constexpr (edit == Edit::rewritten) {
    shared.other_receive();
  } else {
    shared.receive();
  }
  sender.join();
}

// Two threads that add without an atomic addition, after work that does not matter.
template <Edit edit>
struct counter {
  atomic<int> value{0};
  mutex guard;

  void add() {
    if constexpr (edit == Edit::mended) {
      const std::unique_lock lock(guard);
      value.store(value.load() + 1);
    } else {
      const int before = value.load();
      if constexpr (edit == Edit::one_more_access) {
        if (before < 0) value.load();
      }
      value.store(before + 1);
    }
  }
};

template <Edit edit>
void lost_update() {
  counter<edit> shared;
  atomic<int> noise{0};
  thread first([&] {
    noise.fetch_add(1, std::memory_order_relaxed);
    shared.add();
  });
  thread second([&] {
    noise.fetch_add(1, std::memory_order_relaxed);
    shared.add();
  });
  noise.fetch_add(1, std::memory_order_relaxed);
  first.join();
  second.join();
  check(shared.value.load() == 2, "both additions are there");
}

// A wake that comes before its wait, where the flag is looked at outside of the lock.
inline void lost_wakeup() {
  mutex guard;
  condition_variable changed;
  atomic<bool> signalled{false};
  thread sleeper([&] {
    if (signalled.load()) return;
    std::unique_lock lock(guard);
    changed.wait(lock);
  });
  signalled.store(true);
  changed.notify_one();
  sleeper.join();
}

// Each thread misses the other's flag: only an order between store and load forbids it.
inline void store_buffering() {
  atomic<int> x{0};
  atomic<int> y{0};
  int saw_y = 0;
  thread other([&] {
    x.store(1, std::memory_order_release);
    saw_y = y.load(std::memory_order_acquire);
  });
  y.store(1, std::memory_order_release);
  const int saw_x = x.load(std::memory_order_acquire);
  other.join();
  check(saw_x + saw_y != 0, "one of them sees the other");
}

/// The failure that an exhaustive search finds first.
inline Trace first_failure(const std::function<void()>& body, Options options = {}) {
  Report report = explore(options, body);
  if (!report.failure) return {};
  report.failure->trace.scenario = "some_body";
  return std::move(report.failure->trace);
}

}  // namespace heddle::sim::support
