// The frame of the small known-bad programs: a few threads over one object, and checks with names.
// A program is written against heddle::sync alone, so that the simulator's scenarios and Relacy run
// the same text:
//
//   struct program {
//     static constexpr unsigned threads = 2;
//     void thread(unsigned index);   // 0 … threads - 1, at the same time
//     void after();                  // when all have ended
//   };
//
// Each takes a flaw as its template argument; with `sound` it is right, and its twin scenario
// verifies: what the others are caught for is their flaw and not the frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON::known_bad {

/// The checks that programs make themselves. What the engine checks (deadlock, races, lifetimes, …)
/// has no switch.
enum class Check : unsigned {
  known_item,
  delivered_once,
  nothing_lost,
  at_rest,
  no_flag_left,
  earlier_life,
  cancel_seen,
  stays_alive,
  within_limit,
  given_back,
  everything_closed,
  bounded_overtaking,
  bounded_steals,
  comes_to_rest,
  idle_once,
  counts_exact,
  wait_has_reason,
};
inline constexpr std::array check_texts = {
    "what is taken was put in",
    "no item is delivered twice",
    "no item is lost",
    "a process with events is ready, and in a queue",
    "no flag is left over",
    "nothing reaches an occupant from an earlier life",
    "a cancellation that was acknowledged is seen",
    "a live process stays alive",
    "a limit is never exceeded",
    "every place that was taken is given back",
    "everything is closed",
    "a ready process is overtaken a bounded number of times",
    "an item is stolen a bounded number of times",
    "a worker without work comes to rest",
    "no worker is idle twice",
    "the counts are exact",
    "a wait ends for its reason",
};
constexpr const char* text_of(Check check) { return check_texts[static_cast<std::size_t>(check)]; }

/// The checks that are switched off: for the test that shows that each of them is needed.
inline std::uint32_t checks_off = 0;

inline void require(Check check, bool holds) {
  const bool off = (checks_off >> static_cast<unsigned>(check) & 1U) != 0;
  if (!holds && !off) sync::assertion_failed(text_of(check), __FILE__, __LINE__);
}

/// Runs a program as a scenario's body.
template <class Program>
void run() {
  Program program;
  {
    std::array<sync::thread, Program::threads> others;
    for (unsigned index = 1; index < Program::threads; ++index) {
      others[index] = sync::thread([&program, index] { program.thread(index); });
    }
    program.thread(0);
    for (unsigned index = 1; index < Program::threads; ++index) others[index].join();
  }
  program.after();
}

/// What catches a variant: one of the checks above, or one of the engine's.
enum class Caught : std::uint8_t { check, deadlock, livelock, data_race, use_after_free };
inline constexpr std::array caught_texts = {
    "",
    "no thread waits for what nobody will do",
    "every spin loop can end",
    "no access races with another",
    "nothing is used after its end",
};

/// A line of a group's table, see groups.hpp.
struct Row {
  const char* name;
  const char* shows;  ///< with the cases that it stands for
  Caught caught;
  Check check = Check::known_item;  ///< if `caught` says so
  bool timeouts = false;
  unsigned spurious_wakeups = 0;

  Row(const char* row_name, const char* what, Caught by)
      : name(row_name), shows(what), caught(by) {}
  Row(const char* row_name, const char* what, Check by)
      : name(row_name), shows(what), caught(Caught::check), check(by) {}
  Row with_timeouts() const {
    Row row = *this;
    row.timeouts = true;
    return row;
  }
  Row with_spurious_wakeups() const {
    Row row = *this;
    row.spurious_wakeups = 1;
    return row;
  }
  const char* caught_by() const {
    return caught == Caught::check ? text_of(check)
                                   : caught_texts[static_cast<std::size_t>(caught)];
  }
};

template <class Program>
struct program_type {
  using type = Program;
};

/// Items 1..items, and who took what. Plain memory: no part of the program.
class taken_items {
 public:
  explicit taken_items(int items) : items_(items) {}

  void take(int item) {
    const bool known = item >= 1 && item <= items_;
    require(Check::known_item, known);
    if (!known) return;
    require(Check::delivered_once, ++times_.at(static_cast<std::size_t>(item)) == 1);
  }
  void check_nothing_lost() const {
    for (int item = 1; item <= items_; ++item) {
      require(Check::nothing_lost, times_.at(static_cast<std::size_t>(item)) != 0);
    }
  }

 private:
  const int items_;
  std::array<int, 8> times_{};
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
