// oneTBB: fork and join only, so W1, W6 and W11.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <array>

#include "peer.hpp"

namespace {

long skynet(long number, long size) {
  if (size == 1) return number;
  const long share = size / 10;
  std::array<long, 10> sums{};
  tbb::task_group children;
  for (long i = 0; i < 10; ++i) {
    children.run([&sums, number, share, i] {
      sums[static_cast<std::size_t>(i)] = skynet(number + i * share, share);
    });
  }
  children.wait();
  long sum = 0;
  for (const long each : sums) sum += each;
  return sum;
}

template <class Body>
long run_all(unsigned long count, Body body) {
  const long began = peer::now_ns();
  tbb::task_group tasks;
  for (unsigned long i = 0; i < count; ++i) tasks.run(body);
  tasks.wait();
  return peer::now_ns() - began;
}

}  // namespace

int main(int argc, char** argv) {
  const peer::Arguments given = peer::arguments(argc, argv);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, given.workers);
  tbb::task_arena arena(static_cast<int>(given.workers));
  (void)arena.execute([] { return run_all(1000, [] { peer::work(); }); });  // threads are created
  const double n = static_cast<double>(given.count);
  if (given.is("W1")) {
    const long spent = arena.execute([&] { return run_all(given.count, [] {}); });
    peer::report({{"ns_per_task", static_cast<double>(spent) / n}});
  }
  if (given.is("W6")) {
    const long size = static_cast<long>(given.count);
    const long began = peer::now_ns();
    const long sum = arena.execute([size] { return skynet(0, size); });
    const long spent = peer::now_ns() - began;
    peer::require(sum == size * (size - 1) / 2, "skynet: a wrong sum");
    peer::report({{"ns_per_task", static_cast<double>(spent) / (n * 1.111111)}});
  }
  if (given.is("W11")) {
    const long spent = arena.execute([&] { return run_all(given.count, [] { peer::work(); }); });
    peer::report({{"ms", static_cast<double>(spent) / 1e6}});
  }
  return peer::has_no_such_workload;
}
