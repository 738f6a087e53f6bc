// The audit finds which orders a scenario needs and which it does not, says nothing about what it
// could not explore, and its traces replay.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <heddle/sim/explore/sites.hpp>
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
constexpr auto acq_rel = std::memory_order_acq_rel;
constexpr auto seq_cst = std::memory_order_seq_cst;

// Needs the release and the acquire; the load is a step stronger than it needs to be.
void message() {
  cell<int> data(0);
  atomic<int> flag(0);
  thread writer([&] {
    data.write(42);
    flag.store(1, release);
  });
  if (flag.load(seq_cst) == 1) check(data.read() == 42, "the message is there");
  writer.join();
}

// The exchange that succeeds publishes; the one that fails reads what was published.
void exchanged() {
  cell<int> data(0);
  atomic<int> word(0);
  thread writer([&] {
    data.write(1);
    int expected = 0;
    word.compare_exchange_strong(expected, 1, acq_rel, relaxed);
  });
  int expected = 0;
  if (!word.compare_exchange_strong(expected, 2, relaxed, acquire) && expected == 1) {
    check(data.read() == 1, "the winner's data is there");
  }
  writer.join();
}

// Dekker: each of the fences orders a store before a load.
void dekker() {
  atomic<int> mine(0);
  atomic<int> yours(0);
  int seen = 0;
  thread other([&] {
    yours.store(1, relaxed);
    sim::atomic_thread_fence(seq_cst);
    seen = mine.load(relaxed);
  });
  mine.store(1, relaxed);
  sim::atomic_thread_fence(seq_cst);
  const int here = yours.load(relaxed);
  other.join();
  check(here == 1 || seen == 1, "one of them sees the other");
}

void counter() {
  atomic<int> count(0);
  thread other([&] { count.fetch_add(1, acq_rel); });
  count.fetch_add(1, acq_rel);
  other.join();
  check(count.load(relaxed) == 2, "both are counted");
}

// More executions than a test has time for.
void large() {
  atomic<int> word(0);
  const auto work = [&] {
    for (int i = 0; i < 6; ++i) word.fetch_add(1, acq_rel);
  };
  thread a(work), b(work), c(work);
  work();
  a.join();
  b.join();
  c.join();
}

struct Rows {
  explicit Rows(const std::string& text) : document(json::parse(text)) {}

  // "finding" of the rows with this operation and this change, in the order of the table.
  std::vector<std::string> findings(const std::string& operation, const std::string& from,
                                    const std::string& to, const std::string& part = "") const {
    std::vector<std::string> found;
    for (const json& row : document.at("rows")) {
      if (row["site"]["operation"] != operation || row["from"] != from || row["to"] != to) continue;
      if (row.value("part", "") != part) continue;
      found.push_back(row["finding"].get<std::string>());
    }
    return found;
  }
  json document;
};

using Findings = std::vector<std::string>;

