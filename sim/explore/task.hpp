// A part of an exploration as data: the graphs that still have alternatives, with these; and what
// was found so far. A task can go to another process, wait in a checkpoint, and be cut in two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/sim/explore/report.hpp>
#include <heddle/sim/explore/structure.hpp>

namespace heddle::sim::engine {

/// One alternative that has not been explored.
struct Item {
  enum class Kind : std::uint8_t {
    source,
    place,
    choice,
    backward,
    backward_unchecked  ///< from a graph that was made for its revisits and never checked
  } kind{};
  graph::event_id event = 0;  ///< the read, the write, the choice, or the revisiting write
  std::uint32_t length = 0;   ///< events of the graph when the item was made
  std::uint32_t detail = 0;   ///< source id, position, choice, or the revisited read
  double weight = 0;          ///< share of the whole tree of executions
};

/// What is left to explore, in the order of the depth-first search from back to front: the last
/// item of the last frame comes next.
struct Task {
  struct Frame {
    GraphStructure graph;
    std::vector<Item> items;
  };
  Names names;
  std::vector<Frame> frames;
  bool whole = false;  ///< nothing has been run yet: the empty graph
};

/// Share of the whole tree of executions.
double weight_of(const Task& task) noexcept;

std::string write_task(const Task& task);
/// Errors: DamagedBytes.
Task read_task(std::string_view bytes);

/// Where a failure was found. Whoever reports it runs the graph again and records the trace.
struct FailureSpot {
  std::uint64_t run = 0;  ///< how many runs of the same part, itself included
  FailureKind kind{};
  std::string message;
  std::string task;  ///< written: one frame without items
};

/// What the runs of a part of the exploration found.
struct Tally {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  std::uint64_t failures = 0;
  std::map<Outcome, std::uint64_t> outcomes;
  std::string bound;  ///< of the executions themselves: too many events, too little stack
  double share = 0;   ///< of the whole tree
  std::optional<FailureSpot> failure;  ///< the first

  std::uint64_t runs() const noexcept { return executions + blocked + failures; }
  /// Adds what comes directly after this part in the order of the search.
  void add(Tally&& later);
};

void write(ByteWriter& out, const Tally& tally);
/// Errors: DamagedBytes.
Tally read_tally(ByteReader& in);

}  // namespace heddle::sim::engine
