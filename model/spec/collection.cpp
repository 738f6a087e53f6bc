#include <heddle/model/spec/collection.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::model {
namespace {

using Answer = Outcome::Answer;
using Verb = Request::Verb;

/// Who pushed an item and who got it.
struct Movements {
  std::vector<OperationId> pushes;
  std::vector<OperationId> deliveries;  // one entry per copy
};

bool may_have_pushed(const CollectionOperation& operation) {
  return operation.call.verb == Verb::push &&
         (!operation.result.has_value() || operation.result->answer == Answer::done);
}

std::string times(std::size_t count) {
  return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
}

/// "steal_half(8) -> [1, 2]"
std::string text_of(const CollectionOperation& operation) {
  const Collection words;
  const std::string result =
      operation.result ? words.result_text(operation.call, *operation.result) : "";
  return words.call_text(operation.call) + (result.empty() ? "" : " -> " + result);
}

std::string names(const std::vector<OperationId>& ids,
                  std::span<const CollectionOperation> operations) {
  std::string text;
  for (std::size_t at = 0; at < ids.size(); ++at) {
    const CollectionOperation& operation = operations[ids[at]];
    text += fmt::format("{}#{} {} of thread {}",
                        at == 0                ? ""
                        : at + 1 == ids.size() ? " and "
                                               : ", ",
                        ids[at], text_of(operation), operation.thread);
  }
  return text;
}

}  // namespace

Request push(Item item) { return {Verb::push, item, 1}; }
Request pop() { return {Verb::pop, 0, 1}; }
Request steal() { return {Verb::steal, 0, 1}; }
Request steal_half(std::size_t count_max) { return {Verb::steal_half, 0, count_max}; }

Outcome done() { return {Answer::done}; }
Outcome delivered(Item item) { return {Answer::items, {item}}; }
Outcome delivered(std::vector<Item> items) { return {Answer::items, std::move(items)}; }
Outcome empty() { return {Answer::empty}; }
Outcome lost_race() { return {Answer::lost_race}; }
Outcome retry() { return {Answer::retry}; }
Outcome full() { return {Answer::full}; }

std::size_t hash_of(std::span<const Item> items) noexcept {
  std::uint64_t hash = items.size();
  for (const Item item : items) {
    hash = spread_bits(hash ^ static_cast<std::uint64_t>(item));
  }
  return hash;
}

std::string Collection::call_text(const Request& request) const {
  switch (request.verb) {
    case Verb::push:
      return fmt::format("push({})", request.item);
    case Verb::pop:
      return "pop()";
    case Verb::steal:
      return "steal()";
    case Verb::steal_half:
      return fmt::format("steal_half({})", request.count_max);
  }
  return "?";
}

std::string Collection::result_text(const Request& request, const Outcome& outcome) const {
  switch (outcome.answer) {
    case Answer::done:
      return "";
    case Answer::items:
      if (outcome.shortened) {
        return fmt::format("[{}, ...]", fmt::join(outcome.items, ", "));
      }
      return request.verb != Verb::steal_half && outcome.items.size() == 1
                 ? std::to_string(outcome.items.front())
                 : state_text(outcome.items);
    case Answer::empty:
      return "empty";
    case Answer::lost_race:
      return "lost race";
    case Answer::retry:
      return "retry";
    case Answer::full:
      return "full";
  }
  return "?";
}

