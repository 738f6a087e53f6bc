// What the workloads share: a process without ceremony, and a flag to wait for.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <heddle/scheduler.hpp>

#include "workloads.hpp"

namespace heddle_bench {

/// A process that keeps its context and knows one method.
class BenchProcess : public heddle::Process {
 public:
  heddle::Error init(heddle::Context context, std::string_view, heddle::Payload) override {
    context_ = context;
    return {};
  }

 protected:
  const heddle::Context& self() const { return *context_; }

 private:
  std::optional<heddle::Context> context_;
};

class Gate {
 public:
  void open() {
    open_.store(true, std::memory_order_release);
    open_.notify_all();
  }
  void wait() { open_.wait(false, std::memory_order_acquire); }

 private:
  std::atomic<bool> open_{false};
};

/// A number that must never be out of date: a bench that miscounts is worthless.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "benchmark: %s\n", what);
  std::abort();
}

template <class T>
T must(heddle::Result<T> result) {
  if (!result) require(false, result.error().message().c_str());
  return std::move(*result);
}

/// A started scheduler with so many workers.
class Running {
 public:
  explicit Running(unsigned workers) : scheduler_(options(workers)) {
    const heddle::Error error = scheduler_.start();
    require(!error, error.message().c_str());
  }
  heddle::Scheduler* operator->() { return &scheduler_; }

 private:
  static heddle::Options options(unsigned workers) {
    heddle::Options chosen;
    chosen.workers = workers;
    chosen.shutdown_deadline = std::chrono::nanoseconds(0);
    return chosen;
  }
  heddle::Scheduler scheduler_;
};

inline double resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  require(file != nullptr, "cannot read /proc/self/statm");
  unsigned long size = 0;
  unsigned long resident = 0;
  require(std::fscanf(file, "%lu %lu", &size, &resident) == 2, "/proc/self/statm is odd");
  std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The generator of the peers' programs.
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

}  // namespace heddle_bench
