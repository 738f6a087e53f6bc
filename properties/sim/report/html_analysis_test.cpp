// What the page says about a trace: the orders of the memory model, the machines that can run it,
// why a read may be stale and what would forbid it, and what matters. The engine is the oracle:
// what it has run must be an execution here too, by another implementation.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <heddle/sim.hpp>
#include <heddle/sim/report/given_names.hpp>
#include <heddle/sim/report/history_conflict.hpp>
#include <heddle/sim/report/machines.hpp>
#include <heddle/sim/report/relations.hpp>
#include <heddle/sim/report/relevance.hpp>
#include <heddle/sim/report/stale_reads.hpp>
#include <heddle/sim/report/story.hpp>
#include <heddle/sim/report/what_if.hpp>
#include <heddle/sim/trace/store.hpp>

#include "../support/any_trace.hpp"
#include "../support/sample_traces.hpp"
#include "../support/scratch_folder.hpp"

namespace heddle::sim::report {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
using Machine = std::pair<bool, bool>;  // an interleaving, an x86 execution

Trace failure_of(const std::function<void()>& body) {
  const Report report = explore({}, body);
  EXPECT_EQ(report.verdict, Verdict::failed) << report.bound;
  return report.failure ? report.failure->trace : Trace{};
}

Machine machines_of(const Trace& trace) {
  const Relations relations(trace);
  const Machines machines(trace, relations);
  EXPECT_TRUE(machines.rc11()) << "the engine has run it";
  return {machines.sc(), machines.tso()};
}

bool is_rc11(const Trace& trace) {
  const Relations relations(trace);
  return Machines(trace, relations).rc11();
}

std::vector<StaleRead> explained(const Trace& trace) {
  return stale_reads(trace, Relations(trace));
}

void store_buffering(bool reads_own_store, bool by_exchange) {
  atomic<int> x{0};
  atomic<int> y{0};
  int seen = 0;
  int seen_by_other = 0;
  const auto one = [&](atomic<int>& mine, atomic<int>& theirs) {
    if (by_exchange) {
      mine.exchange(1, relaxed);
    } else {
      mine.store(1, relaxed);
    }
    if (reads_own_store) check(mine.load(relaxed) == 1, "own store");
    return theirs.load(relaxed);
  };
  thread other([&] { seen_by_other = one(y, x); });
  seen = one(x, y);
  other.join();
  check(seen + seen_by_other > 0, "one of them sees the other");
}

void message_passing() {
  atomic<int> data{0};
  atomic<int> flag{0};
  thread writer([&] {
    data.store(1, relaxed);
    flag.store(1, relaxed);
  });
  if (flag.load(relaxed) == 1) check(data.load(relaxed) == 1, "the data is there");
  writer.join();
}

void two_writers() {
  atomic<int> x{0};
  atomic<int> y{0};
  thread other([&] {
    y.store(1, relaxed);
    x.store(2, relaxed);
  });
  x.store(1, relaxed);
  y.store(2, relaxed);
  other.join();
  check(x.load(relaxed) == 2 || y.load(relaxed) == 2, "one of them was last");
}

void independent_readers() {
  atomic<int> x{0};
  atomic<int> y{0};
  int first[2] = {};
  int second[2] = {};
  thread x_writer([&] { x.store(1, relaxed); });
  thread y_writer([&] { y.store(1, relaxed); });
  thread reader([&] {
    first[0] = x.load(relaxed);
    first[1] = y.load(relaxed);
  });
  second[0] = y.load(relaxed);
  second[1] = x.load(relaxed);
  x_writer.join();
  y_writer.join();
  reader.join();
  const bool differ = first[0] == 1 && first[1] == 0 && second[0] == 1 && second[1] == 0;
  check(!differ, "both see one order of the writes");
}

void late_store() {
  atomic<int> x{0};
  atomic<int> y{0};
  int seen = 0;
  thread other([&] {
    y.store(2, relaxed);
    seen = x.load(relaxed);
  });
  x.store(1, relaxed);
  y.store(1, relaxed);
  other.join();
  check(!(y.load(relaxed) == 2 && seen == 0), "R");
}

TEST(machines, know_the_litmus_tests_apart) {
  EXPECT_EQ(machines_of(failure_of([] { store_buffering(false, false); })), Machine(false, true));
  EXPECT_EQ(machines_of(failure_of([] { store_buffering(true, false); })), Machine(false, true))
      << "a thread sees its own store before others do";
  EXPECT_EQ(machines_of(failure_of([] { store_buffering(false, true); })), Machine(false, false))
      << "an exchange empties the store buffer";
  EXPECT_EQ(machines_of(failure_of(message_passing)), Machine(false, false));
  EXPECT_EQ(machines_of(failure_of(two_writers)), Machine(false, false));
  EXPECT_EQ(machines_of(failure_of(independent_readers)), Machine(false, false));
  EXPECT_EQ(machines_of(failure_of(late_store)), Machine(false, true));
}

TEST(machines, call_a_lost_update_an_interleaving) {
  EXPECT_EQ(machines_of(failure_of([] {
              atomic<int> count{0};
              thread other([&] { count.store(count.load(relaxed) + 1, relaxed); });
              count.store(count.load(relaxed) + 1, relaxed);
              other.join();
              check(count.load(relaxed) == 2, "both are counted");
            })),
            Machine(true, true));
}

TEST(machines, agree_with_the_engine_on_every_recorded_trace) {
  const auto files = trace::find(std::string(HEDDLE_SOURCE_DIR) + "/traces");
  EXPECT_GE(files.size(), 10U);
  for (const auto& file : files) EXPECT_TRUE(is_rc11(trace::read(file))) << file;
}

TEST(machines, refuse_what_the_model_forbids) {
  auto made = support::message_passing();
  EXPECT_TRUE(is_rc11(made.trace()));
  made.step(3).order = "release";  // the flag is read with acquire already
  EXPECT_FALSE(is_rc11(made.trace())) << "coherence";

  const Trace buffered = failure_of([] { store_buffering(false, false); });
  Trace ordered = buffered;
  for (TraceStep& step : ordered.steps) {
    if (!step.order.empty()) step.order = "seq_cst";
  }
  EXPECT_FALSE(is_rc11(ordered)) << "the SC axiom over accesses";

  std::vector<std::size_t> stores;
  for (std::size_t at = 0; at < buffered.steps.size(); ++at) {
    if (buffered.steps[at].kind == TraceStep::Kind::store) stores.push_back(at);
  }
  EXPECT_FALSE(is_rc11(with_fences(buffered, stores))) << "the SC axiom over fences";
  stores.pop_back();
  EXPECT_TRUE(is_rc11(with_fences(buffered, stores))) << "one fence is not enough";
}

TEST(machines, refuse_a_read_modify_write_that_is_not_atomic) {
  support::HandMadeTrace made("lost_update");
  made.spawn(0, 1);
  made.rmw(0, "T0.1", TraceStep::initial, 1, "relaxed");
  const auto second = made.rmw(1, "T0.1", 1, 2, "relaxed");
  EXPECT_TRUE(is_rc11(made.trace()));
  made.step(second).source = TraceStep::initial;
  EXPECT_FALSE(is_rc11(made.trace()));
}

TEST(relations, follow_release_sequences_and_fences) {
  support::HandMadeTrace made("sequence");
  made.spawn(0, 1);
  made.spawn(0, 2);
  const auto data = made.store(0, "T0.1", 7, "relaxed");
  const auto head = made.store(0, "T0.2", 1, "release");
  const auto middle = made.rmw(1, "T0.2", head, 2, "relaxed");
  const auto seen = made.load(2, "T0.2", middle, "relaxed");
  const auto fence = made.fence(2, "acquire");
  const Relations relations(made.trace());
  const auto hb = [&](std::int64_t a, std::int64_t b) {
    return relations.hb(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  };
  EXPECT_TRUE(hb(data, fence));
  EXPECT_FALSE(hb(data, seen)) << "the load alone acquires nothing";
  EXPECT_FALSE(hb(middle, fence)) << "the middle has released nothing of its own";
  const Relations::Synchronisation expected{static_cast<std::size_t>(head),
                                            static_cast<std::size_t>(fence)};
  EXPECT_EQ(relations.synchronisations(), std::vector{expected});

  TraceStep& plain = made.step(middle);  // a plain store ends the sequence
  plain.kind = TraceStep::Kind::store;
  plain.read.reset();
  plain.source = TraceStep::no_source;
  EXPECT_FALSE(
      Relations(made.trace()).hb(static_cast<std::size_t>(data), static_cast<std::size_t>(fence)));
}

TEST(relations, order_a_thread_between_its_start_and_its_join) {
  support::HandMadeTrace made("join");
  made.spawn(0, 1);
  made.store(1, "T0.1", 1, "relaxed");
  made.store(0, "T0.2", 1, "relaxed");
  made.join(0, 1);
  const Relations relations(made.trace());
  EXPECT_TRUE(relations.hb(0, 1));
  EXPECT_TRUE(relations.hb(1, 3));
  EXPECT_FALSE(relations.hb(1, 2));
  EXPECT_FALSE(relations.porf(1, 2));
}

TEST(stale_reads, name_the_order_that_is_missing) {
  const auto found = explained(support::message_passing().trace());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].read, 5U);
  EXPECT_EQ(found[0].missed, 2U);
  EXPECT_EQ(found[0].chain, (std::vector<Link>{{3, 4, Link::Kind::reads_from}}));
  ASSERT_EQ(found[0].remedies.size(), 1U);
  const Remedy::Change change{"release instead of relaxed", 3, false};
  EXPECT_EQ(found[0].remedies[0].changes, std::vector{change});
  EXPECT_FALSE(found[0].sc->possible);
  EXPECT_FALSE(found[0].tso->possible);
  EXPECT_TRUE(found[0].weaker->possible);
  EXPECT_NE(found[0].why.find("do not synchronise: the write is relaxed"), std::string::npos)
      << found[0].why;
}

