// The programs whose number of executions is known, from closed forms or from independent tools.
// Bodies for sim::explore(), shared by the tests that hold the numbers and by the benchmarks that
// measure the speed. Each says which number it is known by.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <vector>

#include <heddle/sim.hpp>

namespace heddle::litmus::anchors {

using Body = std::function<void()>;
using Integers = std::deque<sim::atomic<int>>;

inline constexpr std::memory_order relaxed = std::memory_order_relaxed;
inline constexpr std::memory_order acquire = std::memory_order_acquire;
inline constexpr std::memory_order release = std::memory_order_release;
inline constexpr std::memory_order seq_cst = std::memory_order_seq_cst;

inline void make(Integers& integers, int n) {
  for (int i = 0; i < n; ++i) integers.emplace_back(0);
}
inline sim::atomic<int>& at(Integers& integers, int i) {
  return integers[static_cast<std::size_t>(i)];
}

/// Threads 0..n-1, each doing f(its number).
class Crew {
 public:
  template <class F>
  void add(int n, F f) {
    for (int i = 0; i < n; ++i) threads_.emplace_back([f, i] { f(i); });
  }
  ~Crew() {
    for (sim::thread& thread : threads_) thread.join();
  }
  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

 private:
  std::deque<sim::thread> threads_;
};

// ---- Rings of n threads over n locations. ----

/// Store mine, load my neighbour's: 2^n executions under rc11, 2^n - 1 under sc.
inline Body store_buffering(int n, std::memory_order order = relaxed, bool fence = false) {
  return [=] {
    Integers x;
    make(x, n);
    Crew crew;
    crew.add(n, [&, n](int i) {
      at(x, i).store(1, order);
      if (fence) sim::atomic_thread_fence(seq_cst);
      at(x, (i + 1) % n).load(order);
    });
  };
}

/// Load mine, store my neighbour's: 2^n - 1, as no model here buffers loads.
inline Body load_buffering(int n) {
  return [=] {
    Integers x;
    make(x, n);
    Crew crew;
    crew.add(n, [&, n](int i) {
      at(x, i).load(relaxed);
      at(x, (i + 1) % n).store(1, relaxed);
    });
  };
}

/// Store mine, store my neighbour's: 2^n under rc11, 2^n - 1 under sc.
inline Body write_ring(int n) {
  return [=] {
    Integers x;
    make(x, n);
    Crew crew;
    crew.add(n, [&, n](int i) {
      at(x, i).store(1, relaxed);
      at(x, (i + 1) % n).store(2, relaxed);
    });
  };
}

// ---- Writers and readers. ----

/// A writer of n data and a flag, n readers of the flag and of one datum: 3^n.
inline Body message_passing(int n) {
  return [=] {
    Integers data;
    make(data, n);
    sim::atomic<int> flag{0};
    Crew crew;
    crew.add(1, [&, n](int) {
      for (int i = 0; i < n; ++i) at(data, i).store(1, relaxed);
      flag.store(1, release);
    });
    crew.add(n, [&](int i) {
      flag.load(acquire);
      at(data, i).load(relaxed);
    });
  };
}

/// Two writers, n readers of both in alternating order: 4^n under rc11.
inline Body independent_reads(int n) {
  return [=] {
    sim::atomic<int> x{0};
    sim::atomic<int> y{0};
    Crew crew;
    crew.add(1, [&](int) { x.store(1, release); });
    crew.add(1, [&](int) { y.store(1, release); });
    crew.add(n, [&](int i) {
      const bool x_first = i % 2 == 1;
      (x_first ? x : y).load(acquire);
      (x_first ? y : x).load(acquire);
    });
  };
}

/// n writers of one location, two readers that read twice: n! * C(n+2,2)^2.
inline Body coherence(int n) {
  return [=] {
    sim::atomic<int> x{0};
    Crew crew;
    crew.add(n, [&](int i) { x.store(i + 1, relaxed); });
    crew.add(2, [&](int) {
      x.load(relaxed);
      x.load(relaxed);
    });
  };
}

/// One writer, n readers: 2^n.
inline Body readers(int n) {
  return [=] {
    sim::atomic<int> x{0};
    Crew crew;
    crew.add(1, [&](int) { x.store(42, release); });
    crew.add(n, [&](int) { x.load(acquire); });
  };
}

/// n writers of one location: n!.
inline Body writers(int n) {
  return [=] {
    sim::atomic<int> x{0};
    Crew crew;
    crew.add(n, [&](int i) { x.store(i + 1, relaxed); });
  };
}

/// n writers of n locations: 1.
inline Body independent_writers(int n) {
  return [=] {
    Integers x;
    make(x, n);
    Crew crew;
    crew.add(n, [&](int i) { at(x, i).store(1, relaxed); });
  };
}

/// Thread i computes a[i+1] = a[i] + 1; one thread looks for the last zero: (n+3) * 2^(n-2). With
/// relaxed accesses there are more under rc11.
inline Body last_zero(int n) {
  return [=] {
    Integers a;
    make(a, n + 1);
    Crew crew;
    crew.add(1, [&, n](int) {
      int i = n;
      while (at(a, i).load(acquire) != 0) --i;
    });
    crew.add(n, [&](int i) { at(a, i + 1).store(at(a, i).load(acquire) + 1, release); });
  };
}

/// n threads put four numbers each into a hash table of 128; up to 11 threads never collide.
inline Body indexer(int n) {
  return [=] {
    constexpr int size = 128;
    Integers table;
    make(table, size);
    Crew crew;
    crew.add(n, [&](int i) {
      for (int m = 1; m <= 4; ++m) {
        const int number = 11 * m + i;
        for (int place = 7 * number % size;; place = (place + 1) % size) {
          int expected = 0;
          if (at(table, place).compare_exchange_strong(expected, number, relaxed)) break;
        }
      }
    });
  };
}

/// Two threads, n times each: x = x + y and y = y + x; a third looks at both meanwhile.
inline Body fibonacci(int n, std::memory_order load_order, std::memory_order store_order) {
  return [=] {
    sim::atomic<int> x{1};
    sim::atomic<int> y{1};
    const auto add = [=](sim::atomic<int>& to, sim::atomic<int>& from) {
      for (int k = 0; k < n; ++k) {
        const int old = to.load(load_order);
        to.store(old + from.load(load_order), store_order);
      }
    };
    Crew crew;
    crew.add(1, [&](int) { add(x, y); });
    crew.add(1, [&](int) { add(y, x); });
    crew.add(1, [&](int) {
      x.load(load_order);
      y.load(load_order);
    });
  };
}

// ---- Read-modify-writes. ----

/// n threads, k additions each: (nk)! / (k!)^n.
inline Body additions(int n, int k) {
  return [=] {
    sim::atomic<int> x{0};
    Crew crew;
    crew.add(n, [&, k](int) {
      for (int j = 0; j < k; ++j) x.fetch_add(1, relaxed);
    });
  };
}

/// n threads that lock, increment and unlock k times: (nk)! / (k!)^n, and none blocked.
inline Body locked_increments(int n, int k) {
  return [=] {
    sim::mutex mutex;
    sim::cell<int> counter{0};
    {
      Crew crew;
      crew.add(n, [&, k](int) {
        for (int j = 0; j < k; ++j) {
          mutex.lock();
          counter.write(counter.read() + 1);
          mutex.unlock();
        }
      });
    }
    sim::check(counter.read() == n * k, "an increment is lost");
  };
}

/// Thread i replaces i by i + 1.
inline Body exchange_chain(int n) {
  return [=] {
    sim::atomic<int> x{0};
    Crew crew;
    crew.add(n, [&](int i) {
      int expected = i;
      x.compare_exchange_strong(expected, i + 1, relaxed);
    });
  };
}

/// n threads: replace 0 by 1, then store.
inline Body exchange_and_store(int n) {
  return [=] {
    sim::atomic<int> x{0};
    Crew crew;
    crew.add(n, [&](int i) {
      int expected = 0;
      x.compare_exchange_strong(expected, 1, relaxed);
      x.store(i + 3, release);
    });
  };
}

}  // namespace heddle::litmus::anchors
