// The shutdown's protocol (docs/scheduler.md §6) by itself, under every interleaving.
#include <array>
#include <chrono>
#include <optional>

#include <heddle/sim.hpp>

#include "quiet_core.hpp"

namespace {

using heddle::ControlBlock;
using heddle::Pid;
using heddle::properties::QuietCore;
using heddle::sim::check;
using heddle::sim::thread;
using Stage = heddle::Core::Stage;
using Word = heddle::MailboxWord<>;
using std::chrono::hours;
namespace sync = heddle::sync;

HEDDLE_SCENARIO(stage_claim_or_stop, "H8: a claim is refused, or the end waits for it",
                {.threads = 3, .group = "workers"}) {
  const QuietCore core;
  ControlBlock* block = nullptr;
  thread claimer([&] { block = core.claim(); });
  thread worker([&] { (void)core->tend_shutdown(); });
  core->begin_shutdown(hours(1));
  claimer.join();
  worker.join();
  check(core.stopped() == (block == nullptr), "it stops without a process, and only then");
  if (block == nullptr) return;
  core->unclaim(*block);
  check(core.stopped(), "the last process ends it");
}

HEDDLE_SCENARIO(stage_last_end, "H7: the last process ends against the shutdown: one ends it all",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  ControlBlock* const block = core.claim();
  check(block != nullptr, "there is no shutdown yet");
  thread owner([&] { core->unclaim(*block); });
  core->begin_shutdown(hours(1));
  owner.join();
  check(core.stopped(), "whoever was last has noticed");
}

HEDDLE_SCENARIO(stage_last_two_ends,
                "the last two processes end, one of them outside of the workers, in a shutdown",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  ControlBlock* const theirs = core.claim();
  ControlBlock* const ours = core.claim();
  core->begin_shutdown(hours(1));
  thread worker([&] {
    core.as_worker([&] {
      core->unclaim(*theirs);
      core->idle.begin_search();
      (void)core->idle.enter(0);
      (void)core->tend_shutdown();
    });
  });
  core->unclaim(*ours);
  worker.join();
  check(core.stopped(), "whoever was last has noticed");
}

HEDDLE_SCENARIO(stage_child_outlives_parent,
                "a process that claims another and ends: the end waits for the other",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  ControlBlock* const parent = core.claim();
  ControlBlock* child = nullptr;
  thread worker([&] {
    core.as_worker([&] {
      child = core.claim();
      core->unclaim(*parent);
    });
  });
  core->begin_shutdown(hours(1));
  worker.join();
  check(core.stopped() == (child == nullptr), "it stops without a process, and only then");
  if (child == nullptr) return;
  core->unclaim(*child);
  check(core.stopped(), "the last process ends it");
}

HEDDLE_SCENARIO(stage_refused_claim, "a claim that is refused is not taken for another's end",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  ControlBlock* const live = core.claim();
  ControlBlock* late = nullptr;
  thread submitter([&] { late = core.claim(); });
  core->begin_shutdown(hours(1));
  submitter.join();
  check(!core.stopped(), "one is live all the time");
  if (late != nullptr) core->unclaim(*late);
  core->unclaim(*live);
  check(core.stopped(), "the last process ends it");
}

HEDDLE_SCENARIO(stage_launch_or_cancel, "a launch from outside against the sweep: it is cancelled",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  std::optional<Pid> pid;
  thread submitter([&] { pid = core.claim_and_launch(); });
  core->begin_shutdown(hours(1));
  submitter.join();
  if (!pid) return;
  check(core.has(*pid, Word::cancelled), "by the sweep, or by the launch");
  core.end(*pid);
  check(core.stopped(), "the last process ends it");
}

HEDDLE_SCENARIO(stage_launch_or_force, "a launch while the deadline passes: it is ended by force",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  std::optional<Pid> pid;
  thread submitter([&] { pid = core.claim_and_launch(); });
  core->begin_shutdown(std::chrono::nanoseconds(0));
  (void)core->tend_shutdown();
  submitter.join();
  if (!pid) return;
  check(core.has(*pid, Word::killed), "by the sweep, or by the launch");
  core.end(*pid);
  check(core.stopped(), "the last process ends it");
}

/// A process, of which only the slot is there, spawns `count` others during the sweep.
void spawn_or_cancel(int count) {
  const QuietCore core;
  ControlBlock* const parent = core.claim();
  std::array<std::optional<Pid>, 2> pids;
  thread worker([&] {
    core.as_worker([&] {
      for (int i = 0; i < count; ++i) pids.at(i) = core.claim_and_launch();
    });
  });
  core->begin_shutdown(hours(1));
  worker.join();
  for (const auto& pid : pids) {
    if (!pid) continue;
    check(core.has(*pid, Word::cancelled), "by the sweep, or by the launch");
    core.end(*pid);
  }
  core->unclaim(*parent);
  check(core.stopped(), "the last process ends it");
}

HEDDLE_SCENARIO(stage_spawn_or_cancel, "a spawn into the next slot against the sweep",
                {.threads = 2, .group = "workers"}) {
  spawn_or_cancel(1);
}

HEDDLE_SCENARIO(stage_spawn_local_or_cancel, "the same, and one more into the local queue",
                {.threads = 2, .group = "workers"}) {
  spawn_or_cancel(2);
}

HEDDLE_SCENARIO(stage_deadline_with_stage, "who sees the shutdown sees its deadline",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  ControlBlock* const block = core.claim();
  thread worker([&] { (void)core->tend_shutdown(); });
  core->begin_shutdown(hours(1));
  worker.join();
  check(core->stage() == Stage::stopping, "nobody is forced within the hour");
  core->unclaim(*block);
}

HEDDLE_SCENARIO(stage_nearer_deadline, "of two shutdowns at once the nearer deadline counts",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  ControlBlock* const block = core.claim();
  const auto now = sync::clock::now();
  thread other([&] { core->begin_shutdown(hours(1)); });
  core->begin_shutdown(hours(2));
  other.join();
  check(core->shutdown_deadline() < now + std::chrono::minutes(90), "the one of an hour");
  core->unclaim(*block);
}

HEDDLE_SCENARIO(stage_deadline_of_this_start, "a deadline of the last run is not one of this run",
                {.threads = 2, .group = "workers"}) {
  const QuietCore core;
  core->begin_shutdown(std::chrono::nanoseconds(0));
  check(core.stopped(), "nothing was live");
  thread other([&] { core->begin_shutdown(hours(1)); });
  const auto now = sync::clock::now();
  core.start();
  ControlBlock* const block = core.claim();
  other.join();
  if (block == nullptr) return;
  if (core->stage() == Stage::stopping) {
    check(core->shutdown_deadline() > now, "not that of the last run");
    check(core->shutdown_deadline() < now + hours(2), "and not none");
  }
  core->unclaim(*block);
}

}  // namespace
