// One process of a crew: explores the tasks that it is sent, and answers.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <heddle/sim/explore/exhaustive.hpp>
#include <heddle/sim/explore/task.hpp>
#include <heddle/sim/explore/worker_died.hpp>

namespace heddle::sim::engine {

/// What coordinator and worker can see of each other at any time. In shared memory.
struct alignas(64) Desk {
  enum Signal : std::uint32_t {
    give = 1,      ///< send a part of what is left
    snapshot = 2,  ///< send the state, and go on
    stop = 4       ///< send the state, and wait for another task
  };
  std::atomic<std::uint32_t> signals{0};
  // Of the task that the worker has now.
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint64_t> blocked{0};
  std::atomic<std::uint64_t> failures{0};
  std::atomic<double> share{0};
};

struct Board {
  std::atomic<std::int64_t> runs_left{0};
  bool limited = false;
  unsigned desks_count = 0;
  Desk* desks() noexcept { return reinterpret_cast<Desk*>(this + 1); }
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<double>::is_always_lock_free);

struct Message {
  enum class Kind : char {
    task,         ///< to the worker
    given,        ///< a task, or nothing
    state,        ///< a tally and what is left
    result,       ///< the same, and the worker has nothing to do now
    not_repeated  ///< the body did not do what the task says: why
  };
  Kind kind{};
  std::string text;
  Tally tally;
};

/// Sends all of it; a receiver that is gone is no error here.
void send_message(int socket, const Message& message);
/// False when the other side is gone.
bool receive_message(int socket, Message& message);

struct WorkerPlace {
  int socket = -1;
  Desk* desk = nullptr;
  Board* board = nullptr;
  bool stop_at_first_failure = true;
};

/// Explores until the coordinator is gone.
void work(Exhaustive& search, const WorkerPlace& place);

}  // namespace heddle::sim::engine
