// One variant for each kind of failure that the engine reports by itself and that no program of
// groups.hpp has: so that no kind could stop being reported unnoticed.
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include <heddle/sim.hpp>

#include "program.hpp"

namespace {

using heddle::sim::FailureKind;
namespace sync = heddle::sync;

struct node {
  sync::cell<int> content;
};

HEDDLE_SCENARIO(known_bad_refused_node, "B91: a mailbox refuses a node, and nobody gives it back",
                {.threads = 2,
                 .expect = FailureKind::leak,
                 .caught_by = "nothing is left allocated",
                 .group = "known_bad"}) {
  sync::atomic<node*> mailbox{nullptr};
  sync::atomic<bool> closed{false};
  sync::thread closer([&] {
    closed.store(true);
    delete mailbox.exchange(nullptr);
  });
  auto owned = std::make_unique<node>();
  if (!closed.load()) mailbox.store(owned.get());
  (void)owned.release();
  closer.join();
  delete mailbox.load();
}

HEDDLE_SCENARIO(known_bad_closed_twice, "two that close a process each free it",
                {.threads = 2,
                 .expect = FailureKind::double_free,
                 .caught_by = "nothing is freed twice",
                 .group = "known_bad"}) {
  auto* const process = new int(0);
  sync::atomic<bool> complete{false};
  const auto close = [&] {
    if (complete.load()) return;
    complete.store(true);
    delete process;
  };
  sync::thread other(close);
  close();
  other.join();
}

HEDDLE_SCENARIO(known_bad_slot_unwritten, "B82: a slot is read that nothing was ever written to",
                {.threads = 2,
                 .expect = FailureKind::uninitialised_read,
                 .caught_by = "nothing is read before it is written",
                 .group = "known_bad"}) {
  node slot;
  sync::atomic<int> tail{0};
  sync::thread thief([&] {
    if (tail.load() != 0) (void)slot.content.read();
  });
  tail.store(1);
  thief.join();
}

HEDDLE_SCENARIO(known_bad_worker_unwinds, "B63: a step's exception leaves the worker",
                {.threads = 2,
                 .expect = FailureKind::exception,
                 .caught_by = "no exception leaves a thread",
                 .group = "known_bad"}) {
  sync::thread worker([] { throw std::runtime_error("the step failed"); });
  worker.join();
}

HEDDLE_SCENARIO(known_bad_half_started, "start() fails at its second worker and drops the first",
                {.threads = 2,
                 .expect = FailureKind::unjoined_thread,
                 .caught_by = "every thread is joined",
                 .group = "known_bad"}) {
  sync::atomic<bool> stop{false};
  try {
    std::vector<sync::thread> workers;
    workers.emplace_back([&] { stop.store(true); });
    throw std::runtime_error("no more threads");
  } catch (const std::runtime_error&) {
  }
}

HEDDLE_SCENARIO(known_bad_locked_when_gone, "B50: an event is destroyed while its mutex is held",
                {.threads = 2,
                 .expect = FailureKind::misuse,
                 .caught_by = "sync objects are used as they may be",
                 .group = "known_bad"}) {
  auto event = std::make_unique<sync::mutex>();
  sync::mutex* const mine = event.get();
  sync::atomic<bool> done{false};
  sync::thread completer([&] {
    mine->lock();
    done.store(true);
    while (done.load()) sync::spin_hint();
  });
  while (!done.load()) sync::spin_hint();
  event.reset();
  done.store(false);
  completer.join();
}

// What outlives an execution makes the next one another program.
int executions_before = 0;

HEDDLE_SCENARIO(known_bad_remembers, "K10: a scenario that does something else each time",
                {.threads = 2,
                 .expect = FailureKind::nondeterminism,
                 .caught_by = "a scenario does the same when it is run again",
                 .group = "known_bad"}) {
  sync::atomic<int> value{0};
  sync::thread other([&] { value.store(1); });
  if (++executions_before % 2 == 0) value.store(2);
  (void)value.load();
  other.join();
}

}  // namespace
