// The workloads by which runtimes are compared: the same definitions that the peers' programs have.
#pragma once

#include <map>
#include <string>

namespace heddle_bench {

using Figures = std::map<std::string, double>;

struct Workload {
  const char* name;
  const char* what;
  const char* figure;  ///< the key of the result that is compared
  Figures (*run)(unsigned workers, unsigned long count);
  unsigned long count;
};

Figures spawn_join(unsigned workers, unsigned long count);    // W1
Figures yield_many(unsigned workers, unsigned long count);    // W2a
Figures yield_one(unsigned workers, unsigned long count);     // W2b
Figures ping_pong(unsigned workers, unsigned long count);     // W3
Figures ring(unsigned workers, unsigned long count);          // W4
Figures fan_in(unsigned workers, unsigned long count);        // W5a
Figures many_to_many(unsigned workers, unsigned long count);  // W5b
Figures skynet(unsigned workers, unsigned long count);        // W6
Figures parked(unsigned workers, unsigned long count);        // W7
Figures work_spread(unsigned workers, unsigned long count);   // W11

/// Nanoseconds of a steady clock.
long now_ns();

}  // namespace heddle_bench
