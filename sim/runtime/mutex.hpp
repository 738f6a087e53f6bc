// sim::mutex: a Lockable that the simulator understands.
//
// State:    one location, 0 free, 1 held. lock waits for 0 and writes 1 (acquire); unlock writes 0
//           (release).
// Threads:  as std::mutex. Unlocking what the caller does not hold, locking twice and destroying
//           a held mutex are reported as misuse.
#pragma once

#include <cstdint>

#include <heddle/sim/runtime/atomic.hpp>

namespace heddle::sim {

class mutex {
 public:
  explicit mutex(source_location site = source_location::current());
  ~mutex();
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  void lock(source_location site = source_location::current());
  bool try_lock(source_location site = source_location::current());
  void unlock(source_location site = source_location::current());

 private:
  runtime::atomic_location word_;
  // Plain memory: written by the holder only, read by the holder and by misuse checks.
  std::uint32_t holder_ = 0;  // thread + 1; 0: nobody
};

}  // namespace heddle::sim
