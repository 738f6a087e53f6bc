// What the peers' programs share. Each does the workloads of ../workloads.hpp with its library's
// own means, in the way that its documentation recommends, and knows nothing of heddle.
#pragma once

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

namespace peer {

constexpr int has_no_such_workload = 3;

inline long now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Prints the line and ends the program: pools with a million parked tasks take long to end, and
/// some cannot.
[[noreturn]] inline void report(std::initializer_list<std::pair<const char*, double>> figures) {
  const char* separator = "{";
  for (const auto& [name, value] : figures) {
    std::printf("%s\"%s\":%.3f", separator, name, value);
    separator = ",";
  }
  std::printf("}\n");
  std::fflush(stdout);
  _exit(0);
}

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "benchmark: %s\n", what);
  std::abort();
}

inline double resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  unsigned long size = 0;
  unsigned long resident = 0;
  require(file != nullptr && std::fscanf(file, "%lu %lu", &size, &resident) == 2,
          "cannot read /proc/self/statm");
  std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// About a microsecond.
inline void work() {
  std::uint64_t x = 88172645463325252U;
  for (int i = 0; i < 700; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    asm volatile("" : "+r"(x));
  }
}

class Lcg {
 public:
  explicit Lcg(unsigned long seed) : state_(seed) {}
  unsigned long next() {
    state_ = state_ * 6364136223846793005UL + 1442695040888963407UL;
    return state_ >> 33;
  }

 private:
  unsigned long state_;
};

/// For a thread outside of the pool.
class Countdown {
 public:
  explicit Countdown(unsigned long count) : left_(count) {}
  void one() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    done_.store(true, std::memory_order_release);
    done_.notify_all();
  }
  void wait() { done_.wait(false, std::memory_order_acquire); }

 private:
  std::atomic<unsigned long> left_;
  std::atomic<bool> done_{false};
};

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// W8, from a thread outside of the pool: calls wake(now) again and again, closed or at 20,000 a
/// second, waits for `woken` to count each, and reports `latencies`, which the tasks fill.
template <class Wake>
[[noreturn]] void report_latencies(std::vector<long>& latencies, bool paced,
                                   const std::atomic<unsigned long>& woken, Wake wake) {
  constexpr unsigned long wakes = 40'000;
  long next = now_ns();
  for (unsigned long i = 0; i < wakes; ++i) {
    wake(now_ns());
    if (paced) {
      next += 50'000;
      if (next > now_ns()) {
        const timespec when{next / 1'000'000'000, next % 1'000'000'000};
        (void)::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr);
      } else {
        next = now_ns();
      }
    }
    while (woken.load(std::memory_order_acquire) != i + 1) pause();
  }
  std::sort(latencies.begin(), latencies.end());
  const auto at = [&](double share) {
    const auto index = static_cast<std::size_t>(share * static_cast<double>(latencies.size()));
    return static_cast<double>(latencies[std::min(index, latencies.size() - 1)]) / 1e3;
  };
  report({{"p50_us", at(0.5)}, {"p99_us", at(0.99)}, {"p999_us", at(0.999)}});
}

struct Arguments {
  const char* workload;
  unsigned workers;
  unsigned long count;
  bool is(const char* name) const { return std::strcmp(workload, name) == 0; }
};
inline Arguments arguments(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s WORKLOAD WORKERS COUNT\n", argv[0]);
    std::exit(2);
  }
  return {argv[1], static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)),
          std::strtoul(argv[3], nullptr, 10)};
}

}  // namespace peer
