// `heddle replay` and `heddle show` over an engine that the test makes up.
#include <string>

#include <gtest/gtest.h>

#include <heddle/sim/trace/json.hpp>

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

struct Folder : ScratchFolder {
  std::string save(const support::HandMadeTrace& made) const {
    return write(made.trace().scenario + ".trace.json", trace::write_json(made.trace()));
  }
};

TEST(replay, says_whether_the_failure_came_back) {
  const Folder folder;
  const std::string file = folder.save(support::race());
  FakeProgram fake;
  fake.add("race", support::failed(support::race()));
  EXPECT_EQ(fake.run({"replay", file}), success);
  EXPECT_TRUE(mentions(fake.out.str(), "reproduced  " + file + ": data_race: two accesses"))
      << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "write cell T0.1")) << "it is shown step by step";
  EXPECT_EQ(fake.run({"replay", file, "--quiet"}), success);
  EXPECT_FALSE(mentions(fake.out.str(), "write cell T0.1"));

  fake.answers["race"] = support::verified(1);
  EXPECT_EQ(fake.run({"replay", file}), failure);
  EXPECT_TRUE(mentions(fake.out.str(), "FIXED")) << fake.out.str();

  fake.answers["race"] = support::failed(support::opposite_locks());
  EXPECT_EQ(fake.run({"replay", file}), failure);
  EXPECT_TRUE(mentions(fake.out.str(), "ANOTHER FAILURE")) << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "recorded was data_race")) << fake.out.str();

  fake.answers["race"] = support::incomplete(0, "step 2: a store to T0.1, where a load was");
  EXPECT_EQ(fake.run({"replay", file}), usage);
  EXPECT_TRUE(mentions(fake.out.str(), "no longer the one that was recorded: step 2: a store"))
      << fake.out.str();

  fake.answers["race"] = support::broken("no graph");
  EXPECT_EQ(fake.run({"replay", file}), internal);
}

TEST(replay, another_check_is_another_failure) {
  const Folder folder;
  const std::string file = folder.save(support::message_passing());
  FakeProgram fake;
  auto other = support::message_passing();
  fake.add("message_passing", support::failed(other));
  EXPECT_EQ(fake.run({"replay", file}), success);
  other.trace().message = "another check";
  fake.answers["message_passing"] = support::failed(other);
  EXPECT_EQ(fake.run({"replay", file}), failure);
}

TEST(replay, asks_what_became_of_a_failure_that_does_not_come_back) {
  const Folder folder;
  const std::string file = folder.save(support::race());
  const std::string before = ScratchFolder::read(file);
  FakeProgram fake;
  fake.add("race", support::incomplete(0, "step 2: a store to T0.1, where a load was"));
  trace::Found answer;
  fake.program.find_again = [&answer](const Trace&, const Program::Body&,
                                      const trace::FindOptions&) { return answer; };
  answer = {trace::Fate::repaired, support::race().trace(), "another way leads to it"};
  EXPECT_EQ(fake.run({"replay", file}), success);
  EXPECT_TRUE(mentions(fake.out.str(), "repaired  " + file + ": data_race: two accesses"))
      << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "--update writes")) << fake.out.str();
  EXPECT_EQ(ScratchFolder::read(file), before) << "nothing is written unless it is asked for";

  answer.trace.execution = 99;
  EXPECT_EQ(fake.run({"replay", file, "--update"}), success);
  EXPECT_EQ(trace::read_json(ScratchFolder::read(file), file).execution, 99U);

  answer = {trace::Fate::fixed, {}, "an order forbids it"};
  EXPECT_EQ(fake.run({"replay", file, "--update"}), failure);
  EXPECT_TRUE(mentions(fake.out.str(), "data_race did not come back: an order forbids it"))
      << fake.out.str();
  answer = {trace::Fate::obsolete, {}, "decision 1 is never reached"};
  EXPECT_EQ(fake.run({"replay", file, "--update"}), usage);
  EXPECT_TRUE(mentions(fake.out.str(), "OBSOLETE")) << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "decision 1 is never reached")) << fake.out.str();
  answer = {trace::Fate::another_failure, support::opposite_locks().trace(), ""};
  EXPECT_EQ(fake.run({"replay", file, "--update"}), failure);
  EXPECT_TRUE(mentions(fake.out.str(), "ANOTHER FAILURE")) << fake.out.str();
  EXPECT_EQ(trace::read_json(ScratchFolder::read(file), file).execution, 99U)
      << "only repaired ones are written";
}

TEST(replay, guesses_the_scenario_of_an_unknown_name) {
  const Folder folder;
  const std::string file = folder.save(support::race());
  FakeProgram fake;
  fake.add("races", support::verified(1));
  EXPECT_EQ(fake.run({"replay", file}), usage);
  EXPECT_TRUE(
      mentions(fake.out.str(), "this program has no scenario 'race'; did you mean 'races'?"))
      << fake.out.str();
}

TEST(replay, goes_on_after_a_trace_that_cannot_be_used) {
  const Folder folder;
  folder.save(support::race());
  folder.write("broken.trace.json", "{");
  FakeProgram fake;
  fake.add("race", support::failed(support::race()));
  EXPECT_EQ(fake.run({"replay", folder.path().string()}), usage);
  EXPECT_TRUE(mentions(fake.out.str(), "CANNOT BE USED  " + folder.file("broken.trace.json") +
                                           ": line 1, column 2: ends in the middle"))
      << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "reproduced  " + folder.file("race.trace.json")));
  EXPECT_FALSE(mentions(fake.out.str(), "write cell")) << "several are not drawn";
}

TEST(replay, breaks_only_where_it_can) {
  const Folder folder;
  const std::string file = folder.save(support::race());
  const std::string other = folder.save(support::spinning());
  FakeProgram fake;
  fake.add("race", support::failed(support::race()));
  fake.add("spinning", support::failed(support::spinning()));
  EXPECT_EQ(fake.run({"replay", file, "--break-at", "4"}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "the trace has 4 steps, 0 is the first")) << fake.err.str();
  EXPECT_EQ(fake.run({"replay", file, other, "--break-at", "1"}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "goes with one trace")) << fake.err.str();
  EXPECT_EQ(fake.run({"replay", file, "--break-at", "1"}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "gdb --args")) << fake.err.str();
}

TEST(replay, refuses_paths_that_lead_nowhere) {
  const Folder folder;
  FakeProgram fake;
  EXPECT_EQ(fake.run({"replay", folder.file("none")}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "there is no such file or directory"));
  EXPECT_EQ(fake.run({"replay", folder.path().string()}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "no *.trace.json in this directory")) << fake.err.str();
}

TEST(show, draws_traces) {
  const Folder folder;
  const std::string file = folder.save(support::spinning());
  FakeProgram fake;
  EXPECT_EQ(fake.run({"show", file}), success);
  support::expect_approved("show.txt", fake.out.str());
  EXPECT_EQ(fake.run({"show", file, "--every-step"}), success);
  EXPECT_GT(fake.out.str().size(), 20'000U);
  EXPECT_EQ(fake.run({"show", folder.file("none")}), usage);
  EXPECT_EQ(fake.run({"show", folder.write("bad", "x")}), usage);
  EXPECT_EQ(fake.out.str(), "");
}

}  // namespace
}  // namespace heddle::sim::cli
