// One shared number as a sequential object: a register, and a counter by its fetch_add.
//
//   read()                               the value
//   write(v)                             0, which is not looked at
//   fetch_add(v)                         the value before
//   compare_exchange(expected, desired)  the value before; writes when that is `expected`
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <heddle/model/linearizability/specification.hpp>

namespace heddle::model {

struct RegisterCall {
  enum class Verb : std::uint8_t { read, write, fetch_add, compare_exchange };
  Verb verb = Verb::read;
  std::int64_t operand = 0;   ///< what is written or added
  std::int64_t expected = 0;  ///< compare_exchange
};

RegisterCall read();
RegisterCall write(std::int64_t value);
RegisterCall fetch_add(std::int64_t value);
RegisterCall compare_exchange(std::int64_t expected, std::int64_t desired);

struct AtomicRegister {
  using Call = RegisterCall;
  using Result = std::int64_t;
  using State = std::int64_t;

  std::int64_t initial_value = 0;

  State initial() const noexcept { return initial_value; }
  std::optional<State> step(State value, const Operation<Call, Result>& operation) const noexcept;
  std::size_t hash(State value) const noexcept;
  std::string call_text(const Call& call) const;
  std::string result_text(const Call& call, Result result) const;
  std::string state_text(State value) const;
  std::string explain(State value, const Operation<Call, Result>& operation) const;
  /// Reads, and exchanges that failed.
  bool only_observes(const Operation<Call, Result>& operation) const noexcept;
};

}  // namespace heddle::model
