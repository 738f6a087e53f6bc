// Traces of every shape that a reader or a reporter has to cope with.
#pragma once

#include <string>
#include <vector>

#include "hand_made_trace.hpp"

namespace heddle::sim::support {

/// Message passing whose flag is published too weakly: the reader sees the flag and an old value.
inline HandMadeTrace message_passing() {
  HandMadeTrace made("message_passing");
  made.fails(FailureKind::check, "the message is there once the flag is up", "mp.cpp", 30, 2);
  made.at("mp.cpp", 10, "message_passing()");
  made.spawn(0, 1);
  made.spawn(0, 2);
  made.at("mp.cpp", 20, "writer()");
  made.store(1, "T0.1", 42, "relaxed");
  const auto flag = made.store(1, "T0.2", 1, "relaxed");
  made.at("mp.cpp", 28, "reader()");
  made.load(2, "T0.2", flag, "acquire");
  made.load(2, "T0.1", TraceStep::initial, "relaxed", true);
  return made;
}

/// Two threads that take two locks in opposite order; the main thread waits for both.
inline HandMadeTrace opposite_locks() {
  HandMadeTrace made("opposite_locks");
  made.fails(FailureKind::deadlock, "3 threads wait for what no thread will do", "locks.cpp", 22,
             1);
  made.at("locks.cpp", 10, "opposite_locks()");
  made.spawn(0, 1);
  made.spawn(0, 2);
  made.at("locks.cpp", 21, "left()");
  made.lock(1, "T0.1", TraceStep::initial);
  made.at("locks.cpp", 31, "right()");
  made.lock(2, "T0.2", TraceStep::initial);
  made.at("locks.cpp", 22, "left()");
  made.blocked(1, "T0.2", "mutex", "waits for the mutex to become free");
  made.at("locks.cpp", 32, "right()");
  made.blocked(2, "T0.1", "mutex", "waits for the mutex to become free");
  made.at("locks.cpp", 12, "opposite_locks()");
  const auto join = made.blocked(0, "", "", "waits for T1 to end");
  made.step(join).other_thread = 1;
  return made;
}

/// A waiter that nobody wakes.
inline HandMadeTrace lost_wakeup() {
  HandMadeTrace made("lost_wakeup");
  made.fails(FailureKind::deadlock, "T1 waits for a wake that no thread will give", "park.cpp", 44,
             1);
  made.at("park.cpp", 10);
  made.spawn(0, 1);
  made.at("park.cpp", 41);
  made.begin(1, "pop()");
  made.load(1, "T0.1", TraceStep::initial, "relaxed");
  made.at("park.cpp", 20);
  made.begin(0, "push(7)");
  made.store(0, "T0.1", 7, "release");
  made.load(0, "T0.2", TraceStep::initial, "relaxed", false);
  made.end(0, "done");
  made.at("park.cpp", 43);
  made.store(1, "T0.2", 1, "relaxed");
  made.blocked(1, "T0.3", "park", "waits for its park token");
  return made;
}

/// Two unordered accesses of a cell.
inline HandMadeTrace race() {
  HandMadeTrace made("race");
  made.fails(FailureKind::data_race, "two accesses that nothing orders", "race.cpp", 31, 2);
  made.conflict("write by T1 at race.cpp:21").conflict("read by T2 at race.cpp:31");
  made.at("race.cpp", 10);
  made.spawn(0, 1);
  made.spawn(0, 2);
  made.at("race.cpp", 21);
  made.cell(1, "T0.1", true);
  made.at("race.cpp", 31);
  made.cell(2, "T0.1", false);
  return made;
}

/// A thread that spins 200 times on an old value before it sees the new one.
inline HandMadeTrace spinning() {
  HandMadeTrace made("spinning");
  made.fails(FailureKind::check, "seen too late", "spin.cpp", 33, 1);
  made.at("spin.cpp", 10);
  made.spawn(0, 1);
  for (int round = 0; round < 200; ++round) {
    made.at("spin.cpp", 31);
    made.load(1, "T0.1", TraceStep::initial, "acquire");
    made.spin(1);
    if (round == 100) {
      made.at("spin.cpp", 11);
      made.fence(0, "seq_cst");
    }
  }
  made.at("spin.cpp", 12);
  const auto flag = made.store(0, "T0.1", 1, "release");
  made.at("spin.cpp", 31);
  made.load(1, "T0.1", flag, "acquire");
  return made;
}

/// Every kind of step, and every field at least once.
inline HandMadeTrace everything() {
  HandMadeTrace made("everything");
  made.fails(FailureKind::check, "x is 3 \"here\"\n\tand <there> & everywhere", "dir/all.cpp", 99,
             1);
  made.trace().timeouts = false;
  made.trace().spurious_wakeups = 2;
  made.trace().max_steps = 77;
  made.trace().stack_bytes = 65536;
  made.trace().decisive = "thread 1 must run between all.cpp:1 and all.cpp:2";
  made.trace().decisions = {
      {TraceDecision::Kind::run, {"0", "store push all.hpp", 2}, {"0.1", "", 0}, 0},
      {TraceDecision::Kind::read,
       {"0.1", "load take all.hpp", 1},
       {"0", "store push all.hpp", 1},
       0},
      {TraceDecision::Kind::read, {"0.1.1", "load take all.hpp", 2}, {}, 0},
      {TraceDecision::Kind::place,
       {"0", "store push all.hpp", 3},
       {"0.1", "rmw take all.hpp", 1},
       0},
      {TraceDecision::Kind::choose, {"0", "choose everything all.cpp", 1}, {}, 2}};
  made.trace().memory_model = "sc";
  made.conflict("the first").conflict("the second");
  made.trace().locations = {{"T0.1", "atomic", "dir/all.cpp", 5},
                            {"T0.2", "mutex", "dir/all.cpp", 6},
                            {"T0.3", "cell", "", 0}};
  made.at("dir/all.cpp", 1, "everything()");
  made.choose(0, 2, 3, "which of them");
  made.spawn(0, 1);
  made.begin(1, "steal()");
  const auto first = made.store(0, "T0.1", 0xdead, "release");
  made.step(made.fence(0, "release")).needed = false;
  const auto second = made.rmw(1, "T0.1", first, 0xbeef, "acq_rel");
  made.failed_rmw(1, "T0.1", second, "acquire");
  made.fence(1, "seq_cst");
  made.lock(0, "T0.2", TraceStep::initial);
  const auto waits = made.load(1, "T0.1", second, "seq_cst");
  made.step(waits).kind = TraceStep::Kind::await_load;
  made.cell(1, "T0.3", true);
  made.cell(0, "T0.3", false);
  made.end(1, "item 7");
  made.spin(1);
  made.blocked(1, "T0.2", "mutex", "waits for the mutex to become free");
  made.join(0, 1);
  return made;
}

/// The smallest trace there is.
inline HandMadeTrace empty() {
  HandMadeTrace made("empty");
  made.fails(FailureKind::exception, "", "", 0, 0);
  return made;
}

/// More threads than fit beside each other on any terminal but a very wide one.
inline HandMadeTrace many_threads() {
  HandMadeTrace made("many_threads");
  made.fails(FailureKind::check, "no two threads get one ticket", "tickets.cpp", 40, 12);
  made.at("tickets.cpp", 10);
  for (unsigned child = 1; child <= 12; ++child) made.spawn(0, child);
  std::int64_t source = TraceStep::initial;
  for (unsigned child = 1; child <= 12; ++child) {
    made.at("tickets.cpp", 20);
    source = made.rmw(child, "T0.1", source, child, "relaxed");
  }
  return made;
}

/// Names and texts far wider than any column, letters beyond ASCII, and bytes that are no text.
inline HandMadeTrace long_names() {
  const std::string name(90, 'x');
  HandMadeTrace made("long_names");
  made.fails(FailureKind::check, "größer als " + name, "very/deep/" + name + "/" + name + ".hpp",
             123456, 1);
  made.at("very/deep/" + name + ".hpp", 4000000000U, "Deque<" + name + ">::push");
  made.spawn(0, 1);
  const auto first = made.store(0, "T0.4294967295", 0xffffffff, "seq_cst");
  made.load(1, "T0.4294967295", first, "seq_cst");
  made.begin(1, "push(\"" + name + "\", \x1b[31mred\x1b[0m \xff\xfe)");
  made.choose(1, 4294967294U, 4294967295U, name);
  return made;
}

inline std::vector<Trace> all_samples() {
  return {message_passing().trace(), opposite_locks().trace(),
          lost_wakeup().trace(),     race().trace(),
          spinning().trace(),        everything().trace(),
          empty().trace(),           many_threads().trace()};
}

}  // namespace heddle::sim::support
