// The search is optimal: no execution graph is visited twice. Each complete graph is hashed by its
// events, its sources and its modification orders, and a repeat fails.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <heddle/sim/explore/exhaustive.hpp>
#include <unordered_set>

#include "anchor_structures.hpp"
#include "generator.hpp"
#include "oracle.hpp"
#include "simulator_runner.hpp"

namespace heddle::litmus {
namespace {

struct Visits {
  std::uint64_t graphs = 0;
  std::uint64_t repeated = 0;
  sim::Report report;
};

Visits visit_all(const sim::Options& options, const std::function<void()>& body) {
  Visits visits;
  std::unordered_set<std::uint64_t> seen;
  sim::engine::Exhaustive search(options, body);
  search.on_complete = [&](const sim::graph::Graph& graph) {
    graph.validate();
    ++visits.graphs;
    if (!seen.insert(graph.hash()).second) ++visits.repeated;
  };
  visits.report = search.explore();
  return visits;
}

void expect_no_repeat(const Program& program, std::uint64_t& graphs) {
  for (const Model model : {Model::sc, Model::rc11}) {
    const Visits visits = visit_all(options_for(program, model), body_for(program));
    EXPECT_EQ(visits.repeated, 0U) << program.name << ": " << to_text(program);
    EXPECT_EQ(visits.graphs, visits.report.executions);
    graphs += visits.graphs;
  }
}

TEST(no_duplicates_test, no_program_of_the_oracle_visits_a_graph_twice) {
  std::uint64_t graphs = 0;
  for (const OracleEntry& entry : read_oracle(HEDDLE_LITMUS_ORACLE)) {
    expect_no_repeat(entry.program, graphs);
  }
  EXPECT_EQ(graphs, 38'445U);  // the sum of the oracle's counts
}

TEST(no_duplicates_test, no_random_program_visits_a_graph_twice) {
  std::uint64_t graphs = 0;
  for (std::uint64_t seed = 100'000; seed < 102'000; ++seed) {
    expect_no_repeat(generate_program(seed), graphs);
  }
  EXPECT_GT(graphs, 40'000U);
}

// An await that a backward revisit had stopped took a write in place, lost it again, and then
// passed for one that had never been revisited: what it stands for was explored twice.
TEST(no_duplicates_test, an_await_that_loses_its_write_is_what_it_was_before) {
  std::uint64_t graphs = 0;
  expect_no_repeat(parse_program("await x == 0 acq || lock n; unlock n; add x 1 rlx || "
                                 "lock m; unlock m; store x 3 rlx || load x acq"),
                   graphs);
  EXPECT_GT(graphs, 0U);
}

TEST(no_duplicates_test, no_structure_visits_a_graph_twice) {
  for (const auto& [body, executions] :
       {std::pair{anchors::chase_lev(3), 24'451U},
        std::pair{anchors::treiber(3, anchors::AfterLostPop::retry), 25'680U},
        std::pair{anchors::locked_increments(4, 2), 2'520U}}) {
    const Visits visits = visit_all({}, body);
    EXPECT_EQ(visits.repeated, 0U);
    EXPECT_EQ(visits.graphs, executions);
  }
}

// The hash tells graphs apart: three writers of one location have six orders, and a reader that
// sees the initial value in all of them changes nothing else.
TEST(no_duplicates_test, graphs_that_differ_in_modification_order_alone_are_different) {
  std::unordered_set<std::uint64_t> seen;
  const anchors::Body body = anchors::writers(3);
  sim::engine::Exhaustive search({}, body);
  search.on_complete = [&](const sim::graph::Graph& graph) { seen.insert(graph.hash()); };
  search.explore();
  EXPECT_EQ(seen.size(), 6U);
}

}  // namespace
}  // namespace heddle::litmus
