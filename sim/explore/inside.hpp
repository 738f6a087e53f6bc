// The border between user code and the engine.
#pragma once

#include <heddle/sim/explore/execution.hpp>

namespace heddle::sim::engine {

/// While it lives, the engine's own allocations are ordinary ones. At its end the hook belongs to
/// whichever model thread runs then.
class Inside {
 public:
  explicit Inside(Execution& execution) noexcept : execution_(execution) {
    runtime::allocation_hook.arena = nullptr;
  }
  ~Inside() { runtime::allocation_hook.arena = execution_.current()->arena; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Execution& execution_;
};

/// Runs f with ordinary allocation and leaves it so.
template <class F>
auto outside(F&& f) {
  runtime::allocation_hook.arena = nullptr;
  return std::forward<F>(f)();
}

}  // namespace heddle::sim::engine
