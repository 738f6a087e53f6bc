// The gate is green for what is right, and red, with the place, for each kind of thing that can be
// wrong.
#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <nlohmann/json.hpp>

#include <heddle/sim/trace/json.hpp>
#include <heddle/sim/trace/store.hpp>

#include "../support/real_command.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

using nlohmann::json;
using support::RealCommand;
using support::ScratchFolder;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto seq_cst = std::memory_order_seq_cst;

// What a change can break in a small park handshake.
struct Code {
  std::memory_order publish = release;
  bool rechecks = true;
  bool has_fence = true;
  int extra_loads = 0;
};

// The sleeper announces, looks once more, then sleeps; the waker publishes, then looks for
// sleepers.
void handshake(const Code& code) {
  cell<int> data(0);
  atomic<int> work(0);
  atomic<int> asleep(0);
  atomic<int> wake(0);
  thread waker([&] {
    data.write(7);
    work.store(1, code.publish);
    if (code.has_fence) sim::atomic_thread_fence(seq_cst);
    if (asleep.load(relaxed) == 1) {
      wake.store(1, relaxed);
      wake.notify_one();
    }
  });
  for (int i = 0; i < code.extra_loads; ++i) static_cast<void>(work.load(relaxed));
  if (work.load(acquire) == 0) {
    asleep.store(1, relaxed);
    if (code.has_fence) sim::atomic_thread_fence(seq_cst);
    if (!code.rechecks || work.load(relaxed) == 0) wake.wait(0, relaxed);
  } else {
    check(data.read() == 7, "the work is there once it is announced");
  }
  waker.join();
}

void sampled_only() {
  atomic<int> word(0);
  thread a([&] { word.store(1, relaxed); });
  thread b([&] { word.store(2, relaxed); });
  static_cast<void>(word.load(relaxed));
  a.join();
  b.join();
}

class Gate : public ::testing::Test {
 protected:
  RealCommand& with(const Code& code, ScenarioOptions options = {}) {
    return command_.add(
        "handshake", [code] { handshake(code); }, options);
  }
  int run(std::vector<std::string> more = {}, const std::string& time = "60s") {
    std::vector<std::string> arguments = {"gate",     "--quiet", "--output", output(),
                                          "--traces", traces(),  "--time",   time};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return command_.run(arguments);
  }
  std::string output() const { return folder_.file("out"); }
  std::string traces() const {
    std::filesystem::create_directories(folder_.path() / "traces");
    return folder_.file("traces");
  }
  std::string report(const std::string& name) const {
    return ScratchFolder::read(std::filesystem::path(output()) / name);
  }
  // A trace that the right code does not have any more, or a file that is no trace.
  void add_trace(const std::string& content) {
    static_cast<void>(traces());
    folder_.write("traces/handshake.trace.json", content);
  }

  RealCommand command_;
  ScratchFolder folder_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

TEST_F(Gate, is_green_for_what_is_right) {
  with({});
  EXPECT_EQ(run(), success) << command_.said();
  EXPECT_TRUE(command_.says("gate passed")) << command_.said();
  EXPECT_EQ(last_line(command_.out.str()).rfind("replay:", 0), 0U) << command_.said();
  EXPECT_TRUE(has(report("summary.md"), "# heddle gate: passed"));
  // Nothing is left out silently, and what is not there is said.
  EXPECT_TRUE(has(report("summary.md"), "replay: there are no traces in")) << report("summary.md");
  EXPECT_TRUE(has(report("summary.md"), "nothing is left to chance"));
  for (const char* name : {"junit.xml", "results.sarif", "results.json", "audit.md", "audit.json",
                           "coverage.md", "coverage.json", "sampling.json"}) {
    EXPECT_FALSE(report(name).empty()) << name;
  }
}

TEST_F(Gate, a_weakened_order_turns_it_red) {
  with({.publish = relaxed});
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("gate_test.cpp")) << command_.said();
  EXPECT_TRUE(command_.says("handshake FAILED: data_race")) << command_.said();
  EXPECT_TRUE(has(last_line(command_.out.str()), "replay: heddle replay ")) << command_.said();
  EXPECT_TRUE(has(report("traces/handshake.html"), "<html")) << "the page beside the trace";
  // The line that it gives does replay.
  const std::string file = output() + "/traces/handshake.trace.json";
  EXPECT_EQ(command_.run({"replay", file}), success) << command_.said();
}

