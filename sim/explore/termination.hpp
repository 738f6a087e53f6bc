// SIGTERM as a wish: while it lives, the signal sets a flag instead of ending the process.
#pragma once

#include <csignal>

namespace heddle::sim::engine {

class TerminationGuard {
 public:
  TerminationGuard() {
    asked_for = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { asked_for = 1; };
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGTERM, &action, &before_);
  }
  ~TerminationGuard() { ::sigaction(SIGTERM, &before_, nullptr); }
  TerminationGuard(const TerminationGuard&) = delete;
  TerminationGuard& operator=(const TerminationGuard&) = delete;

  static bool requested() noexcept { return asked_for != 0; }

 private:
  static inline volatile std::sig_atomic_t asked_for = 0;
  struct sigaction before_ {};
};

}  // namespace heddle::sim::engine
