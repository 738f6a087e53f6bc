// From a failure that the explorer finds, over its trace file, to its replay: through the command,
// with the real engine. Then the trace is broken, and the scenario changed, in every way that
// happens in life.
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <heddle/sim.hpp>
#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/trace/store.hpp>
#include <heddle/sim/trace/validate.hpp>

#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

using nlohmann::json;
using support::ScratchFolder;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The command over one scenario with the real engine.
struct Command {
  explicit Command(std::function<void()> body, std::string name = "mp",
                   ScenarioOptions options = {}) {
    using Replay = Report (*)(const Trace&, const std::function<void()>&,
                              const std::function<void(std::uint64_t)>&);
    program.explore = &explore;
    program.replay = static_cast<Replay>(&sim::replay);
    program.scenarios.push_back({std::move(name), "a message is there once its flag is up", options,
                                 std::move(body), source_location::current()});
  }

  int run(const std::vector<std::string>& arguments) {
    out.str("");
    err.str("");
    Console console{out, err};
    return cli::run(program, arguments, console);
  }

  Program program;
  std::ostringstream out;
  std::ostringstream err;
};

void pass_message(std::memory_order publish, int value, bool checked) {
  atomic<int> data{0};
  atomic<int> flag{0};
  thread writer([&] {
    data.store(value, relaxed);
    flag.store(1, publish);
  });
  if (flag.load(acquire) == 1) {
    const int seen = data.load(relaxed);
    if (checked) check(seen == value, "the message is there once the flag is up");
  }
  writer.join();
}

void broken_message_passing() { pass_message(relaxed, 42, true); }

// A folder with the recorded failure of broken_message_passing().
class EndToEnd : public ::testing::Test {
 protected:
  void SetUp() override {
    Command command(broken_message_passing);
    ASSERT_EQ(command.run({"check", "--record", folder_.path().string()}), failure)
        << command.err.str() << command.out.str();
    ASSERT_EQ(folder_.files(), 1U);
    recorded_ = ScratchFolder::read(file_);
  }

  // The answer of replay to the trace with `content`, on the scenario that recorded it.
  std::string refusal(const std::string& content) {
    const std::string broken = folder_.write("broken.trace.json", content);
    Command command(broken_message_passing);
    EXPECT_EQ(command.run({"replay", broken}), usage) << command.out.str();
    EXPECT_TRUE(mentions(command.out.str(), "CANNOT BE USED")) << command.out.str();
    EXPECT_TRUE(mentions(command.out.str(), broken)) << "names the file";
    EXPECT_EQ(ScratchFolder::read(broken), content) << "nothing is overwritten";
    return command.out.str();
  }

  std::string edited(const std::function<void(json&)>& change) const {
    json document = json::parse(recorded_);
    document.erase("checksum");
    change(document);
    return document.dump(1);
  }

  // The answer of replay to the recorded trace, on a scenario that has become `body`.
  void expect_changed(const std::function<void()>& body, const std::string& what) {
    Command command(body);
    EXPECT_EQ(command.run({"replay", file_, "--quiet"}), usage) << command.out.str();
    EXPECT_TRUE(mentions(command.out.str(), "step ")) << command.out.str();
    EXPECT_TRUE(mentions(command.out.str(), what)) << command.out.str();
  }

  ScratchFolder folder_;
  std::string file_ = folder_.file("mp.trace.json");
  std::string recorded_;
};

TEST_F(EndToEnd, a_recorded_failure_comes_back) {
  Command command(broken_message_passing);
  EXPECT_EQ(command.run({"replay", file_}), success) << command.out.str();
  EXPECT_TRUE(mentions(command.out.str(), "reproduced  " + file_)) << command.out.str();
  EXPECT_TRUE(mentions(command.out.str(), "! stale: ")) << command.out.str();
  EXPECT_EQ(command.run({"show", file_}), success);
  EXPECT_TRUE(mentions(command.out.str(), "end_to_end_test.cpp:")) << command.out.str();
  EXPECT_EQ(ScratchFolder::read(file_), recorded_);
}

TEST_F(EndToEnd, recording_again_gives_the_same_file) {
  Command command(broken_message_passing);
  EXPECT_EQ(command.run({"check", "--record", folder_.path().string(), "--in-process"}), failure);
  EXPECT_EQ(command.err.str(), "");
  EXPECT_EQ(ScratchFolder::read(file_), recorded_);
}

TEST_F(EndToEnd, a_mended_scenario_does_not_fail_any_more) {
  // The same steps, and nobody who minds.
  Command command([] { pass_message(relaxed, 42, false); });
  EXPECT_EQ(command.run({"replay", file_}), failure) << command.out.str();
  EXPECT_TRUE(mentions(command.out.str(), "FIXED")) << command.out.str();
}

TEST_F(EndToEnd, a_failure_that_comes_a_few_steps_later_is_still_the_failure) {
  Command command([] {
    atomic<int> data{0};
    atomic<int> flag{0};
    thread writer([&] {
      data.store(42, relaxed);
      flag.store(1, relaxed);
    });
    if (flag.load(acquire) == 1) {
      const int seen = data.load(relaxed);
      static_cast<void>(flag.load(acquire));
      flag.store(2, relaxed);
      check(seen == 42, "the message is there once the flag is up");
    }
    writer.join();
  });
  EXPECT_EQ(command.run({"replay", file_}), success) << command.out.str();
}

TEST_F(EndToEnd, says_at_which_step_a_scenario_has_changed_and_how) {
  expect_changed([] { pass_message(release, 42, true); }, "release");
  expect_changed([] { pass_message(relaxed, 43, true); }, "it writes 0x2b");
  expect_changed([] {}, "");
  expect_changed(
      [] {
        sim::atomic_thread_fence(std::memory_order_seq_cst);
        broken_message_passing();
      },
      "fence");
  expect_changed(
      [] {
        atomic<int> first{0};
        atomic<int> data{0};
        thread writer([&] { data.store(42, relaxed); });
        writer.join();
      },
      "");
}

