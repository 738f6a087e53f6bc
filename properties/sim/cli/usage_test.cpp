// Wrong usage: exit code 2, a message that says what to do, and nothing is done.
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <heddle/sim/cli/arguments.hpp>

#include "../support/fake_program.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

using support::FakeProgram;
using support::ScratchFolder;
using Words = std::vector<std::string>;

struct Wrong {
  Words arguments;
  std::string message;
};

void expect_usage_errors(const std::vector<Wrong>& cases) {
  FakeProgram fake;
  fake.add("two_thieves", support::verified(3), {.group = "queues"});
  fake.add("lost_wakeup", support::verified(3), {.group = "workers"});
  for (const Wrong& one : cases) {
    EXPECT_EQ(fake.run(one.arguments), usage) << one.message;
    EXPECT_NE(fake.err.str().find(one.message), std::string::npos) << fake.err.str();
    EXPECT_TRUE(fake.err.str().starts_with("heddle: ")) << fake.err.str();
    EXPECT_EQ(fake.out.str(), "");
    EXPECT_EQ(fake.explored, 0);
  }
}

TEST(usage, commands_and_options_are_guessed) {
  expect_usage_errors({
      {{}, "a command is missing: one of list, check, replay, minimise, show, merge, audit"},
      {{"chekc"}, "there is no command 'chekc'; did you mean 'check'?"},
      {{"frobnicate"},
       "there is no command 'frobnicate'\n  Commands: list, check, replay, minimise, show"},
      {{"--frobnicate"}, "has no option --frobnicate"},
      {{"check", "--max_executions", "7"},
       "check has no option --max_executions; did you mean '--max-executions'?"},
      {{"check", "--jsno=x"}, "check has no option --jsno; did you mean '--json'?"},
      {{"list", "--jobs", "2"}, "list has no option --jobs"},
      {{"replay"}, "TRACE"},
      {{"show"}, "TRACE"},
      {{"check", "--memory"}, "--memory"},
  });
}

TEST(usage, values_out_of_range_are_refused) {
  expect_usage_errors({
      {{"check", "--jobs", "0"}, "'0' is not a whole number from 1 to 1024"},
      {{"check", "--jobs", "-1"}, "'-1' is not a whole number from 1 to 1024"},
      {{"check", "--jobs", "two"}, "'two' is not a whole number"},
      {{"check", "--jobs", "99999999999999999999"}, "is not a whole number"},
      {{"check", "--max-executions", "0"}, "is not a whole number from 1"},
      {{"check", "--seed", "0x7"}, "'0x7' is not a whole number"},
      {{"check", "--memory", "rc1"}, "'rc1' is not one of rc11, sc; did you mean 'rc11'?"},
      {{"check", "--strategy", "exaustive"}, "did you mean 'exhaustive'?"},
      {{"check", "--time", "soon"}, "'soon' is not a time such as 500ms, 60s, 10m or 1h30m"},
      {{"check", "--time", "0s"}, "'0s' is not a time"},
      {{"check", "--time", "-5s"}, "is not a time"},
      {{"check", "--pct-depth", "0"}, "is not a whole number from 1"},
      {{"replay", "x", "--break-at", "here"}, "'here' is not the number of a step"},
  });
}

TEST(usage, scenarios_and_groups_are_guessed) {
  expect_usage_errors({
      {{"check", "two_theives"},
       "no scenario is called 'two_theives'; did you mean 'two_thieves'?\n  `list` shows all 2."},
      {{"check", "nothing*"}, "no scenario is called 'nothing*'"},
      {{"list", "zzz"}, "no scenario is called 'zzz'"},
      {{"check", "--group", "queue"}, "there is no group 'queue'; did you mean 'queues'?"},
      {{"check", "--group", "x"}, "Groups: queues, workers."},
      {{"check", "two_thieves", "--group", "workers"},
       "no scenario of group 'workers' has a name that was given"},
  });
}

TEST(usage, a_program_without_scenarios_says_so) {
  FakeProgram fake;
  EXPECT_EQ(fake.run({"check"}), usage) << "an empty run is no success";
  EXPECT_NE(fake.err.str().find("this program has no scenarios"), std::string::npos);
  EXPECT_EQ(fake.run({"list"}), usage);
}

TEST(usage, output_files_are_looked_at_before_the_work) {
  const ScratchFolder folder;
  const std::string file = folder.write("file", "mine");
  const std::string nowhere = folder.file("none/report.json");
  expect_usage_errors({
      {{"check", "--json", nowhere}, "there is no directory"},
      {{"check", "--junit", folder.path().string()}, "is a directory"},
      {{"check", "--sarif", file + "/x"}, "there is no directory"},
      {{"check", "--json", folder.file("a"), "--junit", folder.file("./a")}, "need a file each"},
      {{"check", "--record", file}, "is not a directory"},
      {{"check", "--record", file + "/deeper"}, "is not a directory"},
  });
  EXPECT_EQ(ScratchFolder::read(file), "mine");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(usage, help_and_version_are_no_errors) {
  FakeProgram fake;
  EXPECT_EQ(fake.run({"--help"}), success);
  EXPECT_NE(fake.out.str().find("check"), std::string::npos);
  EXPECT_EQ(fake.run({"check", "--help"}), success);
  EXPECT_NE(fake.out.str().find("--max-executions"), std::string::npos);
  EXPECT_EQ(fake.run({"--version"}), success);
  EXPECT_TRUE(fake.out.str().starts_with("heddle ")) << fake.out.str();
  EXPECT_EQ(fake.err.str(), "");
}

TEST(usage, durations) {
  using namespace std::chrono_literals;
  EXPECT_EQ(parse_duration("60s"), 60s);
  EXPECT_EQ(parse_duration("45"), 45s);
  EXPECT_EQ(parse_duration("500ms"), 500ms);
  EXPECT_EQ(parse_duration("10m"), 10min);
  EXPECT_EQ(parse_duration("10min"), 10min);
  EXPECT_EQ(parse_duration("1h30m5s"), 1h + 30min + 5s);
  for (const char* wrong : {"", "s", "5 s", "1.5h", "5d", "5s5", "99999999999h", "1e9s", "5sm"}) {
    EXPECT_EQ(parse_duration(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace heddle::sim::cli
