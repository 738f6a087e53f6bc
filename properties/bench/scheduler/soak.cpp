// Short processes without end: what they leave behind in memory must not depend on how many ran.
#include <algorithm>

#include "bench_process.hpp"

namespace heddle_bench {

using namespace heddle;

namespace {

class Short : public BenchProcess {
 public:
  explicit Short(std::atomic<unsigned long>& ended) : ended_(ended) {}
  void step(Events&, StepOutput& output) override { output.done(); }
  void close() override { ended_.fetch_add(1, std::memory_order_release); }

 private:
  std::atomic<unsigned long>& ended_;
};

/// Spawns a wave, sends each of it a message, some of them too late, and waits for its end.
class Waves : public BenchProcess {
 public:
  static constexpr unsigned long wave = 1000;
  Waves(std::atomic<unsigned long>& ended, unsigned long count, Gate& done)
      : ended_(ended), left_(count), done_(done) {}
  void step(Events&, StepOutput& output) override {
    if (ended_.load(std::memory_order_acquire) != begun_) {
      output.again();
      return;
    }
    if (left_ == 0) {
      done_.open();
      output.done();
      return;
    }
    const unsigned long now = std::min(left_, wave);
    for (unsigned long i = 0; i < now; ++i) {
      const Pid pid = must(self().spawn<Short>({}, {}, ended_));
      (void)self().send(pid, {0, i});
    }
    begun_ += now;
    left_ -= now;
    output.again();
  }

 private:
  std::atomic<unsigned long>& ended_;
  unsigned long begun_ = 0;
  unsigned long left_;
  Gate& done_;
};

void run_waves(Running& scheduler, unsigned long count) {
  std::atomic<unsigned long> ended{0};
  Gate done;
  must(scheduler->spawn<Waves>({}, {}, ended, count, done));
  done.wait();
}

}  // namespace

Figures soak(unsigned workers, unsigned long count) {
  Running scheduler(workers);
  const unsigned long first = std::max(count / 50, 1UL);
  run_waves(scheduler, first);
  const double before = resident_bytes();
  const long began = now_ns();
  run_waves(scheduler, count - first);
  const double total = static_cast<double>(now_ns() - began);
  const double after = resident_bytes();
  require(after - before < 4e6, "the soak grew by more than 4 MB");
  return {{"processes", static_cast<double>(count)},
          {"resident_before_mb", before / 1e6},
          {"resident_after_mb", after / 1e6},
          {"ns_per_process", total / static_cast<double>(count - first)}};
}

}  // namespace heddle_bench