class Audit : public ::testing::Test {
 protected:
  Rows rows() const { return Rows(ScratchFolder::read(folder_.file("audit.json"))); }
  int run(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"audit", "--quiet", "--json", folder_.file("audit.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return command_.run(arguments);
  }
  RealCommand command_;
  ScratchFolder folder_;
};

TEST_F(Audit, tells_needed_orders_from_others) {
  command_.add("message", message);
  EXPECT_EQ(run(), success) << command_.said();
  EXPECT_EQ(rows().findings("store", "release", "relaxed"), Findings{"needed"});
  EXPECT_EQ(rows().findings("load", "seq_cst", "acquire"), Findings{"not_needed"});
  EXPECT_EQ(rows().findings("load", "seq_cst", "relaxed"), Findings{"needed"})
      << "the step after one that nothing needs is tried too";
  EXPECT_TRUE(command_.says("needed by message: data_race")) << command_.said();
}

TEST_F(Audit, weakens_success_and_failure_of_an_exchange_apart) {
  command_.add("exchanged", exchanged);
  EXPECT_EQ(run(), success) << command_.said();
  EXPECT_EQ(rows().findings("compare_exchange", "acq_rel", "acquire", "success"),
            Findings{"needed"});
  EXPECT_EQ(rows().findings("compare_exchange", "acq_rel", "release", "success"),
            Findings{"not_needed"});
  EXPECT_EQ(rows().findings("compare_exchange", "acquire", "relaxed", "failure"),
            Findings{"needed"});
}

TEST_F(Audit, weakens_fences_down_to_nothing) {
  command_.add("dekker", dekker);
  EXPECT_EQ(run(), success) << command_.said();
  EXPECT_EQ(rows().findings("fence", "seq_cst", "acq_rel"), (Findings{"needed", "needed"}));
}

TEST_F(Audit, tries_each_half_of_acquire_release) {
  command_.add("counter", counter);
  EXPECT_EQ(run(), success) << command_.said();
  const Findings both = {"not_needed", "not_needed"};
  EXPECT_EQ(rows().findings("fetch_add", "acq_rel", "acquire"), both);
  EXPECT_EQ(rows().findings("fetch_add", "acq_rel", "release"), both);
  EXPECT_EQ(rows().findings("fetch_add", "acq_rel", "relaxed"), both) << "once for each site";
}

TEST_F(Audit, says_undecided_where_a_scenario_was_not_explored_to_its_end) {
  command_.add("large", large);
  EXPECT_EQ(run({"--each", "50ms"}), success) << command_.said();
  const Rows found = rows();
  EXPECT_EQ(found.document["rows"].size(), 2U);
  for (const json& row : found.document["rows"]) EXPECT_EQ(row["finding"], "undecided") << row;
  EXPECT_TRUE(command_.says("incomplete by time_limit")) << command_.said();
  EXPECT_EQ(run({"--each", "50ms", "--strict"}), not_complete) << command_.said();
}

TEST_F(Audit, says_undecided_where_a_scenario_was_only_sampled) {
  command_.add("counter", counter);
  command_.add("counter_sampled", counter, {.exhaustive = false});
  EXPECT_EQ(run({"--each", "200ms"}), success) << command_.said();
  const Rows found = rows();
  EXPECT_EQ(found.document["rows"].size(), 4U);
  for (const json& row : found.document["rows"]) EXPECT_EQ(row["finding"], "undecided") << row;
  EXPECT_TRUE(command_.says("counter_sampled: only sampled")) << command_.said();
}

TEST_F(Audit, looks_at_the_sites_that_were_asked_for) {
  command_.add("message", message);
  EXPECT_EQ(run({"--sites", "scheduler/"}), success) << command_.said();
  EXPECT_TRUE(rows().document["rows"].empty()) << rows().document;
}

TEST_F(Audit, strict_wants_an_explanation) {
  command_.add("message", message);
  EXPECT_EQ(run({"--strict"}), failure) << command_.said();
  EXPECT_TRUE(command_.says("audit_test.cpp")) << "names the place: " << command_.said();
  EXPECT_TRUE(command_.says("seq_cst → acquire: not needed within these bounds"))
      << command_.said();

  const std::string notes = folder_.write(
      "notes.txt",
      "# reviewed\n*audit_test.cpp | *message* | load | seq_cst -> acquire | a habit\n");
  EXPECT_EQ(run({"--strict", "--notes", notes}), success) << command_.said();
  EXPECT_EQ(rows().document["rows"][1]["note"], "a habit") << rows().document;

  folder_.write("notes.txt",
                "*audit_test.cpp | * | load | seq_cst -> acquire | a habit\n"
                "*gone.cpp | * | load | * | was relaxed\n");
  EXPECT_EQ(run({"--strict", "--notes", notes}), failure);
  EXPECT_TRUE(command_.says("notes.txt:2: fits no order")) << command_.said();
}

TEST_F(Audit, a_broken_file_of_notes_is_named_with_its_line) {
  command_.add("message", message);
  const std::string notes = folder_.write("notes.txt", "\na | b | c\n");
  EXPECT_EQ(run({"--notes", notes}), usage);
  EXPECT_TRUE(command_.says("notes.txt:2: is not 'FILE")) << command_.said();
  EXPECT_EQ(run({"--notes", folder_.file("missing")}), usage);
  EXPECT_TRUE(command_.says("cannot be read")) << command_.said();
}

TEST_F(Audit, traces_replay_on_the_unchanged_code) {
  command_.add("message", message);
  EXPECT_EQ(run({"--record", folder_.file("traces")}), success) << command_.said();
  const Rows found = rows();
  std::size_t replayed = 0;
  for (const json& row : found.document["rows"]) {
    if (!row.contains("trace_file")) continue;
    const std::string file = row["trace_file"];
    EXPECT_EQ(command_.run({"replay", file}), success) << command_.said();
    EXPECT_TRUE(command_.says("reproduced")) << command_.said();
    // Without the weaker order it is another execution: it must not "come back".
    Trace trace = trace::read(file);
    ASSERT_EQ(trace.weakened.size(), 1U);
    trace.weakened.clear();
    EXPECT_NE(sim::replay(trace, message).verdict, Verdict::failed) << file;
    ++replayed;
  }
  EXPECT_EQ(replayed, 2U);
}

TEST_F(Audit, a_scenario_that_fails_as_it_is_is_told_and_not_used) {
  command_.add("message", message);
  command_.add("wrong", [] { check(false, "never right"); });
  EXPECT_EQ(run(), failure) << command_.said();
  EXPECT_TRUE(command_.says("wrong is FAILED as it is")) << command_.said();
  EXPECT_TRUE(command_.says("left out: wrong (FAILED as it is)")) << command_.said();
  EXPECT_EQ(rows().findings("store", "release", "relaxed"), Findings{"needed"});
}

TEST_F(Audit, writes_markdown_for_the_docs) {
  command_.add("message", message);
  EXPECT_EQ(run({"--markdown", folder_.file("audit.md")}), success);
  const std::string text = ScratchFolder::read(folder_.file("audit.md"));
  EXPECT_NE(text.find("| store | release → relaxed | needed by message: data_race |"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("**not explained**"), std::string::npos) << text;
}

TEST_F(Audit, stops_when_its_time_is_over_and_says_so) {
  command_.add("large", large);
  EXPECT_EQ(run({"--each", "900ms", "--time", "1s", "--jobs", "1"}), success) << command_.said();
  EXPECT_TRUE(command_.says("undecided")) << command_.said();
  EXPECT_FALSE(command_.says("not needed within")) << command_.said();
}

TEST(site_outcomes, are_told_from_the_graph) {
  RealCommand command;
  ScratchFolder folder;
  command.add("message", message).add("exchanged", exchanged).add("locks", [] {
    mutex lock;
    thread other([&] {
      lock.lock();
      lock.unlock();
    });
    lock.lock();
    lock.unlock();
    other.join();
  });
  const std::string file = folder.file("coverage.json");
  EXPECT_EQ(command.run({"coverage", "--quiet", "--json", file}), success) << command.said();
  const json document = json::parse(ScratchFolder::read(file));
  std::map<std::string, std::map<std::string, std::uint64_t>> reached;
  for (const json& site : document.at("sites")) {
    for (const json& one : site.at("outcomes")) {
      reached[site["site"]["operation"]][one["outcome"]] += one["executions"].get<std::uint64_t>();
    }
  }
  EXPECT_EQ(reached["load"]["fresh"], 1U);
  EXPECT_EQ(reached["load"]["stale"], 1U);
  EXPECT_EQ(reached["store"]["done"], 2U);
  EXPECT_EQ(reached["compare_exchange"]["succeeded"], 2U) << document;
  EXPECT_EQ(reached["compare_exchange"]["failed"], 2U) << document;
  // The first of two locks is free; the second may have had to wait for the first.
  EXPECT_EQ(reached["lock"]["free"], 2U) << document;
  EXPECT_EQ(reached["lock"]["contended"], 2U) << document;
}

TEST(site_outcomes, that_nothing_reached_are_listed) {
  RealCommand command;
  ScratchFolder folder;
  command.add("alone", [] {
    atomic<int> word(0);
    int expected = 0;
    word.compare_exchange_strong(expected, 1);
  });
  folder.write("code.cpp", "void f() {\n  x.store(1);  // y.load()\n}\n");
  EXPECT_EQ(command.run({"coverage", "--quiet", "--sources", folder.path().string()}), success);
  EXPECT_TRUE(command.says("failed: NOT REACHED")) << command.said();
  EXPECT_TRUE(command.says("code.cpp:2: nothing reached: x.store(1);")) << command.said();
}

}  // namespace
}  // namespace heddle::sim::cli
