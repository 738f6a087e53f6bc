// heddle_bench_scheduler                           every workload, beside every peer that was built
// heddle_bench_scheduler --rounds N                the same; medians of N rounds in place of 3
// heddle_bench_scheduler WORKLOAD [WORKERS [COUNT]]  one of them, ours alone, as a line of JSON
// heddle_bench_scheduler --soak [COUNT]            50 million short processes: memory must not grow
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "workloads.hpp"

namespace heddle_bench {

long now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

const std::vector<Workload>& all_workloads() {
  constexpr unsigned long million = 1'000'000;
  constexpr unsigned long fewer = 200'000;
  static const std::vector<Workload> all{
      {"W1", "spawn and join", {"ns_per_task"}, spawn_join, million, million},
      {"W2a", "1,000 processes yield", {"ns_per_switch"}, yield_many, million, million},
      {"W2b", "one process yields", {"ns_per_switch"}, yield_one, 5 * million, 5 * million},
      {"W3", "ping-pong", {"ns_per_msg"}, ping_pong, million, million},
      {"W4", "ring of 1,000", {"ns_per_msg"}, ring, million, million},
      {"W5a", "fan-in from 100", {"ns_per_msg"}, fan_in, million, million},
      {"W5b", "many to many", {"ns_per_msg"}, many_to_many, million, million},
      {"W5s", "the same, 20 sends a step", {"ns_per_msg"}, many_to_many_shared, million, million},
      {"W6", "skynet", {"ns_per_task"}, skynet, million, million},
      {"W7", "parked", {"bytes_per_task", "wake_ns_per_task"}, parked, million, fewer},
      {"W8c",
       "wake to run, at once",
       {"p50_us", "p99_us", "p999_us"},
       latency_closed,
       million,
       fewer},
      {"W8p", "wake to run, paced", {"p50_us", "p99_us", "p999_us"}, latency_paced, million, fewer},
      {"W11", "a million of about 1 us", {"ms"}, work_spread, million, million},
  };
  return all;
}

namespace {

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
  std::fprintf(stderr,
               "usage: heddle_bench_scheduler [--rounds N]\n"
               "       heddle_bench_scheduler WORKLOAD [WORKERS [COUNT]]\n"
               "       heddle_bench_scheduler --soak [COUNT]\n");
  for (const Workload& workload : all_workloads()) {
    std::fprintf(stderr, "  %-4s %s\n", workload.name, workload.what);
  }
  return 2;
}

/// 0 when it is no number.
unsigned long number(const char* text) { return std::strtoul(text, nullptr, 10); }

std::string directory_of(const char* program) {
  const std::string path(program);
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

}  // namespace heddle_bench

int main(int argc, char** argv) {
  using namespace heddle_bench;
  if (argc == 1) return compare(directory_of(argv[0]), 3);
  const std::string first(argv[1]);
  if (first == "--rounds") {
    const unsigned long rounds = argc == 3 ? number(argv[2]) : 0;
    return rounds == 0 ? usage() : compare(directory_of(argv[0]), static_cast<unsigned>(rounds));
  }
  if (first == "--soak") {
    const unsigned long count = argc > 2 ? number(argv[2]) : 50'000'000;
    if (count < 2 || argc > 3) return usage();
    run({"soak", "short processes", {}, soak, count, count}, 2, count);
    return 0;
  }
  for (const Workload& workload : all_workloads()) {
    if (first != workload.name) continue;
    const unsigned long workers = argc > 2 ? number(argv[2]) : 2;
    const unsigned long count = argc > 3 ? number(argv[3]) : workload.count;
    if (workers == 0 || workers > 1024 || count == 0 || argc > 4) return usage();
    run(workload, static_cast<unsigned>(workers), count);
    return 0;
  }
  return usage();
}
