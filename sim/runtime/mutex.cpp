#include <heddle/sim/runtime/mutex.hpp>

namespace heddle::sim {

using runtime::await_predicate;
using runtime::rmw_kind;
using runtime::value;

namespace {

constexpr value unlocked{0, 0};
constexpr value locked{1, 0};

}  // namespace

mutex::mutex(source_location site)
    : word_(unlocked, 1, runtime::location_role::mutex, "mutex", site) {}

mutex::~mutex() {
  if (runtime::current_core != nullptr && holder_ != 0) {
    runtime::current_core->fail(FailureKind::misuse, "a mutex is destroyed while it is locked",
                                source_location{});
  }
}

void mutex::lock(source_location site) {
  runtime::core& core = runtime::here("sim::mutex", site);
  if (holder_ == core.this_thread() + 1) {
    core.fail(FailureKind::misuse, "a thread locks a mutex that it holds already", site);
  }
  word_.await_rmw({await_predicate::test::equal, unlocked}, {rmw_kind::exchange, 1, locked, {}},
                  std::memory_order_acquire, runtime::wait_reason::mutex, site);
  holder_ = core.this_thread() + 1;
}

bool mutex::try_lock(source_location site) {
  runtime::core& core = runtime::here("sim::mutex", site);
  const bool taken = word_
                         .rmw({rmw_kind::compare_exchange, 1, locked, unlocked},
                              std::memory_order_acquire, std::memory_order_relaxed, site)
                         .written;
  if (taken) holder_ = core.this_thread() + 1;
  return taken;
}

void mutex::unlock(source_location site) {
  runtime::core& core = runtime::here("sim::mutex", site);
  if (holder_ != core.this_thread() + 1) {
    core.fail(FailureKind::misuse, "a thread unlocks a mutex that it does not hold", site);
  }
  holder_ = 0;
  word_.store(unlocked, std::memory_order_release, site);
}

}  // namespace heddle::sim
