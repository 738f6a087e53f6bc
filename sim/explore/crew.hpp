// Several processes that explore the parts of one ledger. Processes, not threads: the code under
// test may have global state, and each has its arenas at addresses of its own.
//
// Threads:    the coordinator (the process that has the ledger) and its workers, forked from it.
//             They talk over one socket pair each; signals and counts lie in shared memory.
// Protocol:   1. The coordinator sends a part's task to a worker that has none. The worker explores
//                it and sends what it found, with what is left if it was stopped.
//             2. When parts run short, the coordinator asks workers to give. A worker gives the
//                bottom of its stack, which comes directly after what it keeps; the ledger keeps
//                that order.
//             3. For a checkpoint every worker sends its state at one time, during which nothing is
//                given and no part begins: together the states are the whole search.
//             4. After a failure, parts that come later are stopped; earlier ones go on.
// Invariants: C1 a part is with one worker at most; part.running says so
//             C2 outside of a snapshot, part.rest of a running part may hold what was given away
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/types.h>

#include <heddle/sim/explore/exhaustive.hpp>
#include <heddle/sim/explore/ledger.hpp>
#include <heddle/sim/explore/worker.hpp>

namespace heddle::sim::engine {

class Crew {
 public:
  struct Hooks {
    /// Several times a second, with what has been found so far (its outcomes are left out). True:
    /// stop.
    std::function<bool(const Tally&)> look;
    std::function<bool()> wants_checkpoint;
    std::function<void()> checkpoint;  ///< the ledger is whole now
  };

  /// `runs_max`: runs that are left to all together; 0: no limit.
  Crew(Exhaustive& search, unsigned jobs, bool stop_at_first_failure, std::uint64_t runs_max);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Explores until nothing is left, the limit of runs is reached or `look` says stop. Afterwards
  /// the ledger is whole.
  /// Errors: WorkerDied when a worker ends without a result.
  void run(Ledger& ledger, const Hooks& hooks);

  /// Not empty: the first reason for which a part could not be run again by a worker.
  const std::string& not_repeated() const noexcept { return not_repeated_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Member {
    ::pid_t process = -1;
    int socket = -1;
    Desk* desk = nullptr;
    bool busy = false;
    bool asked = false;     ///< to give
    bool snapshot = false;  ///< asked for its state
    bool told_to_stop = false;
    Clock::time_point ask_again;
    Ledger::Position part;
    Tally base;  ///< of the part, before this member had it
  };

  void start(Exhaustive& search, Member& member);
  void assign();
  void ask_for_work();
  void stop_what_comes_after_a_failure();
  void stop_all();
  void begin_snapshot();
  void wait_for_messages();
  void take(Member& member, const Message& message);
  void take_result(Member& member, const Message& message);
  Tally live() const;
  bool any(bool Member::*flag) const;
  void signal(Member& member, Desk::Signal which);
  [[noreturn]] void died(Member& member);

  bool stop_at_first_failure_;
  bool limited_;
  std::unique_ptr<Board, void (*)(Board*)> board_;
  std::vector<Member> members_;
  Ledger* ledger_ = nullptr;
  bool stopping_ = false;
  bool snapshot_ = false;
  std::string not_repeated_;
};

}  // namespace heddle::sim::engine
