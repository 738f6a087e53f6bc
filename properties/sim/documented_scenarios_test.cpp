// The examples of docs/writing-scenarios.md. What stands between two marks stands in the document
// word for word, and each example does what the document says of it.
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// [first
#include <heddle/sim.hpp>

namespace sim = heddle::sim;

void pass_message(std::memory_order publish) {
  sim::atomic<int> message{0};
  sim::atomic<bool> ready{false};
  sim::thread sender([&] {
    message.store(42, std::memory_order_relaxed);
    ready.store(true, publish);
  });
  if (ready.load(std::memory_order_acquire)) {
    sim::check(message.load(std::memory_order_relaxed) == 42, "the message is there");
  }
  sender.join();
}

HEDDLE_SCENARIO(message_arrives, "a message is there once its flag is up",
                {.threads = 2, .executions = 2}) {
  pass_message(std::memory_order_release);
}
// first]

// [known_bad
HEDDLE_SCENARIO(message_too_weak, "a flag raised by a relaxed store publishes nothing",
                {.threads = 2,
                 .expect = sim::FailureKind::check,
                 .caught_by = "the message is there",
                 .group = "known_bad"}) {
  pass_message(std::memory_order_relaxed);
}
// known_bad]

// [spin
HEDDLE_SCENARIO(waits_for_flag, "whoever waits for the flag sees the message") {
  sim::cell<int> message(0);
  sim::atomic<bool> ready{false};
  sim::thread sender([&] {
    message.write(42);
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_acquire)) sim::spin_hint();
  sim::check(message.read() == 42, "the message is there");
  sender.join();
}
// spin]

// [choose
HEDDLE_SCENARIO(any_order, "whichever end is popped first, nothing is popped twice") {
  sim::atomic<int> left{1};
  sim::thread other([&] { left.exchange(0); });
  const bool takes = sim::choose(2) == 1;  // explored both ways
  const int taken = takes ? left.exchange(0) : 0;
  other.join();
  sim::check(taken <= 1, "one item, once");
}
// choose]

// [assume
HEDDLE_SCENARIO(only_late_readers, "a reader that comes late sees the last value") {
  sim::atomic<int> value{0};
  sim::atomic<bool> done{false};
  sim::thread writer([&] {
    value.store(1, std::memory_order_relaxed);
    value.store(2, std::memory_order_relaxed);
    done.store(true, std::memory_order_release);
  });
  sim::assume(done.load(std::memory_order_acquire));  // early readers are another scenario's
  sim::check(value.load(std::memory_order_relaxed) == 2, "the last value");
  writer.join();
}
// assume]

// [wakeup
HEDDLE_SCENARIO(sleeper_wakes, "a signal sent before the wait is not lost", {.timeouts = false}) {
  sim::mutex guard;
  sim::condition_variable changed;
  sim::cell<bool> signalled(false);
  sim::thread sleeper([&] {
    std::unique_lock lock(guard);
    changed.wait(lock, [&] { return signalled.read(); });
  });
  {
    const std::unique_lock lock(guard);
    signalled.write(true);
  }
  changed.notify_one();
  sleeper.join();
}
// wakeup]

// [outcomes
sim::Report store_buffering(std::memory_order order) {
  sim::Options options;
  options.memory_model = sim::MemoryModel::rc11;
  return sim::explore(options, [order] {
    sim::atomic<int> x{0};
    sim::atomic<int> y{0};
    sim::thread other([&] {
      x.store(1, order);
      sim::observe("saw y", y.load(order));
    });
    y.store(1, order);
    sim::observe("saw x", x.load(order));
    other.join();
  });
}
// outcomes]

// [outside
std::map<int, int> values_seen() {
  std::map<int, int> seen;
  sim::explore({}, [&seen] {
    sim::atomic<int> x{0};
    sim::thread writer([&] { x.store(1); });
    const int value = x.load();
    sim::outside([&] { ++seen[value]; });
    writer.join();
  });
  return seen;
}
// outside]