std::string Collection::state_text(const State& items) const {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

bool Collection::only_observes(const CollectionOperation& operation) const noexcept {
  return operation.result.has_value() && operation.result->answer != Answer::done &&
         operation.result->answer != Answer::items;
}

std::vector<Item> Collection::values(const CollectionOperation& operation) const {
  if (operation.call.verb == Verb::push) {
    return {operation.call.item};
  }
  return operation.result.has_value() ? operation.result->items : std::vector<Item>{};
}

std::optional<CollectionOperation> Collection::without(const CollectionOperation& operation,
                                                       Item item) const {
  if (operation.call.verb == Verb::push) {
    return operation.call.item == item ? std::nullopt : std::optional(operation);
  }
  if (!operation.result.has_value() || operation.result->answer != Answer::items) {
    return operation;
  }
  CollectionOperation rest = operation;
  if (std::erase(rest.result->items, item) == 0) {
    return operation;
  }
  rest.result->shortened = true;
  return rest.result->items.empty() ? std::nullopt : std::optional(rest);
}

std::optional<Miscount<Item>> Collection::miscount(
    const std::vector<CollectionOperation>& operations, const std::vector<Role>& roles,
    const Order& order) const {
  std::map<Item, Movements> movements;
  for (OperationId id = 0; id < operations.size(); ++id) {
    if (roles[id] == Role::absent) {
      continue;
    }
    if (may_have_pushed(operations[id])) {
      movements[operations[id].call.item].pushes.push_back(id);
    }
    if (operations[id].result.has_value()) {
      for (const Item item : operations[id].result->items) {
        movements[item].deliveries.push_back(id);
      }
    }
  }
  for (const auto& [item, moved] : movements) {
    if (moved.pushes.empty() && !moved.deliveries.empty()) {
      return Miscount<Item>{fmt::format("Item {} was delivered by {} but never pushed.", item,
                                        names(moved.deliveries, operations)),
                            {item}};
    }
    if (moved.deliveries.size() > moved.pushes.size()) {
      return Miscount<Item>{fmt::format("Item {} was pushed {} and delivered {}: by {}.", item,
                                        times(moved.pushes.size()), times(moved.deliveries.size()),
                                        names(moved.deliveries, operations)),
                            {item}};
    }
    for (const OperationId delivery : moved.deliveries) {
      if (std::all_of(moved.pushes.begin(), moved.pushes.end(),
                      [&](OperationId pushing) { return order.before(delivery, pushing); })) {
        return Miscount<Item>{fmt::format("Item {} was delivered before it was pushed: {}.", item,
                                          names({delivery, moved.pushes.front()}, operations)),
                              {item}};
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> find_lost_item(std::span<const CollectionOperation> operations,
                                          std::span<const Item> left) {
  std::map<Item, std::size_t> seen;
  for (const Item item : left) {
    ++seen[item];
  }
  for (const CollectionOperation& operation : operations) {
    if (operation.result.has_value()) {
      for (const Item item : operation.result->items) {
        ++seen[item];
      }
    }
  }
  for (OperationId id = 0; id < operations.size(); ++id) {
    const CollectionOperation& operation = operations[id];
    if (operation.call.verb != Verb::push || !operation.result.has_value() ||
        operation.result->answer != Answer::done) {
      continue;
    }
    const auto found = seen.find(operation.call.item);
    if (found == seen.end() || found->second == 0) {
      return fmt::format(
          "Item {} was lost: pushed by {}, never delivered, and not among the {} "
          "that are left.",
          operation.call.item, names({id}, operations), left.size());
    }
    --found->second;
  }
  return std::nullopt;
}

AnswerCounts count_answers(std::span<const CollectionOperation> operations) {
  AnswerCounts counts;
  for (const CollectionOperation& operation : operations) {
    if (!operation.result.has_value()) {
      ++counts.pending;
      continue;
    }
    switch (operation.result->answer) {
      case Answer::done:
        ++counts.done;
        break;
      case Answer::items:
        ++counts.deliveries;
        counts.items += operation.result->items.size();
        break;
      case Answer::empty:
        ++counts.empty;
        break;
      case Answer::lost_race:
        ++counts.lost_race;
        break;
      case Answer::retry:
        ++counts.retry;
        break;
      case Answer::full:
        ++counts.full;
        break;
    }
  }
  return counts;
}

std::vector<OperationId> lost_races_without_rival(std::span<const CollectionOperation> operations,
                                                  const Order& order) {
  std::vector<OperationId> alone;
  for (OperationId id = 0; id < operations.size(); ++id) {
    if (!operations[id].result.has_value() || (operations[id].result->answer != Answer::lost_race &&
                                               operations[id].result->answer != Answer::retry)) {
      continue;
    }
    bool has_rival = false;
    for (OperationId other = 0; other < operations.size() && !has_rival; ++other) {
      has_rival = other != id && operations[other].object == operations[id].object &&
                  !order.before(other, id) && !order.before(id, other);
    }
    if (!has_rival) {
      alone.push_back(id);
    }
  }
  return alone;
}

}  // namespace heddle::model
