// heddle_bench_scheduler [WORKLOAD [WORKERS [COUNT]]]: one JSON line per workload and number of
// workers; without arguments, every workload with 2 workers and with 1.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "workloads.hpp"

namespace heddle_bench {

long now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

namespace {

constexpr Workload workloads[] = {
    {"W1", "spawn and join", "ns_per_task", spawn_join, 1'000'000},
    {"W2a", "1,000 processes yield", "ns_per_switch", yield_many, 1'000'000},
    {"W2b", "one process yields", "ns_per_switch", yield_one, 5'000'000},
    {"W3", "ping-pong", "ns_per_msg", ping_pong, 1'000'000},
    {"W4", "ring of 1,000", "ns_per_msg", ring, 1'000'000},
    {"W5a", "fan-in from 100", "ns_per_msg", fan_in, 1'000'000},
    {"W5b", "many to many", "ns_per_msg", many_to_many, 1'000'000},
    {"W6", "skynet", "ns_per_task", skynet, 1'000'000},
    {"W7", "a million parked", "bytes_per_task", parked, 1'000'000},
    {"W11", "spread of work", "ms", work_spread, 1'000'000},
};

void run(const Workload& workload, unsigned workers, unsigned long count) {
  std::printf("{\"w\":\"%s\",\"what\":\"%s\",\"workers\":%u", workload.name, workload.what,
              workers);
  for (const auto& [name, value] : workload.run(workers, count)) {
    std::printf(",\"%s\":%.3f", name.c_str(), value);
  }
  std::printf("}\n");
  std::fflush(stdout);
}

int usage() {
  std::fprintf(stderr, "usage: heddle_bench_scheduler [WORKLOAD [WORKERS [COUNT]]]\n");
  for (const Workload& workload : workloads) {
    std::fprintf(stderr, "  %-4s %s\n", workload.name, workload.what);
  }
  return 2;
}

}  // namespace

}  // namespace heddle_bench

int main(int argc, char** argv) {
  using namespace heddle_bench;
  if (argc < 2) {
    for (const Workload& workload : workloads) {
      for (const unsigned workers : {2U, 1U}) run(workload, workers, workload.count);
    }
    return 0;
  }
  for (const Workload& workload : workloads) {
    if (std::strcmp(workload.name, argv[1]) != 0) continue;
    const unsigned long workers = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2;
    const unsigned long count = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : workload.count;
    if (workers == 0 || workers > 1024 || count == 0) return usage();
    run(workload, static_cast<unsigned>(workers), count);
    return 0;
  }
  return usage();
}
