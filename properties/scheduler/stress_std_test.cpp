// Many threads and processes at once, for the sanitizers: messages that check themselves,
// terminations, shutdowns and slot reuse at random moments.
#include "function_process.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>
#include <random>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle_test;
using namespace std::chrono_literals;

/// Says for whom it is, from whom, and which in order; and proves that it is whole.
struct Letter {
  Pid to;
  unsigned sender = 0;
  unsigned number = 0;
  std::size_t seal = 0;

  static Letter write(Pid to, unsigned sender, unsigned number) {
    return {to, sender, number, sum(to, sender, number)};
  }
  bool whole() const { return seal == sum(to, sender, number); }
  static std::size_t sum(Pid to, unsigned sender, unsigned number) {
    return std::hash<Pid>{}(to)*31 + sender * 7919UL + number * 104729UL + 1;
  }
};

struct Tally {
  std::atomic<std::uint64_t> opened{0};
  std::atomic<std::uint64_t> closed{0};
  std::atomic<std::uint64_t> wrong{0};
  std::atomic<std::uint64_t> overlaps{0};
};

/// Checks every letter; forwards some; ends now and then.
class Clerk : public Process {
 public:
  Clerk(Tally& tally, unsigned senders) : tally_(tally), last_(senders, 0) {}

  Error init(Context context, std::string_view, Payload) override {
    context_ = context;
    ++tally_.opened;
    return {};
  }
  void step(Events& events, StepOutput& output) override {
    if (inside_.exchange(true)) ++tally_.overlaps;  // two workers at once
    for (Event& event : events) {
      if (event.is_cancel()) {
        output.done();
        continue;
      }
      const Letter* const letter = event.payload().get<Letter>();
      if (letter == nullptr) continue;
      if (!letter->whole() || letter->to != context_->self()) ++tally_.wrong;
      if (letter->number <= last_[letter->sender]) ++tally_.wrong;
      last_[letter->sender] = letter->number;
      if (letter->number % 997 == 0) output.done();
      if (letter->number % 1499 == 0) throw std::runtime_error("a bad day");
      if (letter->number % 61 == 0) output.again();
    }
    inside_ = false;
  }
  void close() override { ++tally_.closed; }

 private:
  Tally& tally_;
  std::vector<unsigned> last_;
  std::optional<Context> context_;
  std::atomic<bool> inside_{false};
};

unsigned rounds() {
  const char* const given = std::getenv("HEDDLE_STRESS_ROUNDS");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 3;
}

TEST(stress, letters_terminations_and_shutdown_at_random_moments) {
  constexpr unsigned senders = 3;
  constexpr unsigned places = 40;
  for (unsigned round = 0; round < rounds(); ++round) {
    Tally tally;
    Scheduler scheduler(with_workers(2 + round % 3));
    ASSERT_FALSE(scheduler.start());
    std::mutex mutex;
    std::vector<Pid> book(places);
    const auto fill = [&](std::size_t place) {
      const auto pid = scheduler.spawn<Clerk>({}, {}, tally, senders);
      if (!pid) return;
      const std::lock_guard lock(mutex);
      book[place] = *pid;
    };
    for (std::size_t i = 0; i < places; ++i) fill(i);
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (unsigned sender = 0; sender < senders; ++sender) {
      threads.emplace_back([&, sender] {
        std::minstd_rand random(round * 10 + sender + 1);
        for (unsigned number = 1; !stop; ++number) {
          const std::size_t place = random() % places;
          Pid to;
          {
            const std::lock_guard lock(mutex);
            to = book[place];
          }
          Message message(0, Letter::write(to, sender, number));
          if (number % 5 == 0) message.limit.items_max = 100;
          const SendResult sent = scheduler.send(to, std::move(message));
          if (number % 1009 == 0) (void)scheduler.terminate(to);
          if (number % 2003 == 0) (void)scheduler.wait(to);
          if (sent.reason == Errc::no_such_process) fill(place);
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + round * 37 % 50));
    std::thread closer([&] { scheduler.shutdown(round % 2 == 0 ? 0ms : 5ms); });
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 7));
    stop = true;
    for (std::thread& thread : threads) thread.join();
    closer.join();
    scheduler.shutdown();
    const Statistics all = scheduler.statistics();
    EXPECT_EQ(tally.wrong, 0U);
    EXPECT_EQ(tally.overlaps, 0U);
    EXPECT_EQ(tally.opened, tally.closed);
    EXPECT_EQ(all.live, 0U);
    EXPECT_EQ(all.accepted, all.delivered + all.discarded);
  }
}

