#include <heddle/model/spec/fifo.hpp>

#include <fmt/format.h>

namespace heddle::model {
namespace {

using Answer = Outcome::Answer;
using Verb = Request::Verb;

std::vector<Item> with(std::vector<Item> items, Item item) {
  items.push_back(item);
  return items;
}

std::vector<Item> without_oldest(const std::vector<Item>& items) {
  return {items.begin() + 1, items.end()};
}

}  // namespace

std::vector<Fifo::State> Fifo::step(const State& items,
                                    const CollectionOperation& operation) const {
  const bool has_room = items.size() < capacity;
  if (operation.call.verb == Verb::push) {
    if (!operation.result.has_value()) {
      return has_room ? std::vector<State>{with(items, operation.call.item)}
                      : std::vector<State>{items};
    }
    if (operation.result->answer == Answer::full && (full_always || !has_room)) {
      return {items};
    }
    return operation.result->answer == Answer::done && has_room
               ? std::vector<State>{with(items, operation.call.item)}
               : std::vector<State>{};
  }
  if (operation.call.verb != Verb::pop) {
    return {};
  }
  if (!operation.result.has_value()) {
    return items.empty() ? std::vector<State>{items}
                         : std::vector<State>{without_oldest(items), items};
  }
  const Outcome& outcome = *operation.result;
  switch (outcome.answer) {
    case Answer::retry:
      return {items};
    case Answer::empty:
      return items.empty() ? std::vector<State>{items} : std::vector<State>{};
    case Answer::items:
      break;
    default:
      return {};
  }
  if (items.empty() || outcome.items.size() != 1 || outcome.items.front() != items.front()) {
    return {};
  }
  return {without_oldest(items)};
}

std::string Fifo::explain(const State& items, const CollectionOperation& operation) const {
  if (operation.result->answer == Answer::empty) {
    return fmt::format("the queue holds {}", state_text(items));
  }
  if (operation.result->answer == Answer::full) {
    return fmt::format("the queue holds {} of {}", items.size(), capacity);
  }
  if (operation.call.verb == Verb::push && operation.result->answer == Answer::done) {
    return fmt::format("the queue is full with {}", state_text(items));
  }
  if (operation.call.verb != Verb::pop || operation.result->answer != Answer::items) {
    return "never an answer to this operation";
  }
  return items.empty() ? "the queue is empty" : fmt::format("the oldest item is {}", items.front());
}

Fifo Fifo::relaxed() const {
  Fifo wider = *this;
  wider.full_always = full_always || capacity != unbounded;
  return wider;
}

}  // namespace heddle::model
