// Which handler serves which command. Filled before the scheduler starts, frozen then, and read
// without a lock ever after.
//
// Threads:    add() by one thread, before freeze(); find() by any after it. Starting the workers
//             orders the two.
#pragma once

#include <array>
#include <functional>
#include <unordered_map>
#include <utility>

#include <heddle/scheduler/process/completer.hpp>
#include <heddle/scheduler/process/step_output.hpp>

namespace heddle::inline HEDDLE_ON {

struct Command {
  CommandId id = 0;
  Pid process;  ///< who yielded
  Payload data;
};

/// Called on a worker, right after the step that yielded. Completes inside of the call, or moves
/// the completer away and completes later from any thread. An error, or an exception, completes
/// with Errc::handler_failed if nothing else has.
using Handler = std::function<Error(Command& command, Completer& completer)>;

class CommandRegistry {
 public:
  static constexpr CommandId array_size = 256;

  Error add(CommandId id, Handler handler) {
    if (frozen_) {
      return Error(Errc::already_running, "handlers are registered before start()");
    }
    if (!handler) return Error(Errc::invalid_argument, "the handler is empty");
    Handler& place = id < array_size ? first_[id] : others_[id];
    if (place) {
      return Error(Errc::invalid_argument,
                   "command " + std::to_string(id) + " has a handler already");
    }
    place = std::move(handler);
    return {};
  }
  void freeze() noexcept { frozen_ = true; }

  /// Null when there is none.
  const Handler* find(CommandId id) const {
    if (id < array_size) return first_[id] ? &first_[id] : nullptr;
    const auto found = others_.find(id);
    return found == others_.end() ? nullptr : &found->second;
  }

 private:
  bool frozen_ = false;
  std::array<Handler, array_size> first_;
  std::unordered_map<CommandId, Handler> others_;
};

}  // namespace heddle::inline HEDDLE_ON
