// Why a read may return an old value, which order at which site would forbid it, and on which
// machines it can happen. A proposal is only made when it has been tried: the trace with the change
// put in is no longer an execution of the memory model.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/report/machines.hpp>
#include <heddle/sim/report/relations.hpp>

namespace heddle::sim::report {

/// A change of the program that forbids the read.
struct Remedy {
  struct Change {
    std::string what;      ///< "release instead of relaxed", "a seq_cst fence"
    std::size_t step = 0;  ///< at this step; a fence comes behind it
    bool is_fence = false;

    friend bool operator==(const Change&, const Change&) = default;
  };
  std::vector<Change> changes;  ///< all of them are needed
};

struct Possibility {
  bool possible = false;
  std::string why;
};

struct StaleRead {
  std::size_t read = 0;     ///< steps
  std::size_t missed = 0;   ///< the newer write that it does not see
  std::string why;          ///< which happens-before edge is missing
  std::vector<Link> chain;  ///< how the newer write reaches the reader without ordering it, if so
  std::vector<Remedy> remedies;   ///< each alone is enough; empty: no order forbids it
  std::vector<Link> cycle;        ///< why no interleaving has it; empty: one has
  std::optional<Possibility> sc;  ///< nothing when the execution is too long to judge
  std::optional<Possibility> tso;
  std::optional<Possibility> weaker;
};

/// In the order of the reads.
std::vector<StaleRead> stale_reads(const Trace& trace, const Relations& relations);

}  // namespace heddle::sim::report