TEST(stale_reads, name_both_sides_when_both_are_too_weak) {
  auto made = support::message_passing();
  made.step(4).order = "relaxed";
  const auto found = explained(made.trace());
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].remedies.size(), 1U);
  const std::vector<Remedy::Change> both = {{"release instead of relaxed", 3, false},
                                            {"acquire instead of relaxed", 4, false}};
  EXPECT_EQ(found[0].remedies[0].changes, both);
}

TEST(stale_reads, ask_for_two_fences_where_loads_overtake_stores) {
  const Trace trace = failure_of([] { store_buffering(false, false); });
  const auto found = explained(trace);
  ASSERT_FALSE(found.empty());
  const StaleRead& read = found[0];
  EXPECT_TRUE(read.chain.empty());
  EXPECT_EQ(read.cycle.size(), 4U);
  EXPECT_FALSE(read.sc->possible);
  EXPECT_TRUE(read.tso->possible);
  EXPECT_NE(read.tso->why.find("store buffer"), std::string::npos) << read.tso->why;
  ASSERT_EQ(read.remedies.size(), 2U);
  EXPECT_EQ(read.remedies[0].changes.size(), 2U);
  EXPECT_TRUE(read.remedies[0].changes[0].is_fence);
  EXPECT_EQ(read.remedies[1].changes.size(), 2U) << "both threads run the same two sites";
}

