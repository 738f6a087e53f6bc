#include <heddle/model/spec/deque.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace heddle::model {
namespace {

using Answer = Outcome::Answer;
using Verb = Request::Verb;

std::vector<Item> without_top(const std::vector<Item>& items, std::size_t count) {
  return {items.begin() + static_cast<std::ptrdiff_t>(count), items.end()};
}

}  // namespace

std::size_t Deque::batch_max(const State& items, const Request& request) const noexcept {
  if (request.verb != Verb::steal_half) {
    return std::min<std::size_t>(items.size(), 1);
  }
  // Half of one item is one: a thief may take the last.
  const std::size_t share = batch == Batch::any ? items.size() : (items.size() + 1) / 2;
  return std::min(share, request.count_max);
}

/// Whether the recorded result is possible here.
bool Deque::allows(const State& items, const CollectionOperation& operation) const {
  const Outcome& outcome = *operation.result;
  if (operation.call.verb == Verb::push) {
    return outcome.answer == Answer::done;
  }
  switch (outcome.answer) {
    case Answer::empty:
      return items.empty();
    case Answer::lost_race:
      return operation.call.verb != Verb::pop;
    case Answer::items:
      break;
    default:
      return false;
  }
  const std::size_t count = outcome.items.size();
  if (count == 0 || count > batch_max(items, operation.call)) {
    return false;
  }
  return operation.call.verb == Verb::pop
             ? items.back() == outcome.items.front()
             : std::equal(outcome.items.begin(), outcome.items.end(), items.begin());
}

std::vector<Deque::State> Deque::step(const State& items,
                                      const CollectionOperation& operation) const {
  if (operation.result.has_value() && !allows(items, operation)) {
    return {};
  }
  const Request& request = operation.call;
  if (request.verb == Verb::push) {
    State next = items;
    next.push_back(request.item);
    return {std::move(next)};
  }
  if (request.verb == Verb::pop) {
    const bool takes =
        operation.result.has_value() ? operation.result->answer == Answer::items : !items.empty();
    return {takes ? State(items.begin(), items.end() - 1) : items};
  }
  if (operation.result.has_value()) {
    return {without_top(items, operation.result->items.size())};
  }
  std::vector<State> possible;  // pending: anything from a lost race to the largest batch
  for (std::size_t count = 0; count <= batch_max(items, request); ++count) {
    possible.push_back(without_top(items, count));
  }
  return possible;
}

std::string Deque::explain(const State& items, const CollectionOperation& operation) const {
  const Outcome& outcome = *operation.result;
  if (outcome.answer == Answer::empty) {
    return fmt::format("the deque holds {}", state_text(items));
  }
  if (outcome.answer != Answer::items || operation.call.verb == Verb::push) {
    return "never an answer to this operation";
  }
  if (items.empty()) {
    return "the deque is empty";
  }
  if (outcome.items.empty()) {
    return "a batch has at least one item";
  }
  if (outcome.items.size() > batch_max(items, operation.call)) {
    return fmt::format("at most {} may be taken from the {} there",
                       batch_max(items, operation.call), items.size());
  }
  return operation.call.verb == Verb::pop
             ? fmt::format("the bottom item is {}", items.back())
             : fmt::format("the items from the top are {}", state_text(items));
}

}  // namespace heddle::model
