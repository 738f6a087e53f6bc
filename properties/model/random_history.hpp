// Small random histories for the comparison with the brute-force checker. A history is decoded
// from a tape of bytes, so that rapidcheck can shrink it.
//
// A sequential object runs along a random schedule of calls, effects and returns, which gives a
// history that is linearizable. On some tapes the object misbehaves: it acts on contents that are
// out of date, or takes from the wrong end; and some histories are damaged afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <heddle/model.hpp>

#include "brute_force.hpp"

namespace heddle::brute {

class Tape {
 public:
  explicit Tape(const std::vector<int>& bytes) : bytes_(bytes) {}
  /// 0 .. n-1; zero when the tape has ended.
  std::size_t below(std::size_t n) {
    return at_ < bytes_.size() ? static_cast<std::size_t>(bytes_[at_++]) % n : 0;
  }
  bool one_in(std::size_t n) { return below(n) == n - 1; }

 private:
  const std::vector<int>& bytes_;
  std::size_t at_ = 0;
};

/// A sample together with the times of its calls and returns.
struct Timed {
  Sample sample{};
  std::vector<std::uint64_t> called{};
  std::vector<std::uint64_t> returned{};
  bool real_time = true;
};

inline Event random_call(Kind kind, Tape& tape, long fresh) {
  using Verb = Event::Verb;
  Event event;
  if (kind == Kind::cell) {
    static constexpr Verb verbs[] = {Verb::write, Verb::read, Verb::add, Verb::exchange_if};
    event.verb = verbs[tape.below(4)];
    event.argument = static_cast<long>(tape.below(3));
    event.expected = static_cast<long>(tape.below(3));
    return event;
  }
  const bool has_thieves = kind == Kind::deque || kind == Kind::deque_half;
  static constexpr Verb verbs[] = {Verb::push, Verb::push,  Verb::pop,       Verb::push,
                                   Verb::pop,  Verb::steal, Verb::steal_half};
  event.verb = verbs[tape.below(has_thieves ? 7 : 5)];
  event.argument = event.verb == Verb::push ? fresh : static_cast<long>(1 + tape.below(3));
  return event;
}

/// Changes a result, or exchanges those of two operations.
inline void damage(Sample& sample, Tape& tape) {
  using Answer = Event::Answer;
  Event& one = sample.events[tape.below(sample.events.size())];
  Event& other = sample.events[tape.below(sample.events.size())];
  const bool both_returned = one.answer != Answer::pending && other.answer != Answer::pending;
  if (sample.kind == Kind::fifo_of_two && one.verb == Event::Verb::push && tape.one_in(2)) {
    if (one.answer != Answer::pending) {
      one.answer = one.answer == Answer::full ? Answer::done : Answer::full;
    }
  } else if (tape.one_in(2) && both_returned && one.verb != Event::Verb::push &&
             other.verb != Event::Verb::push && sample.kind != Kind::cell) {
    std::swap(one.answer, other.answer);
    std::swap(one.got, other.got);
  } else if (one.answer == Answer::got) {
    if (sample.kind != Kind::cell && tape.one_in(3)) {
      one.answer = Answer::empty;
      one.got.clear();
    } else {
      one.got[tape.below(one.got.size())] = static_cast<long>(1 + tape.below(3));
    }
  } else if (one.answer == Answer::empty || one.answer == Answer::nothing) {
    one.answer = Answer::got;
    one.got = {static_cast<long>(1 + tape.below(3))};
  }
}

inline void close(std::vector<std::vector<bool>>& relation) {
  for (std::size_t middle = 0; middle < relation.size(); ++middle) {
    for (std::size_t a = 0; a < relation.size(); ++a) {
      for (std::size_t b = 0; b < relation.size(); ++b) {
        if (relation[a][middle] && relation[middle][b]) {
          relation[a][b] = true;
        }
      }
    }
  }
}

/// What an object does in the history, right or wrong.
enum class Manner { right, stale, foreign };

/// The object of a sample while the history is made.
class Subject {
 public:
  Subject(Kind kind, Manner manner) : kind_(kind), manner_(manner), versions_{{}} {}

  void act(Event& event, Tape& tape) {
    const bool is_stale = manner_ == Manner::stale && versions_.size() > 1 && tape.one_in(3);
    const Contents& seen = versions_[versions_.size() - (is_stale ? 2 : 1)];
    const bool is_foreign = manner_ == Manner::foreign && tape.one_in(2);
    const Kind kind = !is_foreign           ? kind_
                      : kind_ == Kind::lifo ? Kind::fifo
                      : kind_ == Kind::cell ? Kind::cell
                                            : Kind::lifo;
    const auto possible = outcomes(kind, event, seen);
    // Deliveries come last in the list; prefer them.
    const auto& [done, after] =
        possible[tape.one_in(4) ? tape.below(possible.size()) : possible.size() - 1];
    event = done;
    versions_.push_back(after);
  }