TEST(stress, handlers_that_complete_from_other_threads_while_processes_are_terminated) {
  for (unsigned round = 0; round < rounds(); ++round) {
    std::mutex mutex;
    std::vector<Completer> waiting;
    std::atomic<std::uint64_t> strange{0};
    std::atomic<bool> stop{false};
    Scheduler scheduler(with_workers(2));
    ASSERT_FALSE(scheduler.register_command(1, [&](Command&, Completer& completer) {
      const std::lock_guard lock(mutex);
      waiting.push_back(std::move(completer));
      return Error();
    }));
    ASSERT_FALSE(scheduler.start());
    const auto asker = [&] {
      return process_of({.step = [&, asked = std::uint64_t{0}](Context&, Events& events,
                                                               StepOutput& output) mutable {
        for (Event& event : events) {
          if (event.kind() != EventKind::yield_complete) continue;
          if (event.tag() != asked) ++strange;  // somebody else's, or a second one
        }
        if (asked == 0 || !events.empty()) output.yield(1, ++asked);
        output.blocked();
      }});
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        while (!stop) {
          std::vector<Completer> mine;
          {
            const std::lock_guard lock(mutex);
            mine.swap(waiting);
          }
          for (Completer& completer : mine) (void)completer.complete(1);
        }
      });
    }
    std::minstd_rand random(round + 1);
    std::vector<Pid> pids(30);
    const auto end = std::chrono::steady_clock::now() + 100ms;
    while (std::chrono::steady_clock::now() < end) {
      Pid& pid = pids[random() % pids.size()];
      (void)scheduler.terminate(pid);
      pid = *scheduler.submit(asker());
    }
    scheduler.shutdown(0ms);
    stop = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(strange, 0U);
  }
}

TEST(stress, spawning_trees_end_and_give_everything_back) {
  Scheduler scheduler(with_workers(4));
  ASSERT_FALSE(scheduler.start());
  std::atomic<int> leaves{0};
  std::function<void(Context&, int)> grow = [&](Context& context, int depth) {
    for (int i = 0; i < 4; ++i) {
      (void)context.submit(
          process_of({.step = [&, depth](Context& inner, Events&, StepOutput& output) {
            if (depth == 0)
              ++leaves;
            else
              grow(inner, depth - 1);
            output.done();
          }}));
    }
  };
  for (unsigned round = 0; round < rounds(); ++round) {
    leaves = 0;
    ASSERT_TRUE(
        scheduler.submit(process_of({.step = [&](Context& context, Events&, StepOutput& output) {
          grow(context, 5);
          output.done();
        }})));
    EXPECT_TRUE(eventually([&] { return leaves == 4096; }));
    EXPECT_TRUE(eventually([&] { return scheduler.statistics().live == 0; }));
  }
}

TEST(stress, starts_and_shutdowns_in_quick_succession) {
  Scheduler scheduler(with_workers(3));
  for (unsigned round = 0; round < 20 * rounds(); ++round) {
    ASSERT_FALSE(scheduler.start());
    std::thread other([&] {
      while (scheduler.submit(process_of({}))) {
      }
    });
    if (round % 2 == 0) std::this_thread::yield();
    scheduler.shutdown(0ms);
    other.join();
    ASSERT_EQ(scheduler.statistics().live, 0U);
  }
}

}  // namespace