TEST_F(Gate, a_dropped_recheck_turns_it_red) {
  with({.rechecks = false});
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("handshake FAILED: deadlock")) << command_.said();
}

TEST_F(Gate, a_removed_fence_turns_it_red) {
  with({.has_fence = false});
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("handshake FAILED: deadlock")) << command_.said();
}

TEST_F(Gate, a_changed_golden_count_turns_it_red) {
  with({}, {.executions = 1});
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("handshake WRONG COUNT")) << command_.said();
}

TEST_F(Gate, a_known_bad_variant_that_is_not_caught_turns_it_red) {
  with({}, {.expect = FailureKind::deadlock, .caught_by = "lost wakeups"});
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("handshake NOT CAUGHT")) << command_.said();
}

TEST_F(Gate, a_known_bad_variant_that_is_caught_is_fine) {
  with({.has_fence = false}, {.expect = FailureKind::deadlock, .caught_by = "lost wakeups"});
  command_.add("right", [] { handshake({}); });
  EXPECT_EQ(run(), success) << command_.said();
}

TEST_F(Gate, a_trace_that_does_not_come_back_turns_it_red) {
  // Recorded on the wrong code, replayed on the right one.
  Report found = explore({}, [] { handshake({.publish = relaxed}); });
  ASSERT_TRUE(found.failure);
  found.failure->trace.scenario = "handshake";
  add_trace(trace::write_json(found.failure->trace));
  with({});
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("traces/handshake.trace.json:1: ")) << command_.said();
}

TEST_F(Gate, a_broken_trace_turns_it_red) {
  add_trace("{\"format\": \"heddle-trace\", ");
  with({});
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("traces/handshake.trace.json:1: ")) << command_.said();
  EXPECT_TRUE(command_.says("cut short")) << command_.said();
}

TEST_F(Gate, a_scenario_that_became_incomplete_turns_it_red) {
  // So many loads that the limit on steps ends every execution.
  with({.extra_loads = 40}, {.max_steps = 20});
  EXPECT_EQ(run({"--skip", "sampling"}), not_complete) << command_.said();
  EXPECT_TRUE(command_.says("handshake incomplete: stopped by max_steps")) << command_.said();
}

TEST_F(Gate, an_order_that_nothing_needs_turns_it_red_until_it_is_explained) {
  with({.publish = seq_cst});
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("seq_cst → release: not needed within these bounds"))
      << command_.said();
  const std::string notes =
      folder_.write("notes.txt", "* | * | store | seq_cst -> release | symmetric to the loads\n");
  EXPECT_EQ(run({"--notes", notes}), success) << command_.said();
}

TEST_F(Gate, says_what_was_left_out) {
  with({});
  EXPECT_EQ(run({"--skip", "audit", "--skip", "sampling"}), success) << command_.said();
  EXPECT_TRUE(command_.says("left out or cut short: audit: left out by --skip")) << command_.said();
  EXPECT_EQ(run({"--skip", "scenarios"}), usage);
  EXPECT_TRUE(command_.says("is not one of replay, coverage, audit, sampling")) << command_.said();
}

TEST_F(Gate, samples_what_is_too_large) {
  command_.add("large", sampled_only, {.exhaustive = false});
  EXPECT_EQ(run({"--seed", "7"}, "4s"), success) << command_.said();
  EXPECT_TRUE(command_.says("seed 8")) << command_.said();
  EXPECT_TRUE(has(report("summary.md"), "| large | sampled |")) << report("summary.md");
}

TEST_F(Gate, refuses_what_it_cannot_use) {
  with({});
  EXPECT_EQ(run({"--traces", folder_.file("missing")}), usage);
  EXPECT_EQ(run({"--notes", folder_.file("missing")}), usage);
  folder_.write("file", "");
  EXPECT_EQ(run({"--output", folder_.file("file")}), usage);
  EXPECT_EQ(run({"handshaik"}), usage);
  EXPECT_TRUE(command_.says("did you mean 'handshake'?")) << command_.said();
}

// ---- The documents, by the rules that their readers rely on. ----

