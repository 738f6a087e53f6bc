// The same deque programs under Relacy, in the same run: its random scheduler per execution, and
// its full search where that comes to an end within the time given.
//
// usage: heddle_bench_explorer_relacy [SECONDS]: about as long a full search may take

#include <relacy/relacy.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <ostream>
#include <streambuf>

namespace {

std::uint64_t iterations = 0;

// Chase and Lev's deque with the orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013).
class Deque {
 public:
  void clear() {
    top_(RL_INFO).store(0, rl::mo_relaxed);
    bottom_(RL_INFO).store(0, rl::mo_relaxed);
  }
  void push(int item) {
    const int bottom = bottom_(RL_INFO).load(rl::mo_relaxed);
    top_(RL_INFO).load(rl::mo_acquire);
    ring_[bottom % size](RL_INFO).store(item, rl::mo_relaxed);
    rl::atomic_thread_fence(rl::mo_release, RL_INFO);
    bottom_(RL_INFO).store(bottom + 1, rl::mo_relaxed);
  }
  int pop() {
    const int bottom = bottom_(RL_INFO).load(rl::mo_relaxed) - 1;
    bottom_(RL_INFO).store(bottom, rl::mo_relaxed);
    rl::atomic_thread_fence(rl::mo_seq_cst, RL_INFO);
    int top = top_(RL_INFO).load(rl::mo_relaxed);
    if (top > bottom) {
      bottom_(RL_INFO).store(bottom + 1, rl::mo_relaxed);
      return none;
    }
    int item = ring_[bottom % size](RL_INFO).load(rl::mo_relaxed);
    if (top == bottom) {
      if (!top_(RL_INFO).compare_exchange_strong(top, top + 1, rl::mo_seq_cst, rl::mo_relaxed)) {
        item = none;
      }
      bottom_(RL_INFO).store(bottom + 1, rl::mo_relaxed);
    }
    return item;
  }
  int steal() {
    int top = top_(RL_INFO).load(rl::mo_acquire);
    rl::atomic_thread_fence(rl::mo_seq_cst, RL_INFO);
    const int bottom = bottom_(RL_INFO).load(rl::mo_acquire);
    if (top >= bottom) return none;
    const int item = ring_[top % size](RL_INFO).load(rl::mo_relaxed);
    if (!top_(RL_INFO).compare_exchange_strong(top, top + 1, rl::mo_seq_cst, rl::mo_relaxed))
      return none;
    return item;
  }
  static constexpr int none = 0;

 private:
  static constexpr int size = 8;
  rl::atomic<int> top_, bottom_, ring_[size];
};

template <int thieves>
struct Scenario : rl::test_suite<Scenario<thieves>, thieves + 1> {
  Deque deque;
  int delivered[4] = {};

  Scenario() { ++iterations; }
  void before() { deque.clear(); }
  void deliver(int item) {
    if (item != Deque::none) RL_ASSERT(++delivered[item] == 1);
  }
  void thread(unsigned index) {
    if (index > 0) return deliver(deque.steal());
    for (int item = 1; item <= 3; ++item) deque.push(item);
    for (int i = 0; i < 2; ++i) deliver(deque.pop());
  }
};

struct Silence : std::streambuf {
  int overflow(int character) override { return character; }
};

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

template <int thieves>
void random(std::uint64_t count) {
  Silence silence;
  std::ostream nowhere(&silence);
  rl::test_params params;
  params.output_stream = &nowhere;
  params.progress_stream = &nowhere;
  params.search_type = rl::sched_random;
  params.iteration_count = count;
  iterations = 0;
  const std::clock_t start = std::clock();
  const bool passed = rl::simulate<Scenario<thieves>>(params);
  std::printf("relacy random, chase-lev, %d thieves: %llu iterations, %.0f per cpu s%s\n", thieves,
              static_cast<unsigned long long>(iterations),
              static_cast<double>(iterations) / seconds_since(start), passed ? "" : ", FAILED");
}

template <int thieves>
void full(double seconds) {
  Silence silence;
  std::ostream nowhere(&silence);
  rl::test_params params;
  params.output_stream = &nowhere;
  params.progress_stream = &nowhere;
  params.search_type = rl::sched_full;
  iterations = 0;
  const std::clock_t start = std::clock();
  const auto limit = static_cast<std::uint64_t>(seconds * 400'000);
  params.iteration_count = limit;
  const bool passed = rl::simulate<Scenario<thieves>>(params);
  std::printf("relacy full,   chase-lev, %d thieves: %s after %llu iterations, %.1f cpu s%s\n",
              thieves, iterations < limit ? "complete" : "not complete",
              static_cast<unsigned long long>(iterations), seconds_since(start),
              passed ? "" : ", FAILED");
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  random<1>(500'000);
  random<2>(500'000);
  full<1>(seconds);
  full<2>(seconds);
}
