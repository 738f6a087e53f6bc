// What the deque's operations cost, beside a plain Chase-Lev deque in the same run. Each figure is
// the median of rounds in which the two take turns, so that both meet the same noise.
//
// Rows: push+pop           one item in, the same one out
//       batches            1,000 in, 1,000 out; per pair
//       push+steal         one thread, 1,000 items stay; the thief's side without a race
//       push+steal_half    the same by batches of up to 32, per item; ours alone has it
//       owner + thief      one thread pushes and pops every second time, one steals; per item
//       owner + batches    the same with steal_half; compared with the plain deque's single steals
//
// usage: heddle_bench_deque [ROUNDS]
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <heddle/scheduler/queues/deque.hpp>

#include "textbook_chase_lev.hpp"

namespace {

using item = std::uint64_t;
using ours = heddle::deque<item>;
using plain = heddle::bench::textbook_chase_lev<item>;
using stopwatch = std::chrono::steady_clock;

bool pop(ours& d, item& out) { return d.pop(out) == heddle::pop_result::item; }
bool pop(plain& d, item& out) { return d.pop(out); }
bool steal(ours& d, item& out) { return d.steal(out) == heddle::steal_result::item; }
bool steal(plain& d, item& out) { return d.steal(out); }
std::size_t steal_batch(ours& d, std::span<item> out) { return d.steal_half(out).count; }

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "heddle_bench_deque: %s\n", what);
  std::exit(1);
}

template <class F>
double nanoseconds_per(std::uint64_t operations, F&& run) {
  const auto start = stopwatch::now();
  run();
  const std::chrono::duration<double, std::nano> spent = stopwatch::now() - start;
  return spent.count() / static_cast<double>(operations);
}

template <class D>
double push_pop() {
  constexpr std::uint64_t count = 2'000'000;
  const auto d = std::make_unique<D>();
  item sum = 0;
  const double cost = nanoseconds_per(count, [&] {
    for (item i = 0; i < count; ++i) {
      d->push(i);
      item out = 0;
      if (pop(*d, out)) sum += out;
    }
  });
  require(sum == count * (count - 1) / 2, "push+pop lost an item");
  return cost;
}

template <class D>
double batches() {
  constexpr std::uint64_t rounds = 2'000;
  const auto d = std::make_unique<D>();
  item sum = 0;
  const double cost = nanoseconds_per(rounds * 1'000, [&] {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      for (item i = 0; i < 1'000; ++i) d->push(i);
      item out = 0;
      for (item i = 0; i < 1'000; ++i) {
        if (pop(*d, out)) sum += out;
      }
    }
  });
  require(sum == rounds * 499'500, "batches lost an item");
  return cost;
}

template <class D>
double push_steal() {
  constexpr std::uint64_t count = 2'000'000;
  const auto d = std::make_unique<D>();
  for (item i = 0; i < 1'000; ++i) d->push(i);
  item taken = 0;
  const double cost = nanoseconds_per(count, [&] {
    for (item i = 0; i < count; ++i) {
      d->push(i);
      item out = 0;
      taken += steal(*d, out) ? 1 : 0;
    }
  });
  require(taken == count, "push+steal lost an item");
  return cost;
}

double push_steal_half() {
  constexpr std::uint64_t rounds = 60'000;
  const auto d = std::make_unique<ours>();
  for (item i = 0; i < 1'000; ++i) d->push(i);
  std::array<item, 32> buffer{};
  std::uint64_t taken = 0;
  const double cost = nanoseconds_per(rounds * 32, [&] {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      for (item i = 0; i < 32; ++i) d->push(i);
      taken += steal_batch(*d, buffer);
    }
  });
  require(taken == rounds * 32, "push+steal_half lost an item");
  return cost;
}

// Returns how many items one call of `thief` took; 0 when it found none.
template <class D, class Thief>
double owner_and_thief(Thief thief) {
  constexpr std::uint64_t count = 2'000'000;
  const auto d = std::make_unique<D>();
  std::atomic<bool> started{false};
  std::atomic<bool> stop{false};
  std::uint64_t stolen = 0;
  std::thread other([&] {
    started = true;
    for (;;) {
      const bool last_look = stop.load();
      const std::size_t got = thief(*d);
      stolen += got;
      if (last_look && got == 0) return;
    }
  });
  while (!started) std::this_thread::yield();
  std::uint64_t popped = 0;
  const double cost = nanoseconds_per(count, [&] {
    item out = 0;
    for (item i = 0; i < count; ++i) {
      d->push(i);
      if (i % 2 == 1) popped += pop(*d, out) ? 1 : 0;
    }
    while (pop(*d, out)) ++popped;
    stop = true;
    other.join();
  });
  require(popped + stolen == count, "owner and thief lost an item or had one twice");
  return cost;
}

template <class D>
double owner_and_single_thief() {
  return owner_and_thief<D>([](D& d) -> std::size_t {
    item out = 0;
    return steal(d, out) ? 1 : 0;
  });
}

double owner_and_batch_thief() {
  std::array<item, 32> buffer{};
  return owner_and_thief<ours>([&buffer](ours& d) { return steal_batch(d, buffer); });
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct row {
  const char* name;
  std::function<double()> ours;
  std::function<double()> plain;  // empty: it has no such operation
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  require(rounds >= 1, "ROUNDS must be at least 1");
  // glibc's allocator and locks are faster in a program that never had a second thread.
  std::thread([] {}).join();
  const std::vector<row> rows{
      {"push+pop", push_pop<ours>, push_pop<plain>},
      {"batches of 1,000, per pair", batches<ours>, batches<plain>},
      {"push+steal, one thread", push_steal<ours>, push_steal<plain>},
      {"push+steal_half, per item", push_steal_half, {}},
      {"owner + one thief, per item", owner_and_single_thief<ours>, owner_and_single_thief<plain>},
      {"owner + batch thief, per item", owner_and_batch_thief, owner_and_single_thief<plain>},
  };
  std::printf("%-32s %10s %14s %8s   (median ns of %d rounds)\n", "deque", "heddle",
              "plain Chase-Lev", "ratio", rounds);
  for (const row& each : rows) {
    std::vector<double> of_ours;
    std::vector<double> of_plain;
    for (int round = 0; round < rounds; ++round) {
      of_ours.push_back(each.ours());
      if (each.plain) of_plain.push_back(each.plain());
    }
    const double here = median(std::move(of_ours));
    if (of_plain.empty()) {
      std::printf("%-32s %10.2f %14s %8s\n", each.name, here, "-", "-");
    } else {
      const double there = median(std::move(of_plain));
      std::printf("%-32s %10.2f %14.2f %8.2f\n", each.name, here, there, here / there);
    }
    std::fflush(stdout);
  }
  return 0;
}
