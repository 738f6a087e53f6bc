// A linearizability checker that is too simple to be wrong: it tries every choice of the optional
// operations in every permutation. Shares nothing with model/: own operations, own objects, own
// order. Good for seven operations or so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <set>
#include <vector>

namespace heddle::brute {

/// fifo_of_two holds two items; fifo_of_two_at_most may say that it is full at any time.
enum class Kind { deque, deque_half, fifo, fifo_of_two, fifo_of_two_at_most, lifo, cell };

struct Event {
  enum class Verb { push, pop, steal, steal_half, read, write, add, exchange_if };
  enum class Answer { pending, done, full, got, empty, nothing };  // nothing: lost race, retry
  int thread = 0;
  int object = 0;
  Verb verb = Verb::push;
  long argument = 0;  // pushed, written, added; room of a batch
  long expected = 0;  // exchange_if
  Answer answer = Answer::pending;
  std::vector<long> got{};  // items, or the number that was read
};

enum class Part { required, optional, absent };

struct Sample {
  Kind kind = Kind::deque;
  std::vector<Event> events{};
  std::vector<std::vector<bool>> before{};  // before[a][b]; transitive
};

using Contents = std::deque<long>;

/// Every (answer, contents afterwards) of a collection.
inline std::vector<std::pair<Event, Contents>> outcomes(Kind kind, const Event& event,
                                                        const Contents& contents) {
  using Verb = Event::Verb;
  using Answer = Event::Answer;
  std::vector<std::pair<Event, Contents>> all;
  const auto answer = [&](Answer what, std::vector<long> got, Contents after) {
    Event done = event;
    done.answer = what;
    done.got = std::move(got);
    all.emplace_back(std::move(done), std::move(after));
  };
  if (kind == Kind::cell) {
    const long old = contents.empty() ? 0 : contents.front();
    switch (event.verb) {
      case Verb::read:
        answer(Answer::got, {old}, {old});
        break;
      case Verb::write:
        answer(Answer::done, {}, {event.argument});
        break;
      case Verb::add:
        answer(Answer::got, {old}, {old + event.argument});
        break;
      default:
        answer(Answer::got, {old}, {old == event.expected ? event.argument : old});
        break;
    }
    return all;
  }
  const bool is_bounded = kind == Kind::fifo_of_two || kind == Kind::fifo_of_two_at_most;
  const bool is_queue = kind == Kind::fifo || is_bounded;
  if (event.verb == Verb::push && is_bounded) {
    if (contents.size() == 2 || kind == Kind::fifo_of_two_at_most) {
      answer(Answer::full, {}, contents);
    }
    if (contents.size() == 2) {
      return all;
    }
  }
  if (event.verb == Verb::push) {
    Contents more = contents;
    more.push_back(event.argument);
    answer(Answer::done, {}, more);
    return all;
  }
  const bool from_the_end = kind == Kind::lifo || (!is_queue && event.verb == Verb::pop);
  if (event.verb != Verb::pop || is_queue) {
    answer(Answer::nothing, {}, contents);
  }
  if (contents.empty()) {
    answer(Answer::empty, {}, contents);
    return all;
  }
  std::size_t largest = 1;
  if (event.verb == Verb::steal_half) {
    largest = kind == Kind::deque_half ? contents.size() - contents.size() / 2 : contents.size();
    largest = std::min(largest, static_cast<std::size_t>(event.argument));
  }
  std::vector<long> got;
  Contents left = contents;
  for (std::size_t count = 1; count <= largest; ++count) {
    got.push_back(from_the_end ? left.back() : left.front());
    if (from_the_end) {
      left.pop_back();
    } else {
      left.pop_front();
    }
    answer(Answer::got, got, left);
  }
  return all;
}

inline bool explains(const Sample& sample, const std::vector<std::size_t>& order,
                     const std::vector<Part>& parts) {
  // The contents of all objects, side by side.
  std::set<std::vector<Contents>> possible{std::vector<Contents>(4)};
  for (const std::size_t at : order) {
    const Event& event = sample.events[at];
    std::set<std::vector<Contents>> next;
    for (const auto& contents : possible) {
      for (const auto& [done, after] :
           outcomes(sample.kind, event, contents[static_cast<std::size_t>(event.object)])) {
        const bool any_answer = parts[at] == Part::optional;
        if (any_answer || (done.answer == event.answer && done.got == event.got)) {
          auto changed = contents;
          changed[static_cast<std::size_t>(event.object)] = after;
          next.insert(std::move(changed));
        }
      }
    }
    if (next.empty()) {
      return false;
    }
    possible = std::move(next);
  }
  return true;
}

inline bool respects(const Sample& sample, const std::vector<std::size_t>& order,
                     const std::vector<Part>& parts) {
  for (std::size_t later = 0; later < order.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (parts[order[later]] == Part::required && sample.before[order[later]][order[earlier]]) {
        return false;
      }
    }
  }
  return true;
}

/// With parts: the events as they are required, optional or absent.
inline bool linearizable(const Sample& sample, const std::vector<Part>& parts) {
  std::vector<std::size_t> optional;
  std::vector<std::size_t> required;
  for (std::size_t at = 0; at < parts.size(); ++at) {
    if (parts[at] == Part::required) {
      required.push_back(at);
    } else if (parts[at] == Part::optional) {
      optional.push_back(at);
    }
  }
  for (std::size_t choice = 0; choice < (std::size_t{1} << optional.size()); ++choice) {
    std::vector<std::size_t> order = required;
    for (std::size_t bit = 0; bit < optional.size(); ++bit) {
      if ((choice >> bit & 1) != 0) {
        order.push_back(optional[bit]);
      }
    }
    std::sort(order.begin(), order.end());
    do {
      if (respects(sample, order, parts) && explains(sample, order, parts)) {
        return true;
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return false;
}

inline bool linearizable(const Sample& sample) {
  std::vector<Part> parts;
  for (const Event& event : sample.events) {
    parts.push_back(event.answer == Event::Answer::pending ? Part::optional : Part::required);
  }
  return linearizable(sample, parts);
}

}  // namespace heddle::brute
