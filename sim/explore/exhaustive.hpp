// Exhaustive exploration: every consistent execution graph of the body once.
//
// State:      a stack of frames. A frame is a graph and the alternatives that its events still
// have;
//             the last frame's graph is the one that runs. Forward alternatives (another source,
//             another place, another choice) change the frame's graph in place after cutting it;
//             backward ones push a frame with a restricted copy. Items are taken last in, first
//             out, so the graph below an item is the one at which it was made, and memory stays
//             linear.
// Source:     TruSt (POPL 2022); in-place revisits after Awamoche (CAV 2023).
// Checked by: properties/litmus (oracle, literal checker, closed forms).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <heddle/sim/explore/driver.hpp>
#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/explore/report.hpp>
#include <heddle/sim/explore/revisit.hpp>

namespace heddle::sim::engine {

class Exhaustive final : public Driver {
 public:
  Exhaustive(const Options& options, const std::function<void()>& body);

  Report explore();

  /// Called with every complete graph; for tests.
  std::function<void(const Graph&)> on_complete;

  // Driver
  bool at_once(const Event& next) const override;
  ModelThread* pick(Execution& execution) override;
  void complete(Execution& execution, event_id added) override;

 private:
  struct Item {
    enum class Kind : std::uint8_t {
      source,
      place,
      choice,
      backward,
      backward_unchecked  // from a graph that was made for its revisits and never checked
    } kind;
    event_id event;        // the read, the write, the choice, or the revisiting write
    std::uint32_t length;  // events of the graph when the item was made
    std::uint32_t detail;  // source id, position, choice, or the revisited read
  };
  struct Frame {
    Graph graph;
    std::vector<Item> items;
  };

  // Extension.
  void complete_read(Graph& graph, event_id id);
  void complete_store(Graph& graph, event_id id);
  void take_source(Graph& graph, event_id read, event_id source);
  void revisit_from(Graph& graph, event_id write, Item::Kind kind = Item::Kind::backward);

  // Alternatives.
  bool next_graph();
  void cut(Graph& graph, std::uint32_t length);
  void withdraw(Graph& graph, event_id write);
  void settle_orphans(Graph& graph);
  bool apply_source(Graph& graph, const Item& item);
  bool apply_place(Graph& graph, const Item& item);
  bool apply_backward(const Item& item);
  Frame& push_frame();

  void count(RunEnd end, Report& report);
  Trace record();
  bool out_of_budget(Report& report);

  Options options_;
  Execution execution_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::unique_ptr<Frame>> spare_;
  std::vector<event_id> orphans_;
  std::vector<RevisitSet> revisits_;  // by recursion depth
  std::size_t revisit_depth_ = 0;
  std::chrono::steady_clock::time_point started_;
  std::chrono::nanoseconds last_progress_{0};
};

}  // namespace heddle::sim::engine
