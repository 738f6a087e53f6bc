// Enumerates the candidate executions of a program; see literal_checker.hpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "axioms.hpp"
#include "literal_checker.hpp"
#include "program.hpp"

namespace heddle::litmus {

/// An operation with its place in the graph and what is known of it in the current candidate.
struct Step {
  Operation operation;
  int thread = 0;
  bool pending = false;  ///< an await at which its thread has stopped: not part of the candidate
  int read_event = -1;
  int write_event = -1;
  int other_event = -1;  ///< fence or cell access
  int source = -1;       ///< write event that it reads from; -1: not chosen yet
  std::optional<std::int64_t> value_read;
  std::optional<std::int64_t> value_written;
  bool wrote = false;

  void forget() noexcept {
    value_read.reset();
    value_written.reset();
    wrote = false;
  }
};

class Candidates {
 public:
  /// stops[t]: number of operations that thread t performs; the operation after them, if any, must
  /// be an await and is present as a pending step.
  Candidates(const Program& program, const std::vector<std::size_t>& stops, Model model,
             Pruning pruning);

  /// Calls visit for every consistent candidate, once.
  void for_each(const std::function<void()>& visit);

  // During a visit:
  const Graph& graph() const noexcept { return graph_; }
  std::string outcome() const;
  /// True when every stopped thread is stuck: its await could read no write that satisfies it.
  bool stuck() const;

 private:
  void lay_out(const Program& program, const std::vector<std::size_t>& stops);
  std::size_t next_reader() const;
  void choose_sources();
  void choose_order(std::size_t location);
  bool evaluate();
  bool evaluate_step(Step& step, bool& progress);
  void build_graph();
  bool surely_writes(const Step& step) const;
  void add_events(Graph& graph, const Step& step, bool writes) const;
  void add_order(Graph& graph) const;
  bool may_continue() const;
  bool could_read(const Step& pending, int write) const;
  std::int64_t written_by(int write) const;
  bool all_known() const;

  Model model_;
  Pruning pruning_;
  std::size_t threads_ = 0;
  std::string locations_;                ///< one initial write each: event i for locations_[i]
  std::vector<Step> steps_;              ///< thread by thread, in program order
  std::map<int, std::size_t> writer_;    ///< write event -> step
  std::vector<std::vector<int>> order_;  ///< co per location, initial write left out
  std::vector<EventSet> unplaced_;       ///< active writes of a location not yet in order_
  Graph graph_;
  const std::function<void()>* visit_ = nullptr;
};

}  // namespace heddle::litmus