 private:
  Kind kind_;
  Manner manner_;
  std::vector<Contents> versions_;
};

/// Threads that call, let their operation take effect, and return, in a random order.
inline Timed run_threads(Kind kind, Tape& tape, std::size_t operations_max, std::size_t objects) {
  Timed timed;
  timed.sample.kind = kind;
  struct Thread {
    enum class At { idle, called, effective } at = At::idle;
    std::size_t open = 0;
  };
  std::vector<Thread> threads(1 + tape.below(3));
  static constexpr Manner manners[] = {Manner::right, Manner::right, Manner::stale,
                                       Manner::foreign};
  std::vector<Subject> subjects(objects, Subject(kind, manners[tape.below(4)]));
  const std::size_t count = operations_max - tape.below(3);
  const std::size_t steps = 5 * count - tape.below(2 * count);  // some operations stay open
  auto& events = timed.sample.events;
  for (std::uint64_t now = 1; now <= steps; ++now) {
    const std::size_t chosen = tape.below(threads.size());
    Thread& thread = threads[chosen];
    if (thread.at == Thread::At::idle) {
      if (events.size() == count) {
        continue;
      }
      thread = {Thread::At::called, events.size()};
      events.push_back(random_call(kind, tape, static_cast<long>(events.size() + 1)));
      events.back().thread = static_cast<int>(chosen);
      events.back().object = static_cast<int>(tape.below(objects));
      timed.called.push_back(now);
      timed.returned.push_back(model::Interval::never);
    } else if (thread.at == Thread::At::called) {
      Event& event = events[thread.open];
      subjects[static_cast<std::size_t>(event.object)].act(event, tape);
      thread.at = Thread::At::effective;
    } else {
      timed.returned[thread.open] = now;
      thread.at = Thread::At::idle;
    }
  }
  for (std::size_t at = 0; at < timed.returned.size(); ++at) {
    if (timed.returned[at] == model::Interval::never) {
      events[at].answer = Event::Answer::pending;
      events[at].got.clear();
    }
  }
  return timed;
}

inline Timed random_history(Kind kind, bool real_time, const std::vector<int>& bytes,
                            std::size_t operations_max, std::size_t objects = 1) {
  Tape tape(bytes);
  Timed timed = run_threads(kind, tape, operations_max, objects);
  timed.real_time = real_time;
  Sample& sample = timed.sample;
  const std::size_t n = sample.events.size();
  sample.before.assign(n, std::vector<bool>(n, false));
  const std::size_t density = 2 + tape.below(4);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      const bool in_time = timed.returned[a] < timed.called[b];
      const bool same_thread = sample.events[a].thread == sample.events[b].thread;
      sample.before[a][b] = in_time && (real_time || same_thread || tape.one_in(density));
    }
  }
  close(sample.before);
  if (tape.one_in(3)) {
    damage(sample, tape);
  }
  return timed;
}

// The same history in the words of the model.

inline model::CollectionOperation collection_operation(const Event& event) {
  using Verb = Event::Verb;
  using Answer = Event::Answer;
  model::CollectionOperation operation;
  operation.thread = static_cast<unsigned>(event.thread);
  operation.object = static_cast<std::uint64_t>(event.object);
  switch (event.verb) {
    case Verb::push:
      operation.call = model::push(event.argument);
      break;
    case Verb::pop:
      operation.call = model::pop();
      break;
    case Verb::steal:
      operation.call = model::steal();
      break;
    default:
      operation.call = model::steal_half(static_cast<std::size_t>(event.argument));
      break;
  }
  const bool from_queue = event.verb == Verb::pop;
  switch (event.answer) {
    case Answer::pending:
      break;
    case Answer::done:
      operation.result = model::done();
      break;
    case Answer::full:
      operation.result = model::full();
      break;
    case Answer::got:
      operation.result =
          model::delivered(std::vector<model::Item>(event.got.begin(), event.got.end()));
      break;
    case Answer::empty:
      operation.result = model::empty();
      break;
    case Answer::nothing:
      operation.result = from_queue ? model::retry() : model::lost_race();
      break;
  }
  return operation;
}

inline model::OperationOf<model::AtomicRegister> register_operation(const Event& event) {
  using Verb = Event::Verb;
  model::OperationOf<model::AtomicRegister> operation;
  operation.thread = static_cast<unsigned>(event.thread);
  operation.object = static_cast<std::uint64_t>(event.object);
  switch (event.verb) {
    case Verb::read:
      operation.call = model::read();
      break;
    case Verb::write:
      operation.call = model::write(event.argument);
      break;
    case Verb::add:
      operation.call = model::fetch_add(event.argument);
      break;
    default:
      operation.call = model::compare_exchange(event.expected, event.argument);
      break;
  }
  if (event.answer != Event::Answer::pending) {
    operation.result = event.got.empty() ? 0 : event.got.front();
  }
  return operation;
}

template <class S>
model::History<S> history_of(const Timed& timed) {
  model::History<S> history;
  for (std::size_t at = 0; at < timed.sample.events.size(); ++at) {
    const model::Interval interval{timed.called[at], timed.returned[at]};
    if constexpr (std::is_same_v<S, model::AtomicRegister>) {
      history.add(register_operation(timed.sample.events[at]), interval);
    } else {
      history.add(collection_operation(timed.sample.events[at]), interval);
    }
  }
  if (!timed.real_time) {
    history.order_by([&](std::size_t a, std::size_t b) { return timed.sample.before[a][b]; });
  }
  return history;
}

}  // namespace heddle::brute
