// What a body may say to the simulator.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim {

/// Fails the execution when `condition` is false.
void check(bool condition, std::string_view message = {},
           source_location site = source_location::current());

/// Ends this execution as blocked when `condition` is false: it is not counted and not a failure.
void assume(bool condition);

/// Adds name = value to the outcome of this execution; see Report::outcomes.
void observe(std::string_view name, std::int64_t value);

/// One of 0..n-1; every value is explored. n must be at least 1.
unsigned choose(unsigned n, source_location site = source_location::current());

/// Ends an iteration of a spin loop: "nothing changes unless another thread acts". When the thread
/// has written nothing since the hint before, it waits here until something it read has changed.
/// Not for bounded spins that go on to do something else.
void spin_hint(source_location site = source_location::current());

/// A place where a real thread would give up its processor. Not an event.
void yield(source_location site = source_location::current());

/// True inside of a simulated execution.
bool in_execution() noexcept;

namespace runtime {
/// While it lives, the calling model thread uses the ordinary allocator.
class outside_scope {
 public:
  outside_scope() noexcept;
  ~outside_scope();
  outside_scope(const outside_scope&) = delete;
  outside_scope& operator=(const outside_scope&) = delete;

 private:
  void* arena_;  // of the model thread that went outside, or null
};
}  // namespace runtime

/// Runs f with the ordinary allocator: for what must outlive the execution, such as a result list
/// that the body fills. f must not use sync objects.
template <class F>
decltype(auto) outside(F&& f) {
  const runtime::outside_scope scope;
  return std::forward<F>(f)();
}

/// Marks a call of the object under test in the operation history of traces, and gives the moments
/// from which a linearizability checker takes its order.
class operation {
 public:
  explicit operation(std::string_view text, source_location site = source_location::current());
  /// Ends the operation; `text` is its result as shown in traces.
  void returns(std::string_view text = {}, source_location site = source_location::current());
  const runtime::moment& called() const noexcept { return called_; }
  const runtime::moment& returned() const noexcept { return returned_; }

 private:
  runtime::moment called_;
  runtime::moment returned_;
};

/// The present moment of the calling thread.
runtime::moment now_moment();
/// True when everything before `a` happens before everything after `b`. Valid within one execution.
bool happens_before(const runtime::moment& a, const runtime::moment& b);

}  // namespace heddle::sim
