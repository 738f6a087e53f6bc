// Boost.Fiber: its work-stealing scheduler with several workers, its default one with a single one;
// stacks of 16 KiB; buffered channels as mailboxes.
#include <algorithm>
#include <barrier>
#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/buffered_channel.hpp>
#include <boost/fiber/condition_variable.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/fixedsize_stack.hpp>
#include <boost/fiber/future.hpp>
#include <boost/fiber/mutex.hpp>
#include <boost/fiber/operations.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "peer.hpp"

namespace {

namespace fibers = boost::fibers;
using Channel = fibers::buffered_channel<long>;

template <class Body>
void spawn(Body body) {
  fibers::fiber(fibers::launch::post, std::allocator_arg, fibers::fixedsize_stack(16 * 1024),
                std::move(body))
      .detach();
}

/// Waits as a fiber, so that the main thread goes on as a worker.
class Join {
 public:
  explicit Join(unsigned long count) : left_(count) {}
  void one() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) done_.set_value();
  }
  void wait() { done_.get_future().wait(); }

 private:
  std::atomic<unsigned long> left_;
  fibers::promise<void> done_;
};

std::vector<std::unique_ptr<Channel>> channels(std::size_t count, std::size_t capacity) {
  std::vector<std::unique_ptr<Channel>> made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i) made.push_back(std::make_unique<Channel>(capacity));
  return made;
}

double per(long began, unsigned long count) {
  return static_cast<double>(peer::now_ns() - began) / static_cast<double>(count);
}

void spawn_join(unsigned long count) {
  Join join(count);
  const long began = peer::now_ns();
  spawn([&] {
    for (unsigned long i = 0; i < count; ++i) spawn([&join] { join.one(); });
  });
  join.wait();
  peer::report({{"ns_per_task", per(began, count)}});
}

void yields(unsigned long tasks, unsigned long each) {
  Join join(tasks);
  const long began = peer::now_ns();
  for (unsigned long i = 0; i < tasks; ++i) {
    spawn([&join, each] {
      for (unsigned long k = 0; k < each; ++k) boost::this_fiber::yield();
      join.one();
    });
  }
  join.wait();
  peer::report({{"ns_per_switch", per(began, tasks * each)}});
}

void relay(std::size_t size, long hops) {
  const auto links = channels(size, 16);
  Join join(1);
  for (std::size_t i = 0; i < size; ++i) {
    spawn([&, i] {
      for (;;) {
        const long left = links[i]->value_pop();
        if (left == 0)
          join.one();
        else
          links[(i + 1) % size]->push(left - 1);
      }
    });
  }
  boost::this_fiber::sleep_for(std::chrono::milliseconds(20));
  const long began = peer::now_ns();
  links[0]->push(hops);
  join.wait();
  peer::report({{"ns_per_msg", per(began, static_cast<unsigned long>(hops))}});
}

void fan_in(unsigned long count) {
  constexpr unsigned long sources = 100;
  Channel mailbox(1024);
  Join join(1);
  const long began = peer::now_ns();
  for (unsigned long i = 0; i < sources; ++i) {
    spawn([&mailbox, count] {
      for (unsigned long k = 0; k < count / sources; ++k) mailbox.push(static_cast<long>(k));
    });
  }
  spawn([&] {
    for (unsigned long k = 0; k < count; ++k) (void)mailbox.value_pop();
    join.one();
  });
  join.wait();
  peer::report({{"ns_per_msg", per(began, count)}});
}

void many_to_many(unsigned long count) {
  constexpr std::size_t size = 1000;
  std::vector<unsigned long> expected(size);
  for (std::size_t i = 0; i < size; ++i) {
    peer::Lcg random(i + 1);
    for (std::size_t k = 0; k < size; ++k) ++expected[random.next() % size];
  }
  const auto mailboxes = channels(size, 2048);
  Join join(size);
  const long began = peer::now_ns();
  for (std::size_t i = 0; i < size; ++i) {
    spawn([&, i] {
      peer::Lcg random(i + 1);
      for (std::size_t k = 0; k < size; ++k) {
        mailboxes[random.next() % size]->push(static_cast<long>(k));
      }
      for (unsigned long k = 0; k < expected[i]; ++k) (void)mailboxes[i]->value_pop();
      join.one();
    });
  }
  join.wait();
  peer::report({{"ns_per_msg", per(began, count)}});
}

