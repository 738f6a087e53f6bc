#include <heddle/scheduler/process/error.hpp>

namespace heddle::inline HEDDLE_ON {

std::string_view to_string(Errc code) noexcept {
  switch (code) {
    case Errc::none:
      return "none";
    case Errc::unknown_method:
      return "unknown_method";
    case Errc::init_failed:
      return "init_failed";
    case Errc::step_failed:
      return "step_failed";
    case Errc::close_failed:
      return "close_failed";
    case Errc::unknown_command:
      return "unknown_command";
    case Errc::handler_failed:
      return "handler_failed";
    case Errc::abandoned:
      return "abandoned";
    case Errc::already_completed:
      return "already_completed";
    case Errc::no_such_process:
      return "no_such_process";
    case Errc::cancelled:
      return "cancelled";
    case Errc::terminated:
      return "terminated";
    case Errc::not_running:
      return "not_running";
    case Errc::already_running:
      return "already_running";
    case Errc::process_limit:
      return "process_limit";
    case Errc::out_of_memory:
      return "out_of_memory";
    case Errc::thread_creation:
      return "thread_creation";
    case Errc::invalid_argument:
      return "invalid_argument";
    case Errc::would_block:
      return "would_block";
    case Errc::user:
      return "user";
  }
  return "?";
}

Error::Error(Errc code, std::string text, std::exception_ptr cause)
    : detail_(std::make_shared<const Detail>(Detail{std::move(text), std::move(cause)})),
      code_(code) {}

Error Error::from_current_exception(Errc code) noexcept {
  try {
    const std::exception_ptr cause = std::current_exception();
    try {
      std::rethrow_exception(cause);
    } catch (const std::exception& exception) {
      return Error(code, exception.what(), cause);
    } catch (...) {
      return Error(code, "an exception that is no std::exception", cause);
    }
  } catch (...) {
    return Error(code);  // no memory for the details
  }
}

std::string Error::message() const {
  std::string text(to_string(code_));
  if (detail_ && !detail_->text.empty()) text.append(": ").append(detail_->text);
  return text;
}

}  // namespace heddle::inline HEDDLE_ON