TEST(stale_reads, promise_nothing_where_no_order_helps) {
  support::HandMadeTrace made("late");
  made.spawn(0, 1);
  made.store(0, "T0.1", 1, "release");
  made.load(1, "T0.1", TraceStep::initial, "acquire", true);
  const auto found = explained(made.trace());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].remedies.empty());
  EXPECT_TRUE(found[0].cycle.empty());
  EXPECT_TRUE(found[0].sc->possible);
}

// Every proposal is put in, and the execution must be gone with all of it and there without a part.
TEST(stale_reads, propose_what_is_needed_and_enough_on_every_recorded_trace) {
  std::size_t tried = 0;
  for (const auto& file : trace::find(std::string(HEDDLE_SOURCE_DIR) + "/traces")) {
    const Trace trace = trace::read(file);
    const auto with = [&](const std::vector<Remedy::Change>& changes) {
      Trace changed = trace;
      std::vector<std::size_t> fences;
      for (const auto& change : changes) {
        if (change.is_fence) {
          fences.push_back(change.step);
        } else {
          strengthen_site(changed, change.step, change.what.substr(0, change.what.find(' ')));
        }
      }
      return with_fences(changed, fences);
    };
    for (const StaleRead& read : explained(trace)) {
      for (const Remedy& remedy : read.remedies) {
        EXPECT_FALSE(is_rc11(with(remedy.changes))) << file << " step " << read.read;
        ++tried;
      }
    }
  }
  EXPECT_GE(tried, 3U);
}

TEST(what_if, moves_the_sources_behind_a_new_fence) {
  const Trace trace = support::message_passing().trace();
  const Trace more = with_fences(trace, {2, 3});
  ASSERT_EQ(more.steps.size(), trace.steps.size() + 2);
  EXPECT_EQ(more.steps[3].kind, TraceStep::Kind::fence);
  EXPECT_EQ(more.steps[6].source, 4);
  EXPECT_EQ(moved(4, {2, 3}), 6U);
  EXPECT_EQ(moved(2, {2, 3}), 2U);
}

TEST(relevance, leaves_out_what_the_failure_does_not_depend_on) {
  auto made = support::message_passing();
  made.spawn(0, 3);
  const auto other = made.store(3, "T0.9", 1, "release");
  const auto relevant = relevant_steps(made.trace(), Relations(made.trace()));
  EXPECT_TRUE(relevant[2]) << "the write that was missed";
  EXPECT_TRUE(relevant[5]) << "where it shows";
  EXPECT_FALSE(relevant[static_cast<std::size_t>(other)]);
  EXPECT_EQ(std::count(relevant.begin(), relevant.end(), true), 6);
}

