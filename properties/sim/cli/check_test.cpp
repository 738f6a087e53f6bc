// `heddle check` over scenarios and an engine that the test makes up: exit codes, what is printed,
// what is written, what is asked of the engine.
#include <csignal>
#include <cstdlib>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <heddle/sim/trace/json.hpp>
#include <heddle/sim/trace/store.hpp>

#include "../support/approval.hpp"
#include "../support/fake_program.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

using support::FakeProgram;
using support::ScratchFolder;

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int check_one(Report answer, ScenarioOptions options = {},
              const std::vector<std::string>& more = {}) {
  FakeProgram fake;
  fake.add("one", std::move(answer), options);
  std::vector<std::string> arguments = {"check"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return fake.run(arguments);
}

TEST(check, exit_codes) {
  const ScenarioOptions bad = {.expect = FailureKind::data_race, .caught_by = "races"};
  EXPECT_EQ(check_one(support::verified(26)), success);
  EXPECT_EQ(check_one(support::verified(26), {.executions = 26}), success);
  EXPECT_EQ(check_one(support::verified(27), {.executions = 26}), failure);
  EXPECT_EQ(check_one(support::verified(0)), failure) << "nothing was checked";
  EXPECT_EQ(check_one(support::failed(support::race())), failure);
  EXPECT_EQ(check_one(support::failed(support::race()), bad), success);
  EXPECT_EQ(check_one(support::failed(support::opposite_locks()), bad), failure);
  EXPECT_EQ(check_one(support::verified(26), bad), failure)
      << "it must fail, loudly if it does not";
  EXPECT_EQ(check_one(support::incomplete(5, "max_executions (5)")), not_complete);
  EXPECT_EQ(check_one(support::incomplete(5, "max_executions (5)"), bad), not_complete);
  EXPECT_EQ(check_one(support::incomplete(5, "enough"), {.exhaustive = false}), success);
  EXPECT_EQ(check_one(support::incomplete(5, "enough"), {}, {"--strategy", "pos"}), success);
  EXPECT_EQ(check_one(support::broken("the graph is no graph")), internal);
}

TEST(check, golden_counts_and_expectations_are_made_for_rc11) {
  EXPECT_EQ(check_one(support::verified(27), {.executions = 26}, {"--memory", "sc"}), success);
  const ScenarioOptions bad = {.expect = FailureKind::data_race};
  EXPECT_EQ(check_one(support::verified(27), bad, {"--memory", "sc"}), success);
}

TEST(check, prints_failures_at_once_and_the_table_at_the_end) {
  FakeProgram fake;
  fake.add("fine", support::verified(24451), {.threads = 3, .group = "queues"});
  fake.add("lost", support::failed(support::lost_wakeup()), {.threads = 2, .group = "queues"});
  fake.add(
      "bad_race", support::failed(support::race()),
      {.expect = FailureKind::data_race, .caught_by = "the race detector", .group = "known_bad"});
  EXPECT_EQ(fake.run({"check", "--quiet"}), failure);
  const std::regex elapsed("exhaustive, .* s\\)");
  support::expect_approved("check.txt",
                           std::regex_replace(fake.out.str(), elapsed, "exhaustive, TIME)"));
  EXPECT_EQ(fake.err.str(), "") << "quiet";
}

TEST(check, one_that_crashes_costs_only_its_own_result) {
  FakeProgram fake;
  fake.add("aborts", support::verified(1), {}, [] {
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  });
  fake.add("exits", support::verified(1), {}, [] { std::_Exit(0); });
  fake.add("fine", support::verified(1));
  EXPECT_EQ(fake.run({"check", "--jobs", "2"}), internal);
  EXPECT_TRUE(mentions(fake.out.str(), "died of signal 6")) << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "did the code under test call exit()?")) << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "1 verified, 2 CRASHED")) << fake.out.str();
}

