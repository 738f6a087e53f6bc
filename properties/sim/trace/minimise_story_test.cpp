// Minimising failing executions: what comes out fails in the same way and is no longer.
#include <heddle/sim/trace/minimise.hpp>

#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <heddle/sim.hpp>
#include <heddle/sim/trace/json.hpp>
#include <heddle/sim/trace/same_failure.hpp>
#include <heddle/sim/trace/validate.hpp>

#include "../support/failing_bodies.hpp"

namespace heddle::sim::trace {
namespace {

using support::Edit;
using support::first_failure;
using Body = std::function<void()>;

// What is wrong with a result; empty when nothing is.
std::string fault_of(const Trace& given, const Trace& result, const Body& body) {
  if (const auto problem = find_problem(result)) return problem->place + " " + problem->what;
  if (read_json(write_json(result), "x") != result) return "it does not come back from its file";
  if (!same_failure(given, result, Lines::compare)) return "it is another failure";
  const Report again = replay(result, body);
  if (!again.failure) return "it does not fail when it is replayed: " + again.bound;
  if (!same_failure(again.failure->trace, given, Lines::compare)) return "it replays as another";
  if (cost_of(result, 0) > cost_of(given, 0)) return "it has grown";
  return "";
}

Minimised checked(const Body& body, Options options = {}) {
  const Trace given = first_failure(body, options);
  EXPECT_FALSE(given.steps.empty()) << "the body does not fail";
  Minimised result = minimise(given, body);
  EXPECT_TRUE(result.reproduced) << result.remark;
  EXPECT_EQ(result.remark, "");
  EXPECT_EQ(fault_of(given, result.trace, body), "") << write_json(result.trace);
  return result;
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(minimise, keeps_the_one_stale_read_that_is_needed) {
  const Minimised result = checked(support::weak_message<Edit::none>);
  EXPECT_EQ(result.after.stale, 1U);
  EXPECT_EQ(result.after.threads, 2U);
  EXPECT_TRUE(mentions(result.trace.decisive,
                       "reads the old value 0x0 although thread 1 has "
                       "written 0x2a"))
      << result.trace.decisive;
  EXPECT_TRUE(mentions(result.trace.decisive, "a release at failing_bodies.hpp:"))
      << result.trace.decisive;
}

TEST(minimise, needs_one_switch_for_a_lost_update) {
  const Minimised result = checked(support::lost_update<Edit::none>);
  EXPECT_EQ(result.after.stale, 0U) << "an interleaving does it";
  EXPECT_TRUE(mentions(result.trace.decisive, "must run between failing_bodies.hpp:"))
      << result.trace.decisive;
  EXPECT_EQ(result.trace.decisions.size(), 1U) << write_json(result.trace);
}

TEST(minimise, names_the_order_that_two_threads_lack) {
  const Minimised result = checked(support::store_buffering);
  EXPECT_EQ(result.after.stale, 1U);
  EXPECT_TRUE(mentions(result.trace.decisive, "seq_cst at ")) << result.trace.decisive;
}

TEST(minimise, keeps_a_lost_wakeup_a_lost_wakeup) {
  const Minimised result = checked(support::lost_wakeup, {.spurious_wakeups = 1});
  EXPECT_EQ(result.after.choices, 0U) << "no spurious wakeup is needed";
  EXPECT_TRUE(mentions(result.trace.message, "lost wakeup"));
}

// The size is an object of the test, so that the same body can be recorded large and shrunk freely.
TEST(minimise, looks_for_the_failure_anew_in_a_smaller_scenario) {
  bool only_large = true;
  const Body body = [&only_large] {
    const unsigned rounds = 1 + choose(4);
    if (only_large) assume(rounds == 4);
    support::counter<Edit::none> shared;
    const auto adds = [&] {
      for (unsigned i = 0; i < rounds; ++i) shared.add();
    };
    thread other(adds);
    adds();
    other.join();
    check(shared.value.load() == static_cast<int>(2 * rounds), "all additions are there");
  };
  const Trace given = first_failure(body);
  ASSERT_FALSE(given.steps.empty());
  only_large = false;
  const Minimised result = minimise(given, body);
  EXPECT_EQ(fault_of(given, result.trace, body), "");
  EXPECT_EQ(result.before.choices, 3U);
  EXPECT_EQ(result.after.choices, 0U);
  EXPECT_LT(result.after.steps, result.before.steps / 2);
}

TEST(minimise, does_not_slip_to_another_failure) {
  bool easy_allowed = false;
  const Body body = [&easy_allowed] {
    if (!easy_allowed) assume(choose(2) == 1);
    if (easy_allowed && choose(2) == 0) check(false, "the easy one");
    atomic<int> x{0};
    thread other([&] { x.store(1); });
    check(x.load() == 0, "the one that was recorded");
    other.join();
  };
  const Trace given = first_failure(body);
  ASSERT_EQ(given.message, "the one that was recorded");
  easy_allowed = true;
  const Minimised result = minimise(given, body);
  EXPECT_EQ(fault_of(given, result.trace, body), "");
  EXPECT_EQ(result.after.choices, 1U) << "without that choice it is the other failure";

  const Trace slipped = first_failure(body);
  ASSERT_EQ(slipped.message, "the easy one");
  EXPECT_EQ(fault_of(given, slipped, body), "it is another failure") << "a slip would be seen";
}

TEST(minimise, gives_the_same_trace_every_time) {
  const Body body = support::lost_update<Edit::none>;
  const Trace given = first_failure(body);
  EXPECT_EQ(write_json(minimise(given, body).trace), write_json(minimise(given, body).trace));
}

TEST(minimise, has_nothing_to_do_twice) {
  for (const Body& body : {Body(support::lost_update<Edit::none>),
                           Body(support::weak_message<Edit::none>), Body(support::lost_wakeup)}) {
    const Trace once = minimise(first_failure(body), body).trace;
    EXPECT_EQ(write_json(minimise(once, body).trace), write_json(once));
  }
}

TEST(minimise, stops_at_its_budget_with_what_it_has) {
  const Body body = support::lost_update<Edit::none>;
  const Trace given = first_failure(body);
  MinimiseOptions options;
  options.max_runs = 2;
  const Minimised result = minimise(given, body, options);
  EXPECT_TRUE(mentions(result.remark, "before everything had been tried")) << result.remark;
  EXPECT_EQ(fault_of(given, result.trace, body), "");
}

TEST(minimise, leaves_a_trace_that_does_not_fail_alone) {
  const Trace given = first_failure(support::weak_message<Edit::none>);
  const Minimised result = minimise(given, support::weak_message<Edit::mended>);
  EXPECT_FALSE(result.reproduced);
  EXPECT_EQ(result.trace, given);
}

TEST(minimise, tells_how_far_it_is) {
  const Body body = support::lost_update<Edit::none>;
  MinimiseOptions options;
  std::uint64_t told = 0;
  options.on_progress = [&](const MinimiseProgress& progress) {
    ++told;
    EXPECT_GT(progress.runs, 0U);
    EXPECT_GT(progress.size.steps, 0U);
  };
  minimise(first_failure(body), body, options);
  EXPECT_GT(told, 0U);
}

TEST(minimise, marks_what_the_failure_does_not_depend_on) {
  const Body body = [] {
    atomic<int> x{0};
    atomic<int> unrelated{0};
    thread other([&] { unrelated.store(1); });
    thread writer([&] { x.store(1); });
    other.join();
    writer.join();
    check(x.load() == 0, "nobody writes x");
  };
  const Minimised result = checked(body);
  for (const TraceStep& step : result.trace.steps) EXPECT_TRUE(step.needed) << "all was joined";
  const Body early = [] {
    atomic<int> x{0};
    atomic<int> unrelated{0};
    thread other([&] { unrelated.store(1); });
    unrelated.load();
    thread writer([&] {
      x.store(1);
      check(unrelated.load() == 0, "it is early");
    });
    other.join();
    writer.join();
  };
  const Minimised second = checked(early);
  EXPECT_GT(second.after.steps, 0U);
}

// Random programs: whatever fails is made simpler without becoming something else.
struct Instruction {
  unsigned location;
  bool writes;
  std::memory_order order;
};

RC_GTEST_PROP(minimise, keeps_the_failure_of_random_programs, ()) {
  const auto programs = *rc::gen::container<std::vector<std::vector<Instruction>>>(
      3,
      rc::gen::resize(
          4, rc::gen::container<std::vector<Instruction>>(rc::gen::build<Instruction>(
                 rc::gen::set(&Instruction::location, rc::gen::inRange(0U, 2U)),
                 rc::gen::set(&Instruction::writes, rc::gen::arbitrary<bool>()),
                 rc::gen::set(&Instruction::order, rc::gen::element(std::memory_order_relaxed,
                                                                    std::memory_order_seq_cst))))));
  const unsigned wanted = *rc::gen::inRange(0U, 27U);
  const Body body = [&] {
    atomic<unsigned> memory[2]{};
    unsigned seen[3] = {0, 0, 0};
    const auto run = [&](std::size_t self) {
      for (const Instruction& one : programs[self]) {
        if (one.writes) {
          memory[one.location].store(static_cast<unsigned>(self) + 1, one.order);
        } else {
          seen[self] = memory[one.location].load(one.order);
        }
      }
    };
    thread a([&] { run(0); });
    thread b([&] { run(1); });
    run(2);
    a.join();
    b.join();
    check((seen[0] + 3 * seen[1] + 9 * seen[2]) % 27 != wanted, "not this outcome");
  };
  Options options;
  options.max_executions = 2000;
  const Trace given = first_failure(body, options);
  RC_PRE(!given.steps.empty());
  MinimiseOptions limits;
  limits.max_runs = 500;
  const Minimised result = minimise(given, body, limits);
  RC_ASSERT(result.reproduced);
  RC_ASSERT(fault_of(given, result.trace, body) == "");
}

}  // namespace
}  // namespace heddle::sim::trace
