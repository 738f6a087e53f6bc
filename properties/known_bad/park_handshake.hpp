// B08: work is published and then the sleeper looked for; the sleeper announces itself and then
// looks for work. Each side stores one variable and loads the other. Without an order between the
// store and the load both may read the old value: the work is there, and its taker sleeps.
#pragma once

#include <mutex>

#include <heddle/sync.hpp>

namespace heddle::inline HEDDLE_ON::known_bad {

struct with_fences {
  static void store_before_load() { sync::atomic_thread_fence(sync::memory_order_seq_cst); }
};
struct without_fences {
  static void store_before_load() {}
};

template <class Order>
class park_handshake {
 public:
  void submit() {
    work_.store(true, sync::memory_order_release);
    Order::store_before_load();
    if (!asleep_.load(sync::memory_order_acquire)) return;
    {
      const std::lock_guard lock(mutex_);
      woken_.write(true);
    }
    wake_.notify_one();
  }

  void wait_for_work() {
    asleep_.store(true, sync::memory_order_release);
    Order::store_before_load();
    if (work_.load(sync::memory_order_acquire)) return;
    std::unique_lock lock(mutex_);
    while (!woken_.read()) wake_.wait(lock);
  }

 private:
  sync::atomic<bool> work_{false};
  sync::atomic<bool> asleep_{false};
  sync::mutex mutex_;
  sync::condition_variable wake_;
  sync::cell<bool> woken_{false};  // guarded by mutex_
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
