// A flag that its source sets once and that any number of tokens read.
//
// Threads: any, on source and tokens alike.
#pragma once

#include <memory>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

class CancellationToken {
 public:
  /// A token that is never cancelled.
  CancellationToken() noexcept = default;
  // acquire: what the canceller did before is visible to whoever sees the flag.
  bool cancelled() const { return flag_ != nullptr && flag_->load(sync::memory_order_acquire); }

 private:
  friend class CancellationSource;
  using Flag = sync::atomic<bool>;
  explicit CancellationToken(std::shared_ptr<const Flag> flag) noexcept : flag_(std::move(flag)) {}
  std::shared_ptr<const Flag> flag_;
};

class CancellationSource {
 public:
  CancellationSource() : flag_(std::make_shared<sync::atomic<bool>>(false)) {}
  CancellationToken token() const { return CancellationToken(flag_); }
  void cancel() { flag_->store(true, sync::memory_order_release); }

 private:
  std::shared_ptr<sync::atomic<bool>> flag_;
};

}  // namespace heddle::inline HEDDLE_ON