TEST(check, an_exception_of_the_engine_is_an_internal_error_and_refused_options_are_usage) {
  FakeProgram fake;
  fake.add("throws", support::verified(1), {}, [] { throw std::runtime_error("out of graphs"); });
  for (const auto& how : {std::vector<std::string>{"check"}, {"check", "--in-process"}}) {
    EXPECT_EQ(fake.run(how), internal);
    EXPECT_TRUE(mentions(fake.out.str(), "out of graphs")) << fake.out.str();
    EXPECT_TRUE(mentions(fake.out.str(), "a defect of heddle, not of the code under test"));
  }
  FakeProgram refusing;
  refusing.add("asks", support::verified(1), {},
               [] { throw std::invalid_argument("Options::jobs must be at least 1"); });
  EXPECT_EQ(refusing.run({"check"}), usage);
  EXPECT_EQ(refusing.err.str(), "heddle: asks: Options::jobs must be at least 1\n");
}

TEST(check, asks_the_engine_what_it_was_asked) {
  FakeProgram fake;
  fake.add("one", support::verified(1),
           {.timeouts = false, .spurious_wakeups = 3, .max_steps = 77});
  ASSERT_EQ(fake.run({"check", "--in-process", "--memory", "sc", "--time", "90s",
                      "--max-executions", "1000", "--seed", "42", "--strategy", "bounded",
                      "--preemption-bound", "5", "--pct-depth", "4"}),
            success)
      << fake.err.str();
  EXPECT_EQ(fake.asked.memory_model, MemoryModel::sc);
  EXPECT_EQ(fake.asked.time_limit, std::chrono::seconds(90));
  EXPECT_EQ(fake.asked.max_executions, 1000U);
  EXPECT_EQ(fake.asked.seed, 42U);
  EXPECT_EQ(fake.asked.strategy, Strategy::bounded);
  EXPECT_EQ(fake.asked.preemption_bound, 5U);
  EXPECT_EQ(fake.asked.pct_depth, 4U);
  EXPECT_FALSE(fake.asked.timeouts);
  EXPECT_EQ(fake.asked.spurious_wakeups, 3U);
  EXPECT_EQ(fake.asked.max_steps, 77U);
  ASSERT_EQ(fake.run({"check", "--in-process"}), success);
  EXPECT_EQ(fake.asked.strategy, Strategy::exhaustive);
  EXPECT_EQ(fake.asked.max_executions, 0U) << "no limit that nobody asked for";
}

