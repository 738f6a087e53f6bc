// Exhaustive exploration: every consistent execution graph of the body once.
//
// State:      a stack of frames. A frame is a graph and the alternatives that its events still
// have;
//             the last frame's graph is the one that runs. Forward alternatives (another source,
//             another place, another choice) change the frame's graph in place after cutting it;
//             backward ones push a frame with a restricted copy. Items are taken last in, first
//             out, so the graph below an item is the one at which it was made, and memory stays
//             linear.
// Weights:    the alternatives at a decision, what goes on by itself among them, share its weight
//             equally; the whole tree weighs 1. What has been explored of it is the share that is
//             shown while the search runs.
// Parts:      the rest of a search is a Task, which another process can go on with; the bottom of
//             the stack can be given away (it would come last).
// Source:     TruSt (POPL 2022); in-place revisits after Awamoche (CAV 2023).
// Checked by: properties/litmus (oracle, literal checker, closed forms).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <heddle/sim/explore/driver.hpp>
#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/explore/report.hpp>
#include <heddle/sim/explore/revisit.hpp>
#include <heddle/sim/explore/task.hpp>

namespace heddle::sim::engine {

class Exhaustive final : public Driver {
 public:
  Exhaustive(const Options& options, const std::function<void()>& body);

  Report explore();

  /// Called with every complete graph; for tests.
  std::function<void(const Graph&)> on_complete;

  // The same in parts.
  /// Begins with the whole search.
  void begin();
  /// Goes on with a part of one. Errors: RebindError, DamagedBytes.
  void load(const Task& task);
  /// Moves on to the next graph to run; false when there is none.
  bool advance();
  /// Runs it, and adds what was found.
  void run(Tally& tally);
  /// What is left, after a run.
  Task save();
  /// Gives away what would come last, or nothing when there is too little.
  std::optional<Task> split();
  /// Takes the alternatives apart into tasks of one each, in the order of the search.
  std::vector<Task> take_apart();
  /// The failure of the last run.
  Failure record();
  /// A failure that may have been found elsewhere. Ends the search. Errors: RebindError.
  Failure record(const FailureSpot& spot);
  /// A random path through the tree: an estimate of the number of complete executions. `fading`: by
  /// how much an alternative is less likely than one of the decision before. Ends the search.
  double probe(std::mt19937_64& random, double fading);

  // Driver
  bool at_once(const Event& next) const override;
  ModelThread* pick(Execution& execution) override;
  void complete(Execution& execution, event_id added) override;

 private:
  struct Frame {
    Graph graph;
    std::vector<Item> items;
  };

  // Extension.
  void complete_read(Graph& graph, event_id id);
  void complete_store(Graph& graph, event_id id);
  void revisit_from(Graph& graph, event_id write, Item::Kind kind = Item::Kind::backward);
  void share_weight(Frame& frame, std::size_t items_before);

  // Alternatives.
  bool next_graph();
  bool take(const Item& item);
  bool apply(const Item& item);
  void cut(Graph& graph, std::uint32_t length);
  void withdraw(Graph& graph, event_id write);
  void settle_orphans(Graph& graph);
  bool apply_source(Graph& graph, const Item& item);
  bool apply_place(Graph& graph, const Item& item);
  bool apply_backward(const Item& item);
  Frame& push_frame();
  void pop_frame();

  // Parts.
  Task::Frame part_of(const Frame& frame, std::size_t items_begin, std::size_t items_end);
  Trace record(FailureKind kind, const std::string& message);

  Options options_;
  const std::function<void()>& body_;
  Execution execution_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::unique_ptr<Frame>> spare_;
  std::vector<event_id> orphans_;
  std::vector<RevisitSet> revisits_;  // by recursion depth
  std::size_t revisit_depth_ = 0;
  double weight_ = 1;   // of what is explored now and is no item
  double share_ = 0;    // explored since the last run was counted
  bool begun_ = false;  // the first graph is there and has not been run
};

}  // namespace heddle::sim::engine