TEST_F(EndToEnd, a_broken_trace_is_refused) {
  EXPECT_TRUE(mentions(refusal(""), "the file is empty"));
  EXPECT_TRUE(mentions(refusal(recorded_.substr(0, recorded_.size() / 2)), "cut short"));
  EXPECT_TRUE(mentions(refusal("{\"name\": \"something else\"}"), "not a heddle trace"));
  EXPECT_TRUE(mentions(refusal("#!/bin/sh\nexit 0\n"), "line 1, column 1: is not JSON"));
  std::string changed = recorded_;
  changed.replace(changed.find("0x2a"), 4, "0x2b");
  EXPECT_TRUE(mentions(refusal(changed), "checksum: the content is not what was recorded"));
  EXPECT_TRUE(mentions(refusal(edited([](json& d) { d["version"] = 99; })),
                       "has format version 99, this heddle reads up to 2"));
  EXPECT_TRUE(mentions(refusal(edited([](json& d) { d["scenario"] = "mpp"; })),
                       "no scenario 'mpp'; did you mean 'mp'?"));
  EXPECT_TRUE(mentions(refusal(edited([](json& d) { d["steps"][0]["kind"] = "spwan"; })),
                       "steps[0].kind: 'spwan' is not a kind of step; did you mean 'spawn'?"));
  EXPECT_TRUE(mentions(refusal(edited([](json& d) { d["steps"][1]["thread"] = "one"; })),
                       "steps[1].thread: must be a whole number, but is text"));
  EXPECT_TRUE(mentions(refusal(edited([](json& d) {
                         for (json& step : d["steps"]) {
                           if (step.contains("source")) step["source"] = 1000;
                         }
                       })),
                       "step 1000 is not before this one"));
}

TEST_F(EndToEnd, a_trace_whose_decisive_step_was_taken_out_shows_nothing) {
  const std::string shortened = folder_.write(
      "short.trace.json", edited([](json& d) { d["steps"].erase(d["steps"].size() - 1); }));
  Command command(broken_message_passing);
  EXPECT_EQ(command.run({"replay", shortened}), failure) << command.out.str();
}

// Every kind of failure goes through a file and comes back.
struct Kind {
  const char* name;
  FailureKind kind;
  std::function<void()> body;
};

class EveryKind : public ::testing::TestWithParam<Kind> {};

TEST_P(EveryKind, goes_through_a_file_and_comes_back) {
  const Kind& param = GetParam();
  const ScratchFolder folder;
  Command command(param.body, param.name, {.timeouts = false, .expect = param.kind});
  ASSERT_EQ(command.run({"check", "--record", folder.path().string()}), success)
      << command.err.str() << command.out.str();
  const Trace trace = trace::read(folder.file(std::string(param.name) + ".trace.json"));
  EXPECT_EQ(trace.failure, param.kind);
  EXPECT_EQ(trace::find_problem(trace), std::nullopt);
  EXPECT_EQ(command.run({"replay", folder.path().string()}), success) << command.out.str();
}

INSTANTIATE_TEST_SUITE_P(kinds, EveryKind,
                         ::testing::Values(Kind{"message", FailureKind::check,
                                                broken_message_passing},
                                           Kind{"thrown", FailureKind::exception,
                                                [] { throw std::runtime_error("out"); }},
                                           Kind{"race", FailureKind::data_race,
                                                [] {
                                                  cell<int> shared(0);
                                                  thread other([&] { shared.write(1); });
                                                  shared.write(2);
                                                  other.join();
                                                }},
                                           Kind{"locks", FailureKind::deadlock,
                                                [] {
                                                  mutex left;
                                                  mutex right;
                                                  thread other([&] {
                                                    right.lock();
                                                    left.lock();
                                                    left.unlock();
                                                    right.unlock();
                                                  });
                                                  left.lock();
                                                  right.lock();
                                                  right.unlock();
                                                  left.unlock();
                                                  other.join();
                                                }},
                                           Kind{"lost_wakeup", FailureKind::deadlock,
                                                [] {
                                                  mutex guard;
                                                  condition_variable ready;
                                                  thread other([&] { ready.notify_one(); });
                                                  {
                                                    std::unique_lock lock(guard);
                                                    ready.wait(lock);
                                                    ready.wait(lock);
                                                  }
                                                  other.join();
                                                }},
                                           Kind{"spins", FailureKind::livelock,
                                                [] {
                                                  atomic<int> flag{0};
                                                  while (flag.load() == 0) spin_hint();
                                                }},
                                           Kind{"lost_thread", FailureKind::unjoined_thread,
                                                [] { thread other([] {}); }},
                                           Kind{"unlocked", FailureKind::misuse,
                                                [] {
                                                  mutex guard;
                                                  guard.unlock();
                                                }}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(views, of_a_real_deadlock_names_who_waits_for_whom) {
  const ScratchFolder folder;
  Command command(
      [] {
        mutex left;
        mutex right;
        thread other([&] {
          right.lock();
          left.lock();
          left.unlock();
          right.unlock();
        });
        left.lock();
        right.lock();
        right.unlock();
        left.unlock();
        other.join();
      },
      "locks");
  EXPECT_EQ(command.run({"check"}), failure);
  EXPECT_TRUE(mentions(command.out.str(), "They wait for each other: T0 → T1 → T0"))
      << command.out.str();
}

}  // namespace
}  // namespace heddle::sim::cli