bool mentions(const Story& story, const std::string& part) {
  return std::any_of(story.sentences.begin(), story.sentences.end(),
                     [&](const std::string& one) { return one.find(part) != std::string::npos; });
}

TEST(story, says_who_sleeps_and_who_could_have_woken_it) {
  const Trace trace =
      trace::read(std::string(HEDDLE_SOURCE_DIR) + "/traces/known_bad_park_handshake.trace.json");
  const Story story = tell(trace, Relations(trace));
  EXPECT_EQ(story.title, "Lost wakeup");
  ASSERT_FALSE(story.sentences.empty());
  const std::string& first = story.sentences[0];
  EXPECT_NE(first.find("T1 has been asleep since step 10"), std::string::npos) << first;
  EXPECT_NE(first.find("T0 could have woken it, but in step 2 it read T0.3 = 0, before T1 wrote 1 "
                       "in step 3."),
            std::string::npos)
      << first;
}

TEST(story, says_who_holds_what_in_a_deadlock) {
  const Trace trace = support::opposite_locks().trace();
  const Story story = tell(trace, Relations(trace));
  EXPECT_EQ(story.title, "Deadlock");
  EXPECT_TRUE(mentions(story, "T2 holds it since step 3"));
  EXPECT_TRUE(mentions(story, "They wait for each other"));
}

TEST(history_conflict, finds_the_operations_that_the_checker_names) {
  const std::vector<Operation> operations = {{0, 0, 1, "push(1)", ""},
                                             {1, 2, 3, "steal()", "1"},
                                             {0, 4, 5, "pop()", "1"},
                                             {1, 6, 7, "steal()", "empty"}};
  const auto parts = parts_in_conflict(
      "not linearizable: no order\n  #0   thread 0   push(1)   (context)\n"
      "  #2   thread 0   pop() -> 1   after #0\n  #1   thread 1   steal() -> 1\n",
      operations);
  EXPECT_EQ(parts, (std::vector{Part::context, Part::conflict, Part::conflict, Part::none}));
  EXPECT_EQ(parts_in_conflict("a message\n  #x thread\n # 1", operations),
            std::vector<Part>(4, Part::none));
}

TEST(given_names, are_those_of_the_source) {
  const support::ScratchFolder folder;
  folder.write("mp.cpp",
               "\n\ndata_.store(1);\nself->flag[i + 1].store(1);\nflag.load(); data_.load();\n");
  Sources sources({folder.path()});
  support::HandMadeTrace made("mp");
  made.at("mp.cpp", 3);
  made.store(0, "T0.1", 1, "relaxed");
  made.store(0, "T0.2", 1, "relaxed");
  made.load(0, "T0.2", 1, "relaxed");  // two loads in this line: it does not say which
  const auto names = given_names(made.trace(), sources);
  EXPECT_EQ(names, (std::map<std::string, std::string>{{"T0.1", "data_"}, {"T0.2", "flag"}}));
  EXPECT_EQ(renamed(made.trace(), names).steps[2].location, "flag");
}

TEST(sources, are_read_only_where_sources_can_be) {
  const support::ScratchFolder folder;
  folder.write("a.cpp", "one\r\ntwo");
  folder.write("secret.txt", "x");
  Sources sources({folder.path()});
  EXPECT_EQ(sources.line("a.cpp", 2), "two");
  EXPECT_EQ(sources.line("a.cpp", 1), "one");
  EXPECT_EQ(sources.line("a.cpp", 3), std::nullopt);
  EXPECT_EQ(sources.lines("secret.txt"), nullptr);
  EXPECT_EQ(sources.lines("../" + folder.path().filename().string() + "/a.cpp"), nullptr);
  EXPECT_EQ(sources.lines("/etc/passwd"), nullptr);
  EXPECT_EQ(sources.lines(""), nullptr);
}

RC_GTEST_PROP(analysis, copes_with_every_trace, ()) {
  const Trace trace = support::any_trace();
  const Relations relations(trace);
  for (std::size_t a = 0; a < trace.steps.size(); ++a) {
    RC_ASSERT(!relations.hb(a, a));
    for (std::size_t b = 0; b < trace.steps.size(); ++b) {
      if (relations.hb(a, b)) RC_ASSERT(!relations.hb(b, a));
      if (relations.hb(a, b)) RC_ASSERT(relations.porf(a, b));
      if (relations.po(a, b)) RC_ASSERT(relations.hb(a, b));
    }
  }
  stale_reads(trace, relations);
  relevant_steps(trace, relations);
  tell(trace, relations);
}

}  // namespace
}  // namespace heddle::sim::report