// [history
HEDDLE_SCENARIO(operations_in_traces, "calls of the object stand in the trace") {
  sim::atomic<int> top{1};
  sim::thread thief([&] {
    sim::operation steal("steal()");
    steal.returns(top.exchange(0) == 1 ? "1" : "nothing");
  });
  sim::operation pop("pop()");
  pop.returns(top.exchange(0) == 1 ? "1" : "nothing");
  thief.join();
}
// history]

namespace {

std::string read(const std::string& path) {
  std::ifstream in(std::string(HEDDLE_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

// The examples of this file by name.
std::map<std::string, std::string> examples() {
  std::istringstream lines(read("properties/sim/documented_scenarios_test.cpp"));
  std::map<std::string, std::string> found;
  std::string open;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("// [")) {
      open = line.substr(4);
    } else if (line == "// " + open + "]") {
      open.clear();
    } else if (!open.empty()) {
      found[open] += line + "\n";
    }
  }
  return found;
}

sim::Report run(const char* name) {
  const sim::Scenario* scenario = sim::find_scenario(name);
  if (scenario == nullptr) {
    ADD_FAILURE() << name;
    return {};
  }
  sim::Options options;
  options.timeouts = scenario->options.timeouts;
  return sim::explore(options, scenario->body);
}

TEST(documented_scenarios, stand_in_the_document_word_for_word) {
  const std::string document = read("docs/writing-scenarios.md");
  const auto all = examples();
  EXPECT_EQ(all.size(), 9U);
  for (const auto& [name, text] : all) {
    EXPECT_NE(document.find("```cpp\n" + text + "```"), std::string::npos)
        << "docs/writing-scenarios.md has another text of example " << name << ":\n"
        << text;
  }
}

TEST(documented_scenarios, are_verified_where_the_document_says_so) {
  for (const char* name : {"message_arrives", "waits_for_flag", "any_order", "only_late_readers",
                           "sleeper_wakes", "operations_in_traces"}) {
    const sim::Report report = run(name);
    EXPECT_EQ(report.verdict, sim::Verdict::verified)
        << name << ": " << (report.failure ? report.failure->message : report.bound);
    EXPECT_GT(report.executions, 0U) << name;
  }
  EXPECT_EQ(run("message_arrives").executions, 2U);
  EXPECT_GT(run("only_late_readers").blocked, 0U);
}

TEST(documented_scenarios, fail_where_the_document_says_so) {
  const sim::Report report = run("message_too_weak");
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->kind, sim::FailureKind::check);
  EXPECT_EQ(report.failure->message, "the message is there");
}

TEST(documented_scenarios, outcomes_are_what_the_document_says) {
  const sim::Outcome both_zero = {{"saw x", 0}, {"saw y", 0}};
  EXPECT_TRUE(store_buffering(std::memory_order_relaxed).outcomes.contains(both_zero));
  EXPECT_FALSE(store_buffering(std::memory_order_seq_cst).outcomes.contains(both_zero));
  EXPECT_EQ(store_buffering(std::memory_order_relaxed).outcomes.size(), 4U);
  EXPECT_EQ(store_buffering(std::memory_order_seq_cst).outcomes.size(), 3U);
  EXPECT_EQ(values_seen(), (std::map<int, int>{{0, 1}, {1, 1}}));
}

// The figures of "What makes the space large".
std::uint64_t executions(int threads, int operations, bool one_location) {
  return sim::explore({},
                      [=] {
                        std::vector<sim::atomic<int>> counters(static_cast<std::size_t>(threads));
                        std::vector<sim::thread> workers;
                        for (int t = 0; t < threads; ++t) {
                          workers.emplace_back([&, t] {
                            for (int n = 0; n < operations; ++n) {
                              counters[one_location ? 0 : static_cast<std::size_t>(t)].fetch_add(1);
                            }
                          });
                        }
                        for (auto& worker : workers) worker.join();
                      })
      .executions;
}

TEST(documented_scenarios, the_figures_of_the_document_are_right) {
  EXPECT_EQ(executions(2, 2, true), 6U);
  EXPECT_EQ(executions(3, 2, true), 90U);
  EXPECT_EQ(executions(4, 2, true), 2520U);
  EXPECT_EQ(executions(2, 4, true), 70U);
  EXPECT_EQ(executions(4, 2, false), 1U);
}

}  // namespace
