// The workloads by which runtimes are compared: the same definitions that the peers' programs have.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle_bench {

using Figures = std::map<std::string, double>;

struct Workload {
  const char* name;
  const char* what;
  std::vector<const char*> figures;  ///< the keys of the results that are compared
  Figures (*run)(unsigned workers, unsigned long count);
  unsigned long count;
  unsigned long compared_count;  ///< with peers, some of which need kilobytes for a parked task
};
const std::vector<Workload>& all_workloads();

Figures spawn_join(unsigned workers, unsigned long count);    // W1
Figures yield_many(unsigned workers, unsigned long count);    // W2a
Figures yield_one(unsigned workers, unsigned long count);     // W2b
Figures ping_pong(unsigned workers, unsigned long count);     // W3
Figures ring(unsigned workers, unsigned long count);          // W4
Figures fan_in(unsigned workers, unsigned long count);        // W5a
Figures many_to_many(unsigned workers, unsigned long count);  // W5b
// The same, but a process sends 20 messages in a step and then lets others run.
Figures many_to_many_shared(unsigned workers, unsigned long count);
Figures skynet(unsigned workers, unsigned long count);          // W6
Figures parked(unsigned workers, unsigned long count);          // W7
Figures latency_closed(unsigned workers, unsigned long count);  // W8c
Figures latency_paced(unsigned workers, unsigned long count);   // W8p
Figures work_spread(unsigned workers, unsigned long count);     // W11
Figures soak(unsigned workers, unsigned long count);

/// Runs every workload here and in every peer's program that lies beside this one, in turns, and
/// prints medians and ratios. Returns the exit code.
int compare(const std::string& directory, unsigned rounds);

/// Nanoseconds of a steady clock.
long now_ns();

}  // namespace heddle_bench
