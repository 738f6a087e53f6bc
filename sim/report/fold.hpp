// Loops folded: a thread that does the same steps again and again (it waits for something by
// looking at it) is shown once round, with the number of rounds.
#pragma once

#include <cstddef>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::report {

/// One row of a view: a step, or the rounds of a loop after its first.
struct Row {
  std::size_t step = 0;    ///< the step, or the first hidden one
  std::size_t rounds = 0;  ///< hidden rounds; 0: this is a step
  std::size_t first = 0;   ///< loop: first and last step of the round that is shown
  std::size_t last = 0;
  std::size_t end = 0;  ///< loop: the last hidden step

  friend bool operator==(const Row&, const Row&) = default;
};

/// The rows in time order. Hidden are only steps that equal those of the shown round in everything,
/// that no other step reads from, and at least two rounds at once.
std::vector<Row> fold_loops(const Trace& trace);

/// A row for each step.
std::vector<Row> all_steps(const Trace& trace);

}  // namespace heddle::sim::report