// What GitHub's upload and editors' SARIF viewers need of a result; every reference inside the
// document must be there.
void expect_sarif(const json& document) {
  EXPECT_EQ(document.at("version"), "2.1.0");
  EXPECT_TRUE(document.at("$schema").is_string());
  for (const json& run : document.at("runs")) {
    const json& driver = run.at("tool").at("driver");
    EXPECT_TRUE(driver.at("name").is_string());
    std::set<std::string> rules;
    for (const json& rule : driver.at("rules")) {
      EXPECT_TRUE(rules.insert(rule.at("id")).second) << "rules are unique";
    }
    for (const json& result : run.at("results")) {
      EXPECT_EQ(rules.count(result.at("ruleId")), 1U) << result.at("ruleId");
      const std::string level = result.at("level");
      EXPECT_TRUE(level == "error" || level == "warning") << level;
      EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
      EXPECT_TRUE(result.at("partialFingerprints").is_object());
      EXPECT_FALSE(result.at("locations").empty());
      const auto expect_place = [](const json& place) {
        const json& physical = place.at("physicalLocation");
        EXPECT_FALSE(physical.at("artifactLocation").at("uri").get<std::string>().empty());
        EXPECT_GE(physical.at("region").at("startLine").get<int>(), 1);
      };
      for (const json& place : result.at("locations")) expect_place(place);
      for (const json& flow : result.value("codeFlows", json::array())) {
        EXPECT_FALSE(flow.at("threadFlows").empty());
        for (const json& one : flow.at("threadFlows")) {
          int before = 0;
          EXPECT_FALSE(one.at("locations").empty());
          for (const json& step : one.at("locations")) {
            if (step.at("location").contains("physicalLocation")) expect_place(step["location"]);
            EXPECT_GT(step.at("executionOrder").get<int>(), before) << "in the order of time";
            before = step["executionOrder"];
          }
        }
      }
    }
  }
}

// Counts are those of the elements; names and classes are there; a failure has a message.
void expect_junit(const std::string& text) {
  std::istringstream in(text);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(in, tree);
  const auto& all = tree.get_child("testsuites");
  std::size_t tests = 0;
  std::size_t failures = 0;
  for (const auto& [suite_tag, suite] : all) {
    if (suite_tag != "testsuite") continue;
    EXPECT_FALSE(suite.get<std::string>("<xmlattr>.name").empty());
    std::size_t suite_tests = 0;
    std::size_t suite_failures = 0;
    for (const auto& [tag, one] : suite) {
      if (tag != "testcase") continue;
      ++suite_tests;
      EXPECT_FALSE(one.get<std::string>("<xmlattr>.name").empty());
      EXPECT_FALSE(one.get<std::string>("<xmlattr>.classname").empty());
      EXPECT_GE(one.get<double>("<xmlattr>.time"), 0);
      if (one.count("failure") == 0) continue;
      ++suite_failures;
      EXPECT_FALSE(one.get<std::string>("failure.<xmlattr>.message").empty());
      EXPECT_FALSE(one.get<std::string>("failure.<xmlattr>.type").empty());
    }
    EXPECT_EQ(suite.get<std::size_t>("<xmlattr>.tests"), suite_tests);
    EXPECT_EQ(suite.get<std::size_t>("<xmlattr>.failures"), suite_failures);
    tests += suite_tests;
    failures += suite_failures;
  }
  EXPECT_EQ(all.get<std::size_t>("<xmlattr>.tests"), tests);
  EXPECT_EQ(all.get<std::size_t>("<xmlattr>.failures"), failures);
}

TEST_F(Gate, documents_have_the_structure_that_readers_need) {
  add_trace("not a trace");
  with({.has_fence = false});
  command_.add("strong", [] { handshake({.publish = seq_cst}); });
  EXPECT_EQ(run(), failure) << command_.said();
  const json sarif = json::parse(report("results.sarif"));
  expect_sarif(sarif);
  expect_junit(report("junit.xml"));
  std::set<std::string> rules;
  bool has_flow = false;
  for (const json& result : sarif["runs"][0]["results"]) {
    rules.insert(result["ruleId"]);
    has_flow = has_flow || result.contains("codeFlows");
  }
  EXPECT_EQ(rules, (std::set<std::string>{"deadlock", "order_not_needed", "unusable_trace"}));
  EXPECT_TRUE(has_flow) << "the interleaving is in the failure's code flows";
  EXPECT_TRUE(has(report("summary.md"), "the failing execution")) << "a picture for reviewers";
}

TEST_F(Gate, documents_of_a_green_run_have_it_too) {
  with({});
  EXPECT_EQ(run(), success) << command_.said();
  expect_sarif(json::parse(report("results.sarif")));
  expect_junit(report("junit.xml"));
}

}  // namespace
}  // namespace heddle::sim::cli
