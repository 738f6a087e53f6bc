// What went wrong, as a value: a code to branch on, a text for people, and the exception behind it
// if there was one. An Error without a code is success; functions that only succeed or fail return
// one.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

enum class Errc : std::uint8_t {
  none,
  unknown_method,     ///< init was given a method that the process does not have
  init_failed,        ///< init threw
  step_failed,        ///< step threw
  close_failed,       ///< close, or the destructor, threw
  unknown_command,    ///< a yield named a command that nobody registered
  handler_failed,     ///< a command handler threw or returned an error
  abandoned,          ///< a handler let go of its completer without completing
  already_completed,  ///< a yield was completed twice
  no_such_process,    ///< the PID names nothing, or what it named is gone
  cancelled,          ///< by a cancellation token, or by a cancel event
  terminated,         ///< by terminate(), or at the end of a shutdown
  not_running,        ///< the scheduler was not started, or is stopping, or has stopped
  already_running,    ///< start() twice, or a handler registered after start()
  process_limit,      ///< as many processes as the options allow
  out_of_memory,
  thread_creation,  ///< a worker thread could not be created
  invalid_argument,
  would_block,  ///< a worker was about to wait for itself
  user,         ///< what a process or handler reports about itself
};

/// The code by its name, as in "unknown_method".
std::string_view to_string(Errc code) noexcept;

class [[nodiscard]] Error {
 public:
  Error() noexcept = default;
  Error(Errc code) noexcept : code_(code) {}
  Error(Errc code, std::string text, std::exception_ptr cause = nullptr);
  /// The exception that is being handled: its what(), and itself as the cause.
  static Error from_current_exception(Errc code) noexcept;

  explicit operator bool() const noexcept { return code_ != Errc::none; }
  Errc code() const noexcept { return code_; }
  /// "unknown_method: ring has no method 'turn'"; just the code's name when there is no text.
  std::string message() const;
  std::exception_ptr cause() const noexcept { return detail_ ? detail_->cause : nullptr; }

 private:
  struct Detail {
    std::string text;
    std::exception_ptr cause;
  };
  std::shared_ptr<const Detail> detail_;
  Errc code_ = Errc::none;
};

/// A T, or why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}
  Result(Errc code) : error_(code) {}

  explicit operator bool() const noexcept { return value_.has_value(); }
  T& value() { return value_.value(); }
  const T& value() const { return value_.value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  const Error& error() const noexcept { return error_; }

 private:
  std::optional<T> value_;
  Error error_;
};

}  // namespace heddle::inline HEDDLE_ON
