// What several threads do to the slot of one process that no worker runs.
#include <optional>
#include <utility>

#include <heddle/scheduler/process/cancellation.hpp>
#include <heddle/sim.hpp>

#include "quiet_core.hpp"

namespace {

using heddle::Admission;
using heddle::CancellationSource;
using heddle::CancellationToken;
using heddle::Core;
using heddle::Message;
using heddle::Payload;
using heddle::Pid;
using heddle::properties::QuietCore;
using heddle::sim::check;
using heddle::sim::thread;
namespace sync = heddle::sync;

HEDDLE_SCENARIO(slot_first_budgets, "A13: two senders meet in the table that the first one makes",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  const Pid pid = *core.claim_and_launch();
  Admission answers[2] = {};
  const auto send = [&](Admission& answer) {
    Message message(7, Payload());
    message.limit.items_max = 1;
    message.bytes = 1;
    answer = core->send(Pid{}, pid, std::move(message)).admission;
  };
  thread other([&] { send(answers[1]); });
  send(answers[0]);
  other.join();
  check((answers[0] == Admission::accepted) != (answers[1] == Admission::accepted),
        "the limit is exact: there was one table");
  core.end(pid);
}

HEDDLE_SCENARIO(slot_wait_sees_the_end, "wait() that comes too late sees the work all the same",
                {.threads = 3, .group = "workers"}) {
  const QuietCore core;
  const Pid pid = *core.claim_and_launch();
  sync::cell<int> result{0};
  heddle::ControlBlock* next = nullptr;  // in the same slot, when that is free already
  thread worker([&] {
    result.write(1);
    core.end(pid);
  });
  thread submitter([&] { next = core.claim(); });
  (void)core->wait(pid);
  check(result.read() == 1, "the result");
  worker.join();
  submitter.join();
  core->unclaim(*next);
}

HEDDLE_SCENARIO(core_outlives_its_scheduler, "whoever is last destroys it, after the others",
                {.threads = 2, .group = "workers"}) {
  std::optional<thread> completing;
  {
    const QuietCore core;
    Core* const kept = core.operator->();
    kept->reference();
    completing.emplace([kept] {
      check(kept->live() == 0, "it is still there");
      kept->unreference();
    });
  }
  completing->join();
}

HEDDLE_SCENARIO(cancellation_brings_its_reason, "who sees the flag sees what was done before it",
                {.threads = 2, .group = "workers"}) {
  CancellationSource source;
  sync::cell<int> reason{0};
  const CancellationToken token = source.token();
  thread canceller([&] {
    reason.write(1);
    source.cancel();
  });
  if (token.cancelled()) check(reason.read() == 1, "the reason");
  canceller.join();
  check(token.cancelled(), "for good");
}

}  // namespace