long skynet(long number, long size) {
  if (size == 1) return number;
  const long share = size / 10;
  std::vector<fibers::future<long>> children;
  children.reserve(10);
  for (long i = 0; i < 10; ++i) {
    fibers::packaged_task<long()> task([=] { return skynet(number + i * share, share); });
    children.push_back(task.get_future());
    spawn(std::move(task));
  }
  long sum = 0;
  for (auto& child : children) sum += child.get();
  return sum;
}

void run_skynet(long size) {
  const long began = peer::now_ns();
  fibers::packaged_task<long()> root([size] { return skynet(0, size); });
  auto sum = root.get_future();
  spawn(std::move(root));
  peer::require(sum.get() == size * (size - 1) / 2, "skynet: a wrong sum");
  peer::report({{"ns_per_task", per(began, static_cast<unsigned long>(size)) / 1.111111}});
}

/// A task that waits for a time of day, or for -1, which ends it.
struct Parked {
  std::vector<std::unique_ptr<Channel>> mailboxes;
  std::vector<long> latencies{};
  std::atomic<unsigned long> woken{0};
  std::atomic<unsigned long> ended{0};

  void spawn_all() {
    latencies.reserve(100'000);
    for (const auto& mailbox : mailboxes) {
      spawn([this, own = mailbox.get()] {
        for (;;) {
          const long sent = own->value_pop();
          if (sent < 0) {
            ended.fetch_add(1, std::memory_order_acq_rel);
            return;
          }
          latencies.push_back(peer::now_ns() - sent);
          woken.fetch_add(1, std::memory_order_release);
        }
      });
    }
    boost::this_fiber::sleep_for(std::chrono::milliseconds(300));
  }
};

void park(unsigned long count) {
  Parked all{.mailboxes = channels(count, 2)};
  const double before = peer::resident_bytes();
  all.spawn_all();
  const double bytes = peer::resident_bytes() - before;
  const long began = peer::now_ns();
  for (const auto& mailbox : all.mailboxes) mailbox->push(-1);
  while (all.ended.load() < count) boost::this_fiber::sleep_for(std::chrono::milliseconds(1));
  peer::report({{"bytes_per_task", bytes / static_cast<double>(count)},
                {"wake_ns_per_task", per(began, count)}});
}

void wake_latency(unsigned long count, bool paced) {
  Parked all{.mailboxes = channels(count, 2)};
  all.spawn_all();
  std::thread outside([&] {
    peer::Lcg random(42);
    peer::report_latencies(all.latencies, paced, all.woken,
                           [&](long now) { all.mailboxes[random.next() % count]->push(now); });
  });
  fibers::promise<void> never;
  never.get_future().wait();
}

void work_spread(unsigned long count) {
  Join join(count);
  const long began = peer::now_ns();
  spawn([&] {
    for (unsigned long i = 0; i < count; ++i) {
      spawn([&join] {
        peer::work();
        join.one();
      });
    }
  });
  join.wait();
  peer::report({{"ms", static_cast<double>(peer::now_ns() - began) / 1e6}});
}

}  // namespace

int main(int argc, char** argv) {
  const peer::Arguments given = peer::arguments(argc, argv);
  const struct {
    const char* name;
    std::function<void()> run;
  } workloads[] = {
      {"W1", [&] { spawn_join(given.count); }},
      {"W2a", [&] { yields(1000, given.count / 1000); }},
      {"W2b", [&] { yields(1, given.count); }},
      {"W3", [&] { relay(2, static_cast<long>(given.count)); }},
      {"W4", [&] { relay(1000, static_cast<long>(given.count)); }},
      {"W5a", [&] { fan_in(given.count); }},
      {"W5b", [&] { many_to_many(given.count); }},
      {"W6", [&] { run_skynet(static_cast<long>(given.count)); }},
      {"W7", [&] { park(given.count); }},
      {"W8c", [&] { wake_latency(given.count, false); }},
      {"W8p", [&] { wake_latency(given.count, true); }},
      {"W11", [&] { work_spread(given.count); }},
  };
  for (const auto& [name, run] : workloads) {
    if (!given.is(name)) continue;
    std::barrier ready(static_cast<std::ptrdiff_t>(given.workers));
    const auto join_pool = [&ready, &given] {
      fibers::use_scheduling_algorithm<fibers::algo::work_stealing>(given.workers, true);
      ready.arrive_and_wait();
    };
    for (unsigned i = 1; i < given.workers; ++i) {
      std::thread([&join_pool] {
        join_pool();
        fibers::promise<void> never;
        never.get_future().wait();
      }).detach();
    }
    if (given.workers > 1) join_pool();
    run();  // reports and ends the program
  }
  return peer::has_no_such_workload;
}
