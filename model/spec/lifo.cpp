#include <heddle/model/spec/lifo.hpp>

#include <fmt/format.h>

namespace heddle::model {

using Answer = Outcome::Answer;
using Verb = Request::Verb;

std::optional<Lifo::State> Lifo::step(const State& items,
                                      const CollectionOperation& operation) const {
  const auto& result = operation.result;
  if (operation.call.verb == Verb::push) {
    if (result.has_value() && result->answer != Answer::done) {
      return std::nullopt;
    }
    State next = items;
    next.push_back(operation.call.item);
    return next;
  }
  if (operation.call.verb != Verb::pop) {
    return std::nullopt;
  }
  if (items.empty()) {
    const bool possible = !result.has_value() || result->answer == Answer::empty;
    return possible ? std::optional(items) : std::nullopt;
  }
  if (result.has_value() &&
      (result->answer != Answer::items || result->items != State{items.back()})) {
    return std::nullopt;
  }
  return State(items.begin(), items.end() - 1);
}

std::string Lifo::explain(const State& items, const CollectionOperation& operation) const {
  if (operation.result->answer == Answer::empty) {
    return fmt::format("the stack holds {}", state_text(items));
  }
  if (operation.call.verb != Verb::pop || operation.result->answer != Answer::items) {
    return "never an answer to this operation";
  }
  return items.empty() ? "the stack is empty" : fmt::format("the newest item is {}", items.back());
}

}  // namespace heddle::model
