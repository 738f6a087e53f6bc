// W7: a million parked processes; what they cost, and how long it takes to wake them all.
#include <thread>
#include <vector>

#include "bench_process.hpp"

namespace heddle_bench {

using namespace heddle;

namespace {

class Parked : public BenchProcess {
 public:
  explicit Parked(std::atomic<unsigned long>& ran) : ran_(ran) {}
  void step(Events& events, StepOutput& output) override {
    if (events.empty()) return;
    ran_.fetch_add(1, std::memory_order_acq_rel);
    output.done();
  }

 private:
  std::atomic<unsigned long>& ran_;
};

}  // namespace

Figures parked(unsigned workers, unsigned long count) {
  std::atomic<unsigned long> ran{0};
  Running scheduler(workers);
  std::vector<Pid> pids(count);
  for (Pid& pid : pids) pid = {1, 1};  // touches the pages before they are counted
  const double before = resident_bytes();
  const long began = now_ns();
  for (Pid& pid : pids) pid = must(scheduler->spawn<Parked>({}, {}, ran));
  while (scheduler->statistics().steps < count) std::this_thread::yield();
  const double spawn_total = static_cast<double>(now_ns() - began);
  sync::sleep_for(std::chrono::milliseconds(300));
  const double bytes = resident_bytes() - before;

  const long woken = now_ns();
  for (const Pid pid : pids) (void)scheduler->send(pid, {0, 0});
  while (ran.load(std::memory_order_acquire) < count) std::this_thread::yield();
  const double wake_total = static_cast<double>(now_ns() - woken);
  const double n = static_cast<double>(count);
  return {{"bytes_per_task", bytes / n},
          {"spawn_park_ns", spawn_total / n},
          {"wake_ns_per_task", wake_total / n}};
}

}  // namespace heddle_bench