TEST(check, sampling_has_a_limit_even_if_nobody_gives_one) {
  FakeProgram fake;
  fake.add("large", support::incomplete(10'000, ""), {.exhaustive = false});
  ASSERT_EQ(fake.run({"check", "--in-process"}), success);
  EXPECT_EQ(fake.asked.strategy, Strategy::random);
  EXPECT_EQ(fake.asked.max_executions, 10'000U);
  EXPECT_TRUE(mentions(fake.out.str(),
                       "10,000 executions looked at, not all there are (random, "
                       "seed 0)"))
      << fake.out.str();
}

TEST(check, selects_by_name_glob_and_group) {
  FakeProgram fake;
  fake.add("deque_pop", support::verified(1), {.group = "queues"});
  fake.add("deque_steal", support::verified(1), {.group = "queues"});
  fake.add("park", support::verified(1), {.group = "workers"});
  const auto checked = [&](const std::vector<std::string>& arguments) {
    fake.explored = 0;
    std::vector<std::string> all = {"check", "--in-process"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    EXPECT_EQ(fake.run(all), success) << fake.err.str();
    return fake.explored;
  };
  EXPECT_EQ(checked({}), 3);
  EXPECT_EQ(checked({"park"}), 1);
  EXPECT_EQ(checked({"deque_*"}), 2);
  EXPECT_EQ(checked({"deque_*", "deque_pop"}), 2);
  EXPECT_EQ(checked({"--group", "queues", "*pop", "*rk"}), 1);
  EXPECT_EQ(checked({"--group", "*"}), 3);
}

TEST(check, records_the_trace_and_says_how_to_replay_it) {
  const ScratchFolder folder;
  const std::string directory = folder.file("traces");
  FakeProgram fake;
  fake.add("race", support::failed(support::race()));
  fake.add("bad", support::failed(support::spinning()), {.expect = FailureKind::check});
  ASSERT_EQ(fake.run({"check", "--record", directory}), failure);
  EXPECT_EQ(trace::read(directory + "/race.trace.json"), support::race().trace());
  EXPECT_EQ(trace::read(directory + "/bad.trace.json").scenario, "bad");
  EXPECT_TRUE(mentions(fake.out.str(), "replay it:  heddle replay " + directory + "/race."))
      << fake.out.str();

  // Again: the same traces are no news.
  ASSERT_EQ(fake.run({"check", "--record", directory}), failure);
  EXPECT_EQ(fake.err.str(), "");
  // Another trace of the scenario is kept unless it was asked for.
  fake.answers["race"].failure->trace.execution = 99;
  ASSERT_EQ(fake.run({"check", "--record", directory}), failure);
  EXPECT_TRUE(mentions(fake.err.str(), "holds another trace of race and was kept; --overwrite"))
      << fake.err.str();
  EXPECT_EQ(trace::read(directory + "/race.trace.json").execution, 11U);
  ASSERT_EQ(fake.run({"check", "--record", directory, "--overwrite"}), failure);
  EXPECT_EQ(trace::read(directory + "/race.trace.json").execution, 99U);
}

TEST(check, never_writes_over_what_is_no_trace_of_the_scenario) {
  const ScratchFolder folder;
  folder.write("bad.trace.json", "my notes");
  FakeProgram fake;
  fake.add("bad", support::failed(support::spinning()), {.expect = FailureKind::check});
  EXPECT_EQ(fake.run({"check", "--record", folder.path().string(), "--overwrite"}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "exists and is not a usable trace")) << fake.err.str();
  EXPECT_EQ(ScratchFolder::read(folder.file("bad.trace.json")), "my notes");
}

TEST(check, writes_reports) {
  const ScratchFolder folder;
  FakeProgram fake;
  fake.add("race", support::failed(support::race()));
  const std::string json = folder.write("report.json", "of the last run");
  EXPECT_EQ(fake.run({"check", "--json", json, "--junit", folder.file("report.xml"), "--sarif",
                      folder.file("report.sarif")}),
            failure);
  const auto document = nlohmann::json::parse(ScratchFolder::read(json));
  EXPECT_EQ(document.at("exit_code"), 1);
  EXPECT_EQ(document.at("scenarios")[0].at("judgement"), "failed");
  EXPECT_TRUE(mentions(ScratchFolder::read(folder.file("report.xml")), "failures=\"1\""));
  EXPECT_TRUE(mentions(ScratchFolder::read(folder.file("report.sarif")), "codeFlows"));
  EXPECT_EQ(folder.files(), 3U);
}

TEST(check, brings_outcomes_and_odd_bytes_through_the_pipe) {
  const ScratchFolder folder;
  FakeProgram fake;
  Report answer = support::verified(3);
  answer.outcomes = {{{{"a", -1}, {"b", 2}}, 1}, {{{"a\xff", 0}}, 2}};
  fake.add("one", answer);
  const std::string json = folder.file("x.json");
  ASSERT_EQ(fake.run({"check", "--json", json}), success);
  const auto outcomes =
      nlohmann::json::parse(ScratchFolder::read(json))["scenarios"][0]["report"]["outcomes"];
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(outcomes[0]["values"]["a"], -1);
}

TEST(list, names_groups_and_purposes) {
  FakeProgram fake;
  fake.add("two_thieves", {}, {.threads = 3, .group = "queues"});
  fake.add("naive_batch", {}, {.expect = FailureKind::check, .group = "known_bad"});
  fake.add("whole_scheduler", {}, {.exhaustive = false});
  EXPECT_EQ(fake.run({"list"}), success);
  support::expect_approved("list.txt", fake.out.str());
  EXPECT_EQ(fake.run({"list", "naive*"}), success);
  EXPECT_FALSE(mentions(fake.out.str(), "two_thieves"));
}

}  // namespace
}  // namespace heddle::sim::cli
