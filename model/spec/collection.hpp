// What deques, queues and stacks have in common: the words of their operations, and the laws that
// hold for every collection of distinct items, whatever its discipline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <heddle/model/linearizability/check.hpp>

namespace heddle::model {

/// An item. Let every item of a test be another number: mix-ups show at once then.
using Item = std::int64_t;

struct Request {
  enum class Verb : std::uint8_t { push, pop, steal, steal_half };
  Verb verb = Verb::push;
  Item item = 0;              ///< push
  std::size_t count_max = 1;  ///< steal_half: the room of the caller's buffer
};

Request push(Item item);
Request pop();
Request steal();
Request steal_half(std::size_t count_max);

struct Outcome {
  enum class Answer : std::uint8_t {
    done,       ///< pushed
    items,      ///< delivered
    empty,      ///< there was nothing
    lost_race,  ///< another thread was faster; says nothing about the contents
    retry,      ///< a push is half done; says nothing about the contents
    full,       ///< not pushed
  };
  Answer answer = Answer::done;
  std::vector<Item> items{};
  bool shortened = false;  ///< items were dropped from a batch while a failure was minimised
};

Outcome done();
Outcome delivered(Item item);
Outcome delivered(std::vector<Item> items);
Outcome empty();
Outcome lost_race();
Outcome retry();
Outcome full();

using CollectionOperation = Operation<Request, Outcome>;

std::size_t hash_of(std::span<const Item> items) noexcept;

/// What the specifications of collections share; each adds initial states and steps.
struct Collection {
  using Call = Request;
  using Result = Outcome;
  using State = std::vector<Item>;
  using Value = Item;

  State initial() const { return {}; }
  std::size_t hash(const State& items) const noexcept { return hash_of(items); }
  std::string call_text(const Request& request) const;
  /// Empty for `done`.
  std::string result_text(const Request& request, const Outcome& outcome) const;
  std::string state_text(const State& items) const;

  /// Whoever got nothing, or put nothing in, has left the collection as it was.
  bool only_observes(const CollectionOperation& operation) const noexcept;
  std::vector<Item> values(const CollectionOperation& operation) const;
  std::optional<CollectionOperation> without(const CollectionOperation& operation, Item item) const;

  /// Finds items that were delivered more often than pushed, or before they were pushed. Needs no
  /// search, so that it judges histories of any length.
  std::optional<Miscount<Item>> miscount(const std::vector<CollectionOperation>& operations,
                                         const std::vector<Role>& roles, const Order& order) const;
};

/// Items that were pushed and neither delivered nor left: `left` is what the collection holds when
/// all operations have returned. Describes the first one, or nothing when all are accounted for.
std::optional<std::string> find_lost_item(std::span<const CollectionOperation> operations,
                                          std::span<const Item> left);

/// How often each answer was given.
struct AnswerCounts {
  std::size_t done = 0, deliveries = 0, items = 0, empty = 0, lost_race = 0, retry = 0, full = 0;
  std::size_t pending = 0;
};
AnswerCounts count_answers(std::span<const CollectionOperation> operations);

/// Answers of lost_race or retry by an operation that overlaps no other of its object: nobody was
/// there to lose the race to. The specifications allow these answers always; a test that knows
/// that its structure never fails spuriously asks for this as well.
std::vector<OperationId> lost_races_without_rival(std::span<const CollectionOperation> operations,
                                                  const Order& order);

}  // namespace heddle::model
