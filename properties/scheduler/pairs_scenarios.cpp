// The whole scheduler where two of its parts meet: stealing and shutdown, a stalled next slot and
// the sentinel, a completer and the scheduler's end. Too large to exhaust: sampled.
#include <optional>

#include <heddle/scheduler.hpp>
#include <heddle/sim.hpp>

namespace {

using namespace heddle;
using sim::check;
using sim::thread;

class Counting : public Process {
 public:
  explicit Counting(sync::atomic<int>& closed) : closed_(closed) {}
  Error init(Context context, std::string_view, Payload) override {
    context_ = context;
    return {};
  }
  void step(Events&, StepOutput& output) override { output.done(); }
  void close() override { closed_.fetch_add(1, sync::memory_order_relaxed); }

 protected:
  const Context& self() const { return *context_; }
  sync::atomic<int>& closed_;

 private:
  std::optional<Context> context_;
};

/// Leaves two children where another worker can take them.
class Parent : public Counting {
 public:
  Parent(sync::atomic<int>& closed, sync::cell<int>& spawned)
      : Counting(closed), spawned_(spawned) {}
  void step(Events&, StepOutput& output) override {
    for (int i = 0; i < 2; ++i) {
      // Refused when the shutdown was faster: then there is nothing to close.
      if (self().spawn<Counting>({}, {}, closed_)) spawned_.write(spawned_.read() + 1);
    }
    output.done();
  }

 private:
  sync::cell<int>& spawned_;
};

HEDDLE_SCENARIO(scheduler_steal_shutdown,
                "A17, H8: two workers share what one has spawned, against a shutdown",
                {.threads = 3,
                 .timeouts = false,
                 .exhaustive = false,
                 .group = "scheduler",
                 .spurious_wakeups = 0}) {
  sync::atomic<int> closed{0};
  sync::cell<int> spawned{0};
  {
    Options options;
    options.workers = 2;
    Scheduler scheduler(options);
    check(!scheduler.start(), "starts");
    check(static_cast<bool>(scheduler.spawn<Parent>({}, {}, closed, spawned)), "accepts");
    scheduler.shutdown(std::chrono::hours(1));
    check(scheduler.statistics().live == 0, "nothing lives after a shutdown");
  }
  check(closed.load(sync::memory_order_relaxed) == spawned.read() + 1, "each is closed once");
}

/// Wakes another process, which goes to the next slot, and does not end its step before that ran.
class Stalling : public Counting {
 public:
  Stalling(sync::atomic<int>& closed, sync::atomic<bool>& ran) : Counting(closed), ran_(ran) {}
  void step(Events&, StepOutput& output) override {
    class Waited : public Counting {
     public:
      Waited(sync::atomic<int>& count, sync::atomic<bool>& ran) : Counting(count), ran_(ran) {}
      void step(Events&, StepOutput& done) override {
        ran_.store(true, sync::memory_order_release);
        done.done();
      }

     private:
      sync::atomic<bool>& ran_;
    };
    check(static_cast<bool>(self().spawn<Waited>({}, {}, closed_, ran_)), "accepts");
    while (!ran_.load(sync::memory_order_acquire)) sync::spin_hint();
    output.done();
  }

 private:
  sync::atomic<bool>& ran_;
};

HEDDLE_SCENARIO(scheduler_take_stalled,
                "B62: who waits in the next slot of a step that does not end is taken over",
                {.threads = 3, .exhaustive = false, .group = "scheduler", .spurious_wakeups = 0}) {
  sync::atomic<int> closed{0};
  sync::atomic<bool> ran{false};
  {
    Options options;
    options.workers = 2;
    options.stall_limit = std::chrono::milliseconds(1);
    Scheduler scheduler(options);
    check(!scheduler.start(), "starts");
    const auto pid = scheduler.spawn<Stalling>({}, {}, closed, ran);
    check(static_cast<bool>(pid), "accepts");
    (void)scheduler.wait(*pid);
    check(ran.load(sync::memory_order_relaxed), "the step ended because the other one ran");
    scheduler.shutdown(std::chrono::hours(1));
  }
  check(closed.load(sync::memory_order_relaxed) == 2, "each is closed once");
}

/// Yields once; whatever comes, or the cancel event, ends it.
class Asking : public Counting {
 public:
  using Counting::Counting;
  void step(Events& events, StepOutput& output) override {
    if (!asked_) {
      asked_ = true;
      output.yield(1, 5);
      output.blocked();
      return;
    }
    if (!events.empty()) output.done();
  }

 private:
  bool asked_ = false;
};

HEDDLE_SCENARIO(scheduler_completer_destroy,
                "a completer that comes while, or after, the scheduler is destroyed",
                {.threads = 3,
                 .timeouts = false,
                 .exhaustive = false,
                 .group = "scheduler",
                 .spurious_wakeups = 0}) {
  sync::atomic<int> closed{0};
  std::optional<Completer> kept;
  sync::atomic<bool> there{false};
  std::optional<thread> completing;
  {
    Options options;
    options.workers = 1;
    Scheduler scheduler(options);
    check(!scheduler.register_command(1,
                                      [&](Command&, Completer& completer) {
                                        kept.emplace(std::move(completer));
                                        there.store(true, sync::memory_order_release);
                                        return Error();
                                      }),
          "registers");
    check(!scheduler.start(), "starts");
    check(static_cast<bool>(scheduler.spawn<Asking>({}, {}, closed)), "accepts");
    while (!there.load(sync::memory_order_acquire)) sync::spin_hint();
    completing.emplace([&] {
      const SendResult result = kept->complete(1);
      check(result || result.reason == Errc::no_such_process, "accepted, or too late");
      check(kept->complete(2).reason == Errc::already_completed, "and once");
      kept.reset();
    });
  }
  completing->join();
  check(closed.load(sync::memory_order_relaxed) == 1, "closed once");
}

}  // namespace
