// W8: from the wake call of an outside thread to the body running, with many parked processes.
#include <time.h>

#include <algorithm>
#include <vector>

#include "bench_process.hpp"

namespace heddle_bench {

using namespace heddle;

namespace {

constexpr unsigned long wakes = 40'000;
constexpr long pace_ns = 50'000;  // 20,000 a second

/// One wake is under way at a time: the vector belongs to who runs, and then to who waits.
struct Latencies {
  std::vector<long> taken;
  std::atomic<unsigned long> count{0};
};

class Sleeper : public BenchProcess {
 public:
  explicit Sleeper(Latencies& latencies) : latencies_(latencies) {}
  void step(Events& events, StepOutput&) override {
    for (Event& event : events) {
      if (event.is_cancel()) continue;
      latencies_.taken.push_back(now_ns() - *event.payload().get<long>());
      latencies_.count.fetch_add(1, std::memory_order_release);
    }
  }

 private:
  Latencies& latencies_;
};

double percentile_us(std::vector<long>& sorted, double share) {
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return static_cast<double>(sorted[std::min(at, sorted.size() - 1)]) / 1e3;
}

void sleep_until_ns(long at) {
  const timespec when{at / 1'000'000'000, at % 1'000'000'000};
  (void)::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr);
}

Figures latency(unsigned workers, unsigned long count, bool paced) {
  Latencies latencies;
  latencies.taken.reserve(wakes);
  Running scheduler(workers);
  std::vector<Pid> pids;
  pids.reserve(count);
  for (unsigned long i = 0; i < count; ++i) {
    pids.push_back(must(scheduler->spawn<Sleeper>({}, {}, latencies)));
  }
  sync::sleep_for(std::chrono::milliseconds(300));
  Lcg random(42);
  long next = now_ns();
  for (unsigned long i = 0; i < wakes; ++i) {
    (void)scheduler->send(pids[random.next() % count], {0, now_ns()});
    if (paced) {
      next += pace_ns;
      if (next > now_ns())
        sleep_until_ns(next);
      else
        next = now_ns();
    }
    while (latencies.count.load(std::memory_order_acquire) != i + 1) sync::spin_hint();
  }
  std::sort(latencies.taken.begin(), latencies.taken.end());
  return {{"p50_us", percentile_us(latencies.taken, 0.5)},
          {"p99_us", percentile_us(latencies.taken, 0.99)},
          {"p999_us", percentile_us(latencies.taken, 0.999)}};
}

}  // namespace

Figures latency_closed(unsigned workers, unsigned long count) {
  return latency(workers, count, false);
}
Figures latency_paced(unsigned workers, unsigned long count) {
  return latency(workers, count, true);
}

}  // namespace heddle_bench
