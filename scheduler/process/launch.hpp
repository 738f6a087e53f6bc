// Putting a new process into a slot: claim, construct, start. Gives the slot back when that does
// not come to its end.
#pragma once

#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include <heddle/scheduler/process/context.hpp>
#include <heddle/scheduler/process/control_block.hpp>
#include <heddle/scheduler/process/process.hpp>

namespace heddle::inline HEDDLE_ON {

class Launch {
 public:
  explicit Launch(Host& host) : host_(host), slot_(host.claim(refusal_)) {}
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  ~Launch() {
    if (slot_ != nullptr) [[unlikely]]
      host_.unclaim(*slot_);
  }

  /// False when there is no slot; start() says why.
  explicit operator bool() const noexcept { return slot_ != nullptr; }

  template <class T, class... Args>
  void make(Args&&... args) {
    static_assert(std::is_base_of_v<Process, T>, "a process derives from heddle::Process");
    ControlBlock& block = *slot_;
    constexpr bool fits = sizeof(T) <= DefaultLimits::inline_process_bytes && alignof(T) <= 16;
    if constexpr (fits) {
      put(::new (static_cast<void*>(block.storage)) T(std::forward<Args>(args)...), true);
    } else {
      put(new T(std::forward<Args>(args)...), false);
    }
  }
  void adopt(std::unique_ptr<Process> process) { put(process.release(), false); }

  Result<Pid> start(std::string_view method, Payload&& input, Pid watcher) {
    if (slot_ == nullptr) [[unlikely]]
      return std::move(refusal_);
    return host_.launch(*std::exchange(slot_, nullptr), method, std::move(input), watcher);
  }

 private:
  void put(Process* process, bool in_place) {
    slot_->process.write(process);
    slot_->in_place.write(in_place);
  }

  Host& host_;
  Error refusal_;
  ControlBlock* slot_;
};

template <class T, class... Args>
Result<Pid> launch_new(Host& host, Pid watcher, std::string_view method, Payload&& input,
                       Args&&... args) {
  Launch launch(host);
  if (launch) launch.template make<T>(std::forward<Args>(args)...);
  return launch.start(method, std::move(input), watcher);
}

inline Result<Pid> launch_existing(Host& host, std::unique_ptr<Process> process,
                                   std::string_view method, Payload&& input) {
  if (process == nullptr) return Error(Errc::invalid_argument, "submit: the process is null");
  Launch launch(host);
  if (launch) launch.adopt(std::move(process));
  return launch.start(method, std::move(input), Pid{});
}

template <class T, class... Args>
Result<Pid> Context::spawn(std::string_view method, Payload input, Args&&... args) const {
  return launch_new<T>(*host_, Pid{}, method, std::move(input), std::forward<Args>(args)...);
}

template <class T, class... Args>
Result<Pid> Context::spawn_watched(std::string_view method, Payload input, Args&&... args) const {
  return launch_new<T>(*host_, self_, method, std::move(input), std::forward<Args>(args)...);
}

inline Result<Pid> Context::submit(std::unique_ptr<Process> process, std::string_view method,
                                   Payload input) const {
  return launch_existing(*host_, std::move(process), method, std::move(input));
}

}  // namespace heddle::inline HEDDLE_ON
