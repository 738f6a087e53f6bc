// The right to complete one yield, once.
//
// Threads:    any; two threads that share one completer agree on who completes.
// State:      borrowed (inside of the handler's call), counted (moved out: holds a reference to the
//             host's memory, so it may outlive the scheduler), or empty (moved from).
// Invariants: I1 of all calls on the completers of one yield, one takes effect
#pragma once

#include <cstdint>
#include <utility>

#include <heddle/scheduler/process/event.hpp>
#include <heddle/scheduler/process/host.hpp>

namespace heddle::inline HEDDLE_ON {

class Completer {
 public:
  /// A borrowed one: the host outlives it.
  Completer(Host& host, Pid process, std::uint64_t tag) noexcept
      : host_(&host), process_(process), tag_(tag) {}
  Completer(Completer&& other) : process_(other.process_), tag_(other.tag_) { take_from(other); }
  Completer& operator=(Completer&& other) {
    if (this != &other) {
      let_go();
      process_ = other.process_;
      tag_ = other.tag_;
      take_from(other);
    }
    return *this;
  }
  /// Completes with Errc::abandoned if nobody has.
  ~Completer() { let_go(); }

  Pid process() const noexcept { return process_; }
  std::uint64_t tag() const noexcept { return tag_; }

  /// Wakes the process with the result. Refused: already_completed, or no_such_process when the
  /// process that yielded has ended; who has its slot now is not touched.
  SendResult complete(Payload data = {}) {
    if (!win()) return SendResult::refused(Errc::already_completed);
    return host_->complete(process_, Event::completion(tag_, std::move(data)));
  }
  SendResult fail(Error error) {
    if (!win()) return SendResult::refused(Errc::already_completed);
    return host_->complete(process_, Event::completion(tag_, std::move(error)));
  }

  /// Nobody has completed through this object, and it was not moved from.
  bool armed() const { return host_ != nullptr && !used_.load(sync::memory_order_relaxed); }

 private:
  // relaxed: only who wins matters; the result travels through the mailbox.
  bool win() { return host_ != nullptr && !used_.exchange(true, sync::memory_order_relaxed); }

  void take_from(Completer& other) {
    if (other.host_ != nullptr && !other.counted_) other.host_->reference();
    counted_ = other.host_ != nullptr;
    used_.store(other.used_.load(sync::memory_order_relaxed), sync::memory_order_relaxed);
    host_ = std::exchange(other.host_, nullptr);
  }
  void let_go() {
    if (host_ == nullptr) return;
    if (armed()) (void)fail(Errc::abandoned);
    if (counted_) host_->unreference();
    host_ = nullptr;
  }

  Host* host_ = nullptr;
  Pid process_;
  std::uint64_t tag_ = 0;
  bool counted_ = false;
  sync::atomic<bool> used_{false};
};

}  // namespace heddle::inline HEDDLE_ON
