// The report is the same whatever the number of processes: counts, outcomes, and the failure with
// its trace.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <vector>

#include <heddle/sim/explore/worker.hpp>

#include "anchor_programs.hpp"
#include "anchor_structures.hpp"
#include "generator.hpp"
#include "oracle.hpp"
#include "parts.hpp"
#include "simulator_runner.hpp"

namespace heddle::litmus {
namespace {

void expect_same_with_any_number(sim::Options options, const std::function<void()>& body,
                                 const std::string& what) {
  const std::string alone = text_of(sim::explore(options, body));
  for (const unsigned jobs : {2U, 3U}) {
    options.jobs = jobs;
    EXPECT_EQ(text_of(explore_at_once(options, body)), alone) << what << " with " << jobs;
  }
}

TEST(parallel_test, every_program_of_the_oracle_is_the_same_with_1_2_and_3_processes) {
  for (const OracleEntry& entry : read_oracle(HEDDLE_LITMUS_ORACLE)) {
    for (const Model model : {Model::sc, Model::rc11}) {
      expect_same_with_any_number(options_for(entry.program, model), body_for(entry.program),
                                  entry.program.name);
    }
  }
}

// Locks, awaits and assumptions, of which the oracle has few; deadlocks are counted.
TEST(parallel_test, random_programs_are_the_same_with_1_2_and_3_processes) {
  for (std::uint64_t seed = 200'000; seed < 200'300; ++seed) {
    const Program program = generate_program(seed);
    expect_same_with_any_number(options_for(program, Model::rc11), body_for(program),
                                to_text(program));
  }
}

TEST(parallel_test, structures_have_the_counts_that_are_known) {
  for (const auto& [body, executions] :
       {std::pair{anchors::chase_lev(3), 24'451U},
        std::pair{anchors::treiber(3, anchors::AfterLostPop::retry), 25'680U},
        std::pair{anchors::locked_increments(4, 2), 2'520U}}) {
    sim::Options options;
    options.jobs = 3;
    const sim::Report report = explore_at_once(options, body);
    EXPECT_EQ(report.verdict, sim::Verdict::verified) << report.bound;
    EXPECT_EQ(report.executions, executions);
  }
}

TEST(parallel_test, the_first_failure_in_order_is_reported_with_the_same_trace) {
  sim::Options options;
  ASSERT_EQ(sim::explore(options, sometimes_fails).verdict, sim::Verdict::failed);
  for (int repetition = 0; repetition < 20; ++repetition) {
    expect_same_with_any_number(options, sometimes_fails, "stopping");
  }
  options.stop_at_first_failure = false;
  ASSERT_GT(sim::explore(options, sometimes_fails).failures, 1U);
  expect_same_with_any_number(options, sometimes_fails, "going on");
}

TEST(parallel_test, the_limit_of_executions_is_kept_exactly) {
  sim::Options options;
  options.jobs = 3;
  for (const std::uint64_t limit : {1U, 10U, 719U, 720U, 721U}) {
    options.max_executions = limit;
    const sim::Report report = explore_at_once(options, anchors::additions(6, 1));
    EXPECT_EQ(report.executions, std::min<std::uint64_t>(limit, 720));
    EXPECT_EQ(report.verdict, limit < 720 ? sim::Verdict::incomplete : sim::Verdict::verified);
  }
}

TEST(parallel_test, the_limit_of_time_is_kept) {
  sim::Options options;
  options.jobs = 2;
  options.time_limit = std::chrono::milliseconds(100);
  const sim::Report report = explore_at_once(options, anchors::additions(12, 1));
  EXPECT_EQ(report.verdict, sim::Verdict::incomplete);
  EXPECT_EQ(report.bound, "time_limit (100 ms)");
  EXPECT_GT(report.executions, 0U);
}

TEST(parallel_test, progress_is_told_in_the_calling_process) {
  sim::Options options;
  options.jobs = 2;
  options.time_limit = std::chrono::seconds(2);
  const ::pid_t self = ::getpid();
  std::uint64_t most = 0;
  options.on_progress = [&](const sim::Progress& progress) {
    EXPECT_EQ(::getpid(), self);
    EXPECT_GE(progress.executions, most);
    most = progress.executions;
    EXPECT_LE(progress.share, 1 + 1e-9);
  };
  sim::explore(options, anchors::additions(12, 1));
  EXPECT_GT(most, 0U);
}

// In one of many executions only, so that a worker meets it.
void crashes(int signal) {
  sim::atomic<int> x{0};
  std::vector<sim::thread> threads;
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back([&, i] { x.exchange(i + 1, std::memory_order_relaxed); });
  }
  for (sim::thread& thread : threads) thread.join();
  if (x.load(std::memory_order_relaxed) == 1) {
    if (signal == 0) std::_Exit(7);
    ::raise(signal);
  }
}

TEST(parallel_test, a_process_that_dies_is_no_result) {
  sim::Options options;
  options.jobs = 2;
  try {
    explore_at_once(options, [] { crashes(SIGKILL); });
    FAIL() << "a report came out";
  } catch (const sim::WorkerDied& error) {
    EXPECT_NE(std::string(error.what()).find("signal 9"), std::string::npos) << error.what();
  }
  try {
    explore_at_once(options, [] { crashes(0); });
    FAIL() << "a report came out";
  } catch (const sim::WorkerDied& error) {
    EXPECT_NE(std::string(error.what()).find("exit code 7"), std::string::npos) << error.what();
  }
}

// A body that looks at something outside does another thing in another process: the parts that the
// first process leaves cannot be repeated by the others.
TEST(parallel_test, a_body_that_is_not_deterministic_is_found_out) {
  const ::pid_t self = ::getpid();
  const std::function<void()> body = [self] {
    sim::atomic<int> x{0};
    std::vector<sim::thread> threads;
    for (int i = 0; i < 5; ++i) threads.emplace_back([&x] { x.fetch_add(1); });
    if (::getpid() != self) x.load();
    for (sim::thread& thread : threads) thread.join();
  };
  sim::Options options;
  options.jobs = 2;
  sim::engine::Exhaustive search(options, body);
  const sim::Report report =
      sim::engine::Exploration(options, body, search, std::chrono::nanoseconds(1)).explore();
  EXPECT_EQ(report.verdict, sim::Verdict::failed);
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->kind, sim::FailureKind::nondeterminism) << report.failure->message;
}

}  // namespace
}  // namespace heddle::litmus
