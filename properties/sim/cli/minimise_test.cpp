// `heddle minimise` over an engine that the test makes up, and its part in `heddle check`.
#include <string>

#include <gtest/gtest.h>

#include <heddle/sim/trace/json.hpp>

#include "../support/fake_program.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

using support::FakeProgram;
using support::ScratchFolder;

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A minimiser that drops the last step and says how it went.
struct Minimising : FakeProgram {
  Minimising() {
    program.minimise = [this](const Trace& given, const Program::Body&,
                              const trace::MinimiseOptions& options) {
      asked_time = options.time_limit;
      trace::Minimised result;
      result.trace = given;
      result.before = trace::size_of(given);
      result.reproduced = reproduces;
      result.remark = reproduces ? "" : "it does not come back";
      if (reproduces) result.trace.steps.pop_back();
      result.after = trace::size_of(result.trace);
      result.runs = 7;
      return result;
    };
  }
  std::chrono::nanoseconds asked_time{0};
  bool reproduces = true;
};

struct MinimiseCommand : testing::Test {
  ScratchFolder folder;
  Minimising fake;
  std::string file = folder.write("race.trace.json", trace::write_json(support::race().trace()));
  std::size_t steps = support::race().trace().steps.size();

  MinimiseCommand() { fake.add("race", support::failed(support::race())); }
  std::size_t steps_in(const std::string& name) const {
    return trace::read_json(ScratchFolder::read(name), name).steps.size();
  }
};

TEST_F(MinimiseCommand, shows_what_it_found_and_writes_nothing_unasked) {
  EXPECT_EQ(fake.run({"minimise", file}), success);
  EXPECT_TRUE(mentions(fake.out.str(), file + ": steps 4 → 3, threads")) << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "(7 runs)")) << fake.out.str();
  EXPECT_TRUE(mentions(fake.out.str(), "Nothing was written")) << fake.out.str();
  EXPECT_EQ(steps_in(file), steps);
  EXPECT_EQ(fake.asked_time, std::chrono::seconds(60));
}

TEST_F(MinimiseCommand, writes_where_it_is_told_to) {
  const std::string output = folder.file("small.trace.json");
  EXPECT_EQ(fake.run({"minimise", file, "--output", output, "--time", "5s"}), success);
  EXPECT_EQ(steps_in(output), steps - 1);
  EXPECT_EQ(steps_in(file), steps);
  EXPECT_EQ(fake.asked_time, std::chrono::seconds(5));
  EXPECT_EQ(fake.run({"minimise", file, "--output", output}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "--overwrite replaces it")) << fake.err.str();
  EXPECT_EQ(fake.run({"minimise", file, "--overwrite", "--quiet"}), success);
  EXPECT_EQ(steps_in(file), steps - 1);
}

TEST_F(MinimiseCommand, replaces_nothing_but_a_trace_of_the_scenario) {
  const std::string notes = folder.write("notes.txt", "not a trace");
  EXPECT_EQ(fake.run({"minimise", file, "--output", notes, "--overwrite"}), usage);
  EXPECT_EQ(ScratchFolder::read(notes), "not a trace");
  const std::string other =
      folder.write("spinning.trace.json", trace::write_json(support::spinning().trace()));
  const std::string before = ScratchFolder::read(other);
  EXPECT_EQ(fake.run({"minimise", file, "--output", other, "--overwrite"}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "is a trace of another scenario")) << fake.err.str();
  EXPECT_EQ(ScratchFolder::read(other), before);
}

TEST_F(MinimiseCommand, says_when_the_failure_does_not_come_back) {
  fake.reproduces = false;
  EXPECT_EQ(fake.run({"minimise", file, "--overwrite"}), failure);
  EXPECT_TRUE(mentions(fake.out.str(), "NOT REPRODUCED")) << fake.out.str();
  EXPECT_EQ(steps_in(file), steps);
}

TEST_F(MinimiseCommand, goes_on_after_a_trace_that_cannot_be_used) {
  folder.write("broken.trace.json", "{");
  folder.write("unknown.trace.json", trace::write_json(support::spinning().trace()));
  EXPECT_EQ(fake.run({"minimise", folder.path().string()}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "broken.trace.json")) << fake.err.str();
  EXPECT_TRUE(mentions(fake.err.str(), "no scenario 'spinning'")) << fake.err.str();
  EXPECT_TRUE(mentions(fake.out.str(), "race.trace.json: steps")) << fake.out.str();
  EXPECT_EQ(fake.run({"minimise", folder.path().string(), "--output", "x"}), usage);
  EXPECT_TRUE(mentions(fake.err.str(), "goes with one trace")) << fake.err.str();
  EXPECT_EQ(fake.run({"minimise", folder.file("none")}), usage);
  EXPECT_EQ(fake.run({"minimise"}), usage);
}

TEST_F(MinimiseCommand, is_part_of_check) {
  const std::string recorded = folder.file("traces/race.trace.json");
  EXPECT_EQ(fake.run({"check", "--in-process", "--record", folder.file("traces")}), failure);
  EXPECT_EQ(steps_in(recorded), steps - 1);
  EXPECT_EQ(fake.run({"check", "--in-process", "--no-minimise", "--overwrite", "--record",
                      folder.file("traces")}),
            failure);
  EXPECT_EQ(steps_in(recorded), steps);
  // A minimiser that breaks costs nothing.
  fake.program.minimise = [](const Trace&, const Program::Body&,
                             const trace::MinimiseOptions&) -> trace::Minimised {
    throw std::logic_error("broken");
  };
  EXPECT_EQ(fake.run({"check", "--in-process"}), failure);
  EXPECT_TRUE(mentions(fake.out.str(), "write cell T0.1")) << fake.out.str();
}

}  // namespace
}  // namespace heddle::sim::cli
