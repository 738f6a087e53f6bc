// What a step leaves behind: what the process wants next, and the commands that it yields to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <heddle/scheduler/limits.hpp>
#include <heddle/scheduler/process/error.hpp>
#include <heddle/scheduler/process/payload.hpp>

namespace heddle::inline HEDDLE_ON {

using CommandId = std::uint32_t;

enum class StepStatus : std::uint8_t {
  idle,       ///< step again when a message comes
  blocked,    ///< step again when a yield completes, or a message comes
  continue_,  ///< step again soon, after the others
  done        ///< close
};

/// A request to a command handler. The tag comes back with the completion.
struct Yield {
  CommandId command = 0;
  std::uint64_t tag = 0;
  Payload data;
};

class StepOutput {
 public:
  /// The status; a step that says nothing is idle. The last call counts.
  void idle() noexcept { status_ = StepStatus::idle; }
  void blocked() noexcept { status_ = StepStatus::blocked; }
  void again() noexcept { status_ = StepStatus::continue_; }
  void done() noexcept { status_ = StepStatus::done; }
  /// Ends the process with an error, as if step had thrown.
  void fail(Error error) {
    status_ = StepStatus::done;
    error_ = std::move(error);
  }

  /// Adds a request. Handlers run after the step, in the order of the yields. The first two need
  /// no allocation.
  void yield(CommandId command, std::uint64_t tag, Payload data = {}) {
    if (count_ < first_.size())
      first_[count_] = Yield{command, tag, std::move(data)};
    else
      more_.push_back(Yield{command, tag, std::move(data)});
    ++count_;
  }

  StepStatus status() const noexcept { return status_; }
  const Error& error() const noexcept { return error_; }
  std::size_t yields() const noexcept { return count_; }
  Yield& yield_at(std::size_t index) {
    return index < first_.size() ? first_[index] : more_[index - first_.size()];
  }

  /// For the next step. Keeps the memory for further yields.
  void reset() noexcept {
    status_ = StepStatus::idle;
    if (error_) error_ = Error();
    if (count_ == 0) return;
    for (Yield& yield : first_) yield.data.reset();
    more_.clear();
    count_ = 0;
  }

 private:
  StepStatus status_ = StepStatus::idle;
  std::size_t count_ = 0;
  std::array<Yield, DefaultLimits::inline_yields> first_;
  std::vector<Yield> more_;
  Error error_;
};

}  // namespace heddle::inline HEDDLE_ON
