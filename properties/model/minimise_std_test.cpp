// The minimal part of a refused history is refused for a reason that the history has too, and
// nothing can be taken from it; both judged by the brute-force checker.
// Scope: as in brute_force_std_test.cpp, with histories of up to six operations.
#include <cstdlib>
#include <set>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "random_history.hpp"

namespace heddle {
namespace {

using brute::Kind;
using brute::Part;
using brute::Sample;
using model::OperationId;
using model::Role;

const bool many_cases = ::setenv("RC_PARAMS", "max_success=1500", 0) == 0;

brute::Timed random_timed(Kind kind, bool real_time) {
  const auto tape = *rc::gen::resize(
      rc::kNominalSize, rc::gen::container<std::vector<int>>(160, rc::gen::inRange(0, 256)));
  return brute::random_history(kind, real_time, tape, 6);
}

std::vector<Role> roles_of(const Sample& sample) {
  std::vector<Role> roles;
  for (const auto& event : sample.events) {
    roles.push_back(event.answer == brute::Event::Answer::pending ? Role::optional
                                                                  : Role::required);
  }
  return roles;
}

std::vector<Part> parts_of(const std::vector<Role>& roles) {
  std::vector<Part> parts;
  for (const Role role : roles) {
    parts.push_back(role == Role::required   ? Part::required
                    : role == Role::optional ? Part::optional
                                             : Part::absent);
  }
  return parts;
}

/// The sample as if `items` had never been there; `parts` lose the events that are gone with them.
Sample without(Sample sample, const std::set<long>& items, std::vector<Part>& parts) {
  for (std::size_t at = 0; at < sample.events.size(); ++at) {
    auto& event = sample.events[at];
    if (event.verb == brute::Event::Verb::push && items.count(event.argument) > 0) {
      parts[at] = Part::absent;
    }
    const bool had_items = !event.got.empty();
    std::erase_if(event.got, [&](long item) { return items.count(item) > 0; });
    if (had_items && event.got.empty()) {
      parts[at] = Part::absent;
    }
  }
  return sample;
}

std::set<long> items_of(const Sample& sample, const std::vector<Part>& parts) {
  std::set<long> items;
  for (std::size_t at = 0; at < sample.events.size(); ++at) {
    if (parts[at] != Part::absent) {
      items.insert(sample.events[at].got.begin(), sample.events[at].got.end());
      if (sample.events[at].verb == brute::Event::Verb::push) {
        items.insert(sample.events[at].argument);
      }
    }
  }
  return items;
}

bool only_observes(const brute::Event& event, Kind kind) {
  using Answer = brute::Event::Answer;
  using Verb = brute::Event::Verb;
  if (kind == Kind::cell) {
    return event.verb == Verb::read ||
           (event.verb == Verb::exchange_if && event.got.front() != event.expected);
  }
  return event.answer == Answer::empty || event.answer == Answer::nothing ||
         event.answer == Answer::full;
}

/// What was dropped from the items of the sample, as the minimiser left it.
template <class S>
Sample as_minimised(const Sample& sample, const model::MinimalPart<S>& found) {
  Sample result = sample;
  if constexpr (!std::is_same_v<S, model::AtomicRegister>) {
    for (std::size_t at = 0; at < result.events.size(); ++at) {
      const auto& operation = found.part.operations[at];
      if (operation.result.has_value()) {
        result.events[at].got.assign(operation.result->items.begin(),
                                     operation.result->items.end());
      }
    }
  }
  if constexpr (std::is_same_v<S, model::Deque>) {
    result.kind =
        found.part.spec.batch == model::Deque::Batch::any ? Kind::deque : Kind::deque_half;
  }
  if constexpr (std::is_same_v<S, model::Fifo>) {
    if (found.part.spec.full_always) result.kind = Kind::fifo_of_two_at_most;
  }
  return result;
}

/// Nothing can be taken away: neither an item nor an operation.
void require_irreducible(const Sample& sample, const std::vector<Part>& parts,
                         const std::vector<OperationId>& core) {
  for (const OperationId id : core) {
    std::vector<Part> fewer = parts;
    fewer[id] = only_observes(sample.events[id], sample.kind) ? Part::absent : Part::optional;
    RC_ASSERT(brute::linearizable(sample, fewer));
  }
  if (sample.kind == Kind::cell) {
    return;
  }
  for (const long item : items_of(sample, parts)) {
    std::vector<Part> fewer = parts;
    Sample rest = without(sample, {item}, fewer);
    rest.kind = sample.kind == Kind::deque_half    ? Kind::deque
                : sample.kind == Kind::fifo_of_two ? Kind::fifo_of_two_at_most
                                                   : sample.kind;
    RC_ASSERT(brute::linearizable(rest, fewer));
  }
}

/// The context explains every part of the core that lacks one operation, and none of it is idle.
void require_explaining(const Sample& sample, const std::vector<Part>& parts,
                        const std::vector<OperationId>& core,
                        const std::vector<OperationId>& context) {
  const auto explained_by = [&](const std::vector<OperationId>& shown) {
    for (const OperationId id : core) {
      std::vector<Part> fewer = parts;
      for (auto& part : fewer) {
        part = part == Part::optional ? Part::absent : part;
      }
      for (const OperationId ghost : shown) {
        fewer[ghost] = Part::optional;
      }
      fewer[id] = only_observes(sample.events[id], sample.kind) ? Part::absent : Part::optional;
      if (!brute::linearizable(sample, fewer)) {
        return false;
      }
    }
    return true;
  };
  RC_ASSERT(explained_by(context));
  for (const OperationId id : context) {
    std::vector<OperationId> fewer = context;
    std::erase(fewer, id);
    RC_ASSERT(!explained_by(fewer));
  }
}

template <class S>
void minimise_many(const char* what, Kind kind, const S& spec, bool real_time) {
  ASSERT_TRUE(many_cases);
  std::size_t refused = 0;
  std::size_t shorter = 0;
  EXPECT_TRUE(rc::check(what, [&] {
    const auto timed = random_timed(kind, real_time);
    const auto history = brute::history_of<S>(timed);
    if (brute::linearizable(timed.sample)) {
      return;
    }
    ++refused;
    const model::Order order = history.order();
    model::Part<S> whole{spec, history.operations(), roles_of(timed.sample)};
    const auto found = model::Minimiser<S>(std::move(whole), order, 10'000'000).run();
    RC_ASSERT(found.minimal);
    RC_ASSERT(!found.core.empty());
    shorter += found.core.size() + found.context.size() < history.size() ? 1 : 0;
    const Sample sample = as_minimised(timed.sample, found);
    const std::vector<Part> parts = parts_of(found.part.roles);
    RC_ASSERT(!brute::linearizable(sample, parts));
    require_irreducible(sample, parts, found.core);
    require_explaining(sample, parts, found.core, found.context);
  }));
  EXPECT_GE(refused, 200U);
  EXPECT_GE(shorter, 150U);
}

TEST(Minimise, finds_irreducible_parts_of_deque_histories) {
  minimise_many("deque, real time", Kind::deque, model::Deque{}, true);
  minimise_many("deque, partial order", Kind::deque, model::Deque{}, false);
}

TEST(Minimise, finds_irreducible_parts_when_batches_are_halves) {
  minimise_many("deque", Kind::deque_half, model::Deque{model::Deque::Batch::at_most_half}, true);
}

TEST(Minimise, finds_irreducible_parts_of_queue_histories) {
  minimise_many("queue, real time", Kind::fifo, model::Fifo{}, true);
  minimise_many("queue, partial order", Kind::fifo, model::Fifo{}, false);
  minimise_many("bounded queue", Kind::fifo_of_two, model::Fifo{2}, true);
}

TEST(Minimise, finds_irreducible_parts_of_stack_histories) {
  minimise_many("stack, real time", Kind::lifo, model::Lifo{}, true);
  minimise_many("stack, partial order", Kind::lifo, model::Lifo{}, false);
}

TEST(Minimise, finds_irreducible_parts_of_register_histories) {
  minimise_many("register, real time", Kind::cell, model::AtomicRegister{}, true);
  minimise_many("register, partial order", Kind::cell, model::AtomicRegister{}, false);
}

// What the steps rest on: from a history that is linearizable, no step leads to one that is not.
template <class S>
void steps_are_sound(const char* what, Kind kind, const S& spec, bool real_time) {
  ASSERT_TRUE(many_cases);
  std::size_t weakened = 0;
  EXPECT_TRUE(rc::check(what, [&] {
    const auto timed = random_timed(kind, real_time);
    if (!brute::linearizable(timed.sample)) {
      return;
    }
    ++weakened;
    const auto history = brute::history_of<S>(timed);
    std::vector<model::OperationOf<S>> operations = history.operations();
    std::vector<Role> roles = roles_of(timed.sample);
    const auto choices = *rc::gen::container<std::vector<int>>(16, rc::gen::inRange(0, 3));
    S weaker = spec;
    if constexpr (model::Projecting<S>) {
      weaker = spec.relaxed();
      for (model::Item item = 0; item < 7; ++item) {
        for (OperationId id = 0; id < operations.size(); ++id) {
          if (choices[static_cast<std::size_t>(item)] != 0 || roles[id] == Role::absent) {
            continue;
          }
          if (auto rest = spec.without(operations[id], item)) {
            operations[id] = *rest;
          } else {
            roles[id] = Role::absent;
          }
        }
      }
    }
    for (OperationId id = 0; id < operations.size(); ++id) {
      if (choices[8 + id] == 0 && roles[id] == Role::required) {
        roles[id] = weaker.only_observes(operations[id]) ? Role::absent : Role::optional;
      }
    }
    const model::Order order = history.order();
    model::Search<S> search(weaker, operations, order, roles, 1'000'000);
    RC_ASSERT(search.run() == model::Verdict::linearizable);
  }));
  EXPECT_GE(weakened, 300U);
}

TEST(Minimise, takes_only_sound_steps) {
  for (const bool real_time : {true, false}) {
    steps_are_sound("deque", Kind::deque, model::Deque{}, real_time);
    steps_are_sound("half batches", Kind::deque_half,
                    model::Deque{model::Deque::Batch::at_most_half}, real_time);
    steps_are_sound("queue", Kind::fifo, model::Fifo{}, real_time);
    steps_are_sound("bounded queue", Kind::fifo_of_two, model::Fifo{2}, real_time);
    steps_are_sound("stack", Kind::lifo, model::Lifo{}, real_time);
    steps_are_sound("register", Kind::cell, model::AtomicRegister{}, real_time);
  }
}

}  // namespace
}  // namespace heddle
