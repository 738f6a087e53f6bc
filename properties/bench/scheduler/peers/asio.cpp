// Asio: coroutines on a thread pool, concurrent channels as mailboxes.
#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/experimental/concurrent_channel.hpp>
#include <asio/post.hpp>
#include <asio/thread_pool.hpp>
#include <asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "peer.hpp"

namespace {

using Executor = asio::thread_pool::executor_type;
using Channel = asio::experimental::concurrent_channel<Executor, void(asio::error_code, long)>;
using Task = asio::awaitable<void>;
using Channels = std::vector<std::unique_ptr<Channel>>;

template <class Body>
void spawn(const Executor& on, Body body) {
  asio::co_spawn(on, std::move(body), asio::detached);
}

Channels channels(const Executor& on, std::size_t count, std::size_t capacity) {
  Channels made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i) made.push_back(std::make_unique<Channel>(on, capacity));
  return made;
}

void send(Channel& to, long value) {
  peer::require(to.try_send(asio::error_code{}, value), "a channel is full");
}

double per(long began, unsigned long count) {
  return static_cast<double>(peer::now_ns() - began) / static_cast<double>(count);
}

void spawn_join(const Executor& on, unsigned long count) {
  peer::Countdown join(count);
  const long began = peer::now_ns();
  asio::post(on, [&] {
    for (unsigned long i = 0; i < count; ++i) {
      spawn(on, [&join]() -> Task {
        join.one();
        co_return;
      });
    }
  });
  join.wait();
  peer::report({{"ns_per_task", per(began, count)}});
}

void yields(const Executor& on, unsigned long tasks, unsigned long each) {
  peer::Countdown join(tasks);
  const long began = peer::now_ns();
  for (unsigned long i = 0; i < tasks; ++i) {
    spawn(on, [&, each]() -> Task {
      for (unsigned long k = 0; k < each; ++k) co_await asio::post(on, asio::use_awaitable);
      join.one();
    });
  }
  join.wait();
  peer::report({{"ns_per_switch", per(began, tasks * each)}});
}

