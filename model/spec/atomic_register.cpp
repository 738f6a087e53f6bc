#include <heddle/model/spec/atomic_register.hpp>

#include <fmt/format.h>

#include <heddle/model/linearizability/placed_set.hpp>

namespace heddle::model {

using Verb = RegisterCall::Verb;

RegisterCall read() { return {}; }
RegisterCall write(std::int64_t value) { return {Verb::write, value}; }
RegisterCall fetch_add(std::int64_t value) { return {Verb::fetch_add, value}; }
RegisterCall compare_exchange(std::int64_t expected, std::int64_t desired) {
  return {Verb::compare_exchange, desired, expected};
}

std::optional<AtomicRegister::State> AtomicRegister::step(
    State value, const Operation<Call, Result>& operation) const noexcept {
  const RegisterCall& call = operation.call;
  if (operation.result.has_value() && call.verb != Verb::write && *operation.result != value) {
    return std::nullopt;
  }
  switch (call.verb) {
    case Verb::read:
      return value;
    case Verb::write:
      return call.operand;
    case Verb::fetch_add:  // wraps, as a counter in one word does
      return static_cast<State>(static_cast<std::uint64_t>(value) +
                                static_cast<std::uint64_t>(call.operand));
    case Verb::compare_exchange:
      return value == call.expected ? call.operand : value;
  }
  return std::nullopt;
}

std::size_t AtomicRegister::hash(State value) const noexcept {
  return spread_bits(static_cast<std::uint64_t>(value));
}

std::string AtomicRegister::call_text(const Call& call) const {
  switch (call.verb) {
    case Verb::read:
      return "read()";
    case Verb::write:
      return fmt::format("write({})", call.operand);
    case Verb::fetch_add:
      return fmt::format("fetch_add({})", call.operand);
    case Verb::compare_exchange:
      return fmt::format("compare_exchange({}, {})", call.expected, call.operand);
  }
  return "?";
}

std::string AtomicRegister::result_text(const Call& call, Result result) const {
  return call.verb == Verb::write ? "" : std::to_string(result);
}

std::string AtomicRegister::state_text(State value) const { return std::to_string(value); }

std::string AtomicRegister::explain(State value, const Operation<Call, Result>&) const {
  return fmt::format("the value is {}", value);
}

bool AtomicRegister::only_observes(const Operation<Call, Result>& operation) const noexcept {
  const RegisterCall& call = operation.call;
  return operation.result.has_value() &&
         (call.verb == Verb::read ||
          (call.verb == Verb::compare_exchange && *operation.result != call.expected));
}

}  // namespace heddle::model
