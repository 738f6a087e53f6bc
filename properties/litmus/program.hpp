// Small concurrent programs as data: what the oracle lists, what the generator makes up, what the
// literal checker interprets and what the simulator runs. Nothing here knows how programs behave.
//
// Text form, used in tables, in reports of mismatches and to run one program again:
//   store x 1 rlx; fence sc; load y rlx || add y 1 acq_rel; cas x 0 2 sc; xchg x 3 rel
//   await x == 1 acq; await y != 0 rlx || lock m; load x rlx; unlock m || assume x == 1 acq
//   write a; read a           cells: non-atomic, their values do not matter, only their races
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus {

enum class Model : std::uint8_t { sc, rc11 };

enum class Kind : std::uint8_t {
  load,
  store,
  exchange,
  fetch_add,
  compare_exchange,
  fence,
  await_equal,      ///< a load that lets its thread continue only with `value`
  await_not_equal,  ///< the same with anything but `value`
  assume_equal,     ///< a load after which only executions in which it saw `value` count
  lock,             ///< a read-modify-write 0 -> 1 that waits for 0; acquire
  unlock,           ///< a store of 0; release
  cell_read,
  cell_write
};

struct Operation {
  Kind kind = Kind::load;
  char location = 0;  ///< x y z: integers; m n: mutexes; a b: cells; 0: none
  int value = 0;      ///< stored, exchanged, added, desired or awaited
  int expected = 0;   ///< compare_exchange
  std::memory_order order = std::memory_order_seq_cst;

  friend bool operator==(const Operation&, const Operation&) = default;
};

using Thread = std::vector<Operation>;

struct Program {
  std::string name;
  std::vector<Thread> threads;

  friend bool operator==(const Program& a, const Program& b) { return a.threads == b.threads; }
};

inline constexpr std::string_view integer_locations = "xyz";
inline constexpr std::string_view mutex_locations = "mn";
inline constexpr std::string_view cell_locations = "ab";

/// Every behaviour of a program under one model.
struct Behaviour {
  std::uint64_t executions = 0;                   ///< complete execution graphs
  std::map<std::string, std::uint64_t> outcomes;  ///< final state -> graphs that end in it
  bool deadlock = false;  ///< some graph leaves threads that nothing can wake
  bool race = false;      ///< some graph has unordered conflicting accesses to a cell

  friend bool operator==(const Behaviour&, const Behaviour&) = default;
};

bool reads(Kind kind) noexcept;
/// True when the operation writes, or (compare_exchange) may write.
bool may_write(Kind kind) noexcept;
bool waits(Kind kind) noexcept;
bool is_cell(Kind kind) noexcept;
/// True for operations whose result is part of an outcome.
bool returns_value(Kind kind) noexcept;

std::size_t operation_count(const Program& program) noexcept;
bool has(const Program& program, bool (*property)(Kind)) noexcept;
/// Locations of the program that belong to `among`, each once, in the order of `among`.
std::string used_locations(const Program& program, std::string_view among);

std::string to_text(const Operation& operation);
std::string to_text(const Program& program);
/// Throws std::invalid_argument that quotes what it cannot read.
Program parse_program(std::string_view text);

std::string_view to_text(std::memory_order order) noexcept;
std::memory_order parse_order(std::string_view text);
std::string_view to_text(Model model) noexcept;

/// The outcome in the oracle's format: "0,1|2|;2,1,0". `results` has one list per thread.
std::string outcome_text(const std::vector<std::vector<std::int64_t>>& results,
                         const std::map<char, std::int64_t>& finals);

/// What differs, in a few lines; empty when nothing does.
std::string difference(const Behaviour& expected, const Behaviour& actual);

}  // namespace heddle::litmus
