// What is known of an exploration in parts: the parts in the order of the depth-first search, each
// with what its runs found and with what is left of it.
//
// The order makes the report independent of who explored what: the failure that is reported is the
// first in it, and counted are the runs up to that failure, just as one process would have done.
#pragma once

#include <cstdint>
#include <list>
#include <string>

#include <heddle/sim/explore/task.hpp>

namespace heddle::sim::engine {

struct Part {
  Tally tally;
  std::string rest;      ///< written task; empty: nothing is left
  bool running = false;  ///< a process has it

  bool done() const noexcept { return rest.empty() && !running; }
};

class Ledger {
 public:
  using Position = std::list<Part>::iterator;

  /// One part, nothing explored.
  static Ledger whole();

  std::list<Part>& parts() noexcept { return parts_; }
  const std::list<Part>& parts() const noexcept { return parts_; }
  /// True when nothing has to be explored any more.
  bool finished(bool stop_at_first_failure) const;
  /// The first part in order with a failure that ends the search, or end().
  Position first_failure();
  /// The first part that has to be explored and that nobody explores, or end().
  Position next(bool stop_at_first_failure);
  /// Joins finished neighbours, so that the list stays short.
  void merge_around(Position part);
  /// All that was found. With stop_at_first_failure what comes after the first failure is left out.
  Tally total(bool stop_at_first_failure) const;
  /// The numbers alone, over all parts.
  Tally counts() const;
  std::uint64_t runs() const;

 private:
  std::list<Part> parts_;
};

void write(ByteWriter& out, const Ledger& ledger);
/// Errors: DamagedBytes.
Ledger read_ledger(ByteReader& in);

}  // namespace heddle::sim::engine