void relay(const Executor& on, std::size_t size, long hops) {
  const Channels links = channels(on, size, 16);
  peer::Countdown join(1);
  for (std::size_t i = 0; i < size; ++i) {
    spawn(on, [&, i]() -> Task {
      for (;;) {
        const long left = co_await links[i]->async_receive(asio::use_awaitable);
        if (left == 0)
          join.one();
        else
          send(*links[(i + 1) % size], left - 1);
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const long began = peer::now_ns();
  send(*links[0], hops);
  join.wait();
  peer::report({{"ns_per_msg", per(began, static_cast<unsigned long>(hops))}});
}

void fan_in(const Executor& on, unsigned long count) {
  constexpr unsigned long sources = 100;
  Channel mailbox(on, count);
  peer::Countdown join(1);
  const long began = peer::now_ns();
  for (unsigned long i = 0; i < sources; ++i) {
    spawn(on, [&mailbox, count]() -> Task {
      for (unsigned long k = 0; k < count / sources; ++k) send(mailbox, static_cast<long>(k));
      co_return;
    });
  }
  spawn(on, [&]() -> Task {
    for (unsigned long k = 0; k < count; ++k) {
      (void)co_await mailbox.async_receive(asio::use_awaitable);
    }
    join.one();
  });
  join.wait();
  peer::report({{"ns_per_msg", per(began, count)}});
}

void many_to_many(const Executor& on, unsigned long count) {
  constexpr std::size_t size = 1000;
  std::vector<unsigned long> expected(size);
  for (std::size_t i = 0; i < size; ++i) {
    peer::Lcg random(i + 1);
    for (std::size_t k = 0; k < size; ++k) ++expected[random.next() % size];
  }
  const Channels mailboxes = channels(on, size, 2048);
  peer::Countdown join(size);
  const long began = peer::now_ns();
  for (std::size_t i = 0; i < size; ++i) {
    spawn(on, [&, i]() -> Task {
      peer::Lcg random(i + 1);
      for (std::size_t k = 0; k < size; ++k) {
        send(*mailboxes[random.next() % size], static_cast<long>(k));
      }
      for (unsigned long k = 0; k < expected[i]; ++k) {
        (void)co_await mailboxes[i]->async_receive(asio::use_awaitable);
      }
      join.one();
    });
  }
  join.wait();
  peer::report({{"ns_per_msg", per(began, count)}});
}

asio::awaitable<long> skynet(Executor on, long number, long size) {
  if (size == 1) co_return number;
  const long share = size / 10;
  const auto results = std::make_shared<Channel>(on, 10);
  for (long i = 0; i < 10; ++i) {
    spawn(on, [=]() -> Task { send(*results, co_await skynet(on, number + i * share, share)); });
  }
  long sum = 0;
  for (int i = 0; i < 10; ++i) sum += co_await results->async_receive(asio::use_awaitable);
  co_return sum;
}

void run_skynet(const Executor& on, long size) {
  peer::Countdown join(1);
  long sum = 0;
  const long began = peer::now_ns();
  spawn(on, [&]() -> Task {
    sum = co_await skynet(on, 0, size);
    join.one();
  });
  join.wait();
  peer::require(sum == size * (size - 1) / 2, "skynet: a wrong sum");
  peer::report({{"ns_per_task", per(began, static_cast<unsigned long>(size)) / 1.111111}});
}

/// A task that waits for a time of day, or for -1, which ends it.
struct Parked {
  Channels mailboxes;
  std::vector<long> latencies{};
  std::atomic<unsigned long> woken{0};
  std::atomic<unsigned long> ended{0};

  void spawn_all(const Executor& on) {
    latencies.reserve(100'000);
    peer::Countdown spawned(1);
    asio::post(on, [&] {
      for (const auto& mailbox : mailboxes) {
        spawn(on, [this, own = mailbox.get()]() -> Task {
          for (;;) {
            const long sent = co_await own->async_receive(asio::use_awaitable);
            if (sent < 0) {
              ended.fetch_add(1, std::memory_order_acq_rel);
              co_return;
            }
            latencies.push_back(peer::now_ns() - sent);
            woken.fetch_add(1, std::memory_order_release);
          }
        });
      }
      spawned.one();
    });
    spawned.wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
};

void park(const Executor& on, unsigned long count) {
  Parked all{.mailboxes = channels(on, count, 1)};
  const double before = peer::resident_bytes();
  all.spawn_all(on);
  const double bytes = peer::resident_bytes() - before;
  const long began = peer::now_ns();
  for (const auto& mailbox : all.mailboxes) send(*mailbox, -1);
  while (all.ended.load() < count) std::this_thread::yield();
  peer::report({{"bytes_per_task", bytes / static_cast<double>(count)},
                {"wake_ns_per_task", per(began, count)}});
}

void wake_latency(const Executor& on, unsigned long count, bool paced) {
  Parked all{.mailboxes = channels(on, count, 1)};
  all.spawn_all(on);
  peer::Lcg random(42);
  peer::report_latencies(all.latencies, paced, all.woken,
                         [&](long now) { send(*all.mailboxes[random.next() % count], now); });
}

void work_spread(const Executor& on, unsigned long count) {
  peer::Countdown join(count);
  const long began = peer::now_ns();
  asio::post(on, [&] {
    for (unsigned long i = 0; i < count; ++i) {
      asio::post(on, [&join] {
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
  // Never destroyed: report() ends the program.
  auto* const pool = new asio::thread_pool(given.workers);
  const Executor on = pool->get_executor();
  if (given.is("W1")) spawn_join(on, given.count);
  if (given.is("W2a")) yields(on, 1000, given.count / 1000);
  if (given.is("W2b")) yields(on, 1, given.count);
  if (given.is("W3")) relay(on, 2, static_cast<long>(given.count));
  if (given.is("W4")) relay(on, 1000, static_cast<long>(given.count));
  if (given.is("W5a")) fan_in(on, given.count);
  if (given.is("W5b")) many_to_many(on, given.count);
  if (given.is("W6")) run_skynet(on, static_cast<long>(given.count));
  if (given.is("W7")) park(on, given.count);
  if (given.is("W8c")) wake_latency(on, given.count, false);
  if (given.is("W8p")) wake_latency(on, given.count, true);
  if (given.is("W11")) work_spread(on, given.count);
  return peer::has_no_such_workload;
}
