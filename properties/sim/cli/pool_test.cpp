// Scenarios in processes of their own: limits that hold, interrupts, large results.
#include <heddle/sim/cli/pool.hpp>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <heddle/sim/cli/messages.hpp>

#include "../support/fake_program.hpp"

namespace heddle::sim::cli {
namespace {

using namespace std::chrono_literals;
using support::FakeProgram;

struct Collected {
  std::vector<JobResult> results;
  std::size_t running = 0;
  std::size_t running_max = 0;
  std::vector<Progress> progress;
};

Collected run_all(
    FakeProgram& fake, std::size_t processes, std::chrono::nanoseconds time_limit,
    std::chrono::nanoseconds grace, const std::function<void()>& on_start = [] {}) {
  std::vector<Job> jobs;
  for (const Scenario& one : fake.program.scenarios) {
    jobs.push_back({&one, {}});
    jobs.back().options.time_limit = time_limit;
  }
  Collected collected;
  collected.results.resize(jobs.size());
  const PoolEvents events{
      [&](std::size_t) {
        collected.running_max = std::max(collected.running_max, ++collected.running);
        on_start();
      },
      [&](std::size_t, const Progress& progress) { collected.progress.push_back(progress); },
      [&](std::size_t job, JobResult result) {
        --collected.running;
        collected.results[job] = std::move(result);
      },
      [] {}};
  run_pool(fake.program, jobs, processes, events, grace);
  return collected;
}

TEST(pool, gives_every_job_its_own_result) {
  FakeProgram fake;
  for (int job = 0; job < 20; ++job) {
    fake.add("s" + std::to_string(job), support::verified(static_cast<std::uint64_t>(job)));
  }
  const Collected collected = run_all(fake, 3, 0s, 0s);
  for (std::size_t job = 0; job < 20; ++job) {
    EXPECT_EQ(collected.results[job].report.executions, job);
  }
  EXPECT_EQ(collected.running_max, 3U);
}

TEST(pool, ends_a_body_that_does_not_come_back) {
  FakeProgram fake;
  fake.add("hangs", support::verified(1), {}, [] {
    while (true) std::this_thread::sleep_for(10ms);
  });
  fake.add("fine", support::verified(1));
  const auto began = std::chrono::steady_clock::now();
  const Collected collected = run_all(fake, 1, 100ms, 100ms);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 20s);
  EXPECT_EQ(collected.results[0].report.verdict, Verdict::incomplete);
  EXPECT_EQ(collected.results[0].report.bound,
            "time_limit (0.10 s): the body did not come back to the simulator, and its process was "
            "ended");
  EXPECT_EQ(collected.results[1].report.verdict, Verdict::verified);
}

TEST(pool, an_interrupt_ends_what_runs_and_what_has_not_begun) {
  FakeProgram fake;
  for (const char* name : {"first", "second", "third"}) {
    fake.add(name, support::verified(1), {}, [] { std::this_thread::sleep_for(60s); });
  }
  std::size_t started = 0;
  const Collected collected = run_all(fake, 2, 0s, 0s, [&] {
    if (++started == 2) std::raise(SIGINT);
  });
  EXPECT_EQ(collected.results[0].report.bound, "an interrupt (SIGINT)");
  EXPECT_EQ(collected.results[1].report.bound, "an interrupt (SIGINT)");
  EXPECT_EQ(collected.results[2].report.bound, "an interrupt (SIGINT) before it began");
  for (const JobResult& result : collected.results) {
    EXPECT_EQ(result.report.verdict, Verdict::incomplete);
  }
}

TEST(pool, brings_results_of_any_size) {
  FakeProgram fake;
  support::HandMadeTrace made("large");
  for (int step = 0; step < 20'000; ++step) made.fence(0, "seq_cst");
  fake.add("large", support::failed(made));
  const Collected collected = run_all(fake, 1, 0s, 0s);
  ASSERT_TRUE(collected.results[0].report.failure.has_value());
  EXPECT_EQ(collected.results[0].report.failure->trace, made.trace());
}

TEST(pool, passes_progress_on) {
  FakeProgram fake;
  fake.add("one", support::verified(1));
  fake.program.explore = [](const Options& options, const Program::Body&) {
    Progress progress;
    progress.executions = 7;
    progress.estimated_total = 1.0 / 0.0;
    options.on_progress(progress);
    return support::verified(8);
  };
  const Collected collected = run_all(fake, 1, 0s, 0s);
  ASSERT_EQ(collected.progress.size(), 1U);
  EXPECT_EQ(collected.progress[0].executions, 7U);
  EXPECT_EQ(collected.results[0].report.executions, 8U);
}

TEST(messages, are_put_together_from_any_pieces) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Progress progress;
  progress.executions = 3;
  send(ends[1], message_of(progress));
  send(ends[1], message_of(JobResult{support::verified(4), "", ""}));
  ::close(ends[1]);
  MessageReader reader;
  std::vector<std::string> messages;
  for (char byte = 0; ::read(ends[0], &byte, 1) == 1;) {
    reader.add({&byte, 1});
    while (auto message = reader.next()) messages.push_back(std::move(*message));
  }
  ::close(ends[0]);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(progress_in(messages[0]).value().executions, 3U);
  EXPECT_FALSE(progress_in(messages[1]).has_value());
  EXPECT_EQ(result_in(messages[1]).report.executions, 4U);
}

}  // namespace
}  // namespace heddle::sim::cli
