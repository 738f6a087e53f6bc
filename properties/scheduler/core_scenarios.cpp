// The whole scheduler, with one or two workers and a process or two, under the simulator: shutdown
// at every moment, work that comes while workers fall asleep, ends by force. Nothing may be left:
// no thread, no process that was not closed, no memory.
#include <heddle/scheduler.hpp>
#include <heddle/sim.hpp>

namespace {

using namespace heddle;
using sim::check;

/// Ends when it is asked to, or at its first step; counts what is called.
class Counted : public Process {
 public:
  enum class Kind { ends_at_once, ends_when_asked, never_ends };
  Counted(Kind kind, sync::cell<int>& closed) : kind_(kind), closed_(closed) {}

  Error init(Context, std::string_view, Payload) override { return {}; }
  void step(Events& events, StepOutput& output) override {
    if (kind_ == Kind::ends_at_once) output.done();
    for (Event& event : events) {
      if (event.is_cancel() && kind_ == Kind::ends_when_asked) output.done();
    }
  }
  void close() override { closed_.write(closed_.read() + 1); }

 private:
  const Kind kind_;
  sync::cell<int>& closed_;
};

Options workers(unsigned count) {
  Options options;
  options.workers = count;
  return options;
}

void run_one(unsigned count, Counted::Kind kind, std::chrono::nanoseconds deadline) {
  sync::cell<int> closed{0};
  {
    Scheduler scheduler(workers(count));
    check(!scheduler.start(), "starts");
    check(static_cast<bool>(scheduler.spawn<Counted>({}, {}, kind, closed)), "accepts");
    scheduler.shutdown(deadline);
    check(scheduler.statistics().live == 0, "nothing lives after a shutdown");
  }
  check(closed.read() == 1, "closed once");
}

HEDDLE_SCENARIO(scheduler_start_stop, "a scheduler that is stopped at once leaves no thread",
                {.threads = 2, .timeouts = false, .group = "scheduler", .spurious_wakeups = 0}) {
  Scheduler scheduler(workers(1));
  check(!scheduler.start(), "starts");
  scheduler.shutdown(std::chrono::hours(1));
}

HEDDLE_SCENARIO(scheduler_one_process, "A17: a process that ends by itself, against a shutdown",
                {.threads = 2,
                 .timeouts = false,
                 .exhaustive = false,
                 .group = "scheduler",
                 .spurious_wakeups = 0}) {
  run_one(1, Counted::Kind::ends_at_once, std::chrono::hours(1));
}

HEDDLE_SCENARIO(scheduler_asked, "A17: a process that ends when it is asked to",
                {.threads = 2,
                 .timeouts = false,
                 .exhaustive = false,
                 .group = "scheduler",
                 .spurious_wakeups = 0}) {
  run_one(1, Counted::Kind::ends_when_asked, std::chrono::hours(1));
}

HEDDLE_SCENARIO(scheduler_forced, "A17: a process that does not listen is ended at the deadline",
                {.threads = 2, .exhaustive = false, .group = "scheduler", .spurious_wakeups = 0}) {
  run_one(1, Counted::Kind::never_ends, std::chrono::nanoseconds(0));
}

HEDDLE_SCENARIO(scheduler_two_workers, "B09: one process, two workers that fall asleep",
                {.threads = 3,
                 .timeouts = false,
                 .exhaustive = false,
                 .group = "scheduler",
                 .spurious_wakeups = 0}) {
  run_one(2, Counted::Kind::ends_when_asked, std::chrono::hours(1));
}

}  // namespace
