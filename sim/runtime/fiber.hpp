// A model thread's stack and saved context.
//
// Threads:  a fiber runs on the OS thread that owns it. Stacks are mapped once, with guard pages
//           below, and used again for every execution: an abandoned fiber is not unwound, its stack
//           is simply started anew.
// Source:   Boost.Context's jump_fcontext; the class boost::context::fiber unwinds an abandoned
//           stack, which is just what must not happen here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::sim::runtime {

class Fiber {
 public:
  using Entry = void (*)(void* argument);

  Fiber() = default;
  explicit Fiber(std::size_t stack_bytes);
  ~Fiber();
  Fiber(Fiber&& other) noexcept;
  Fiber& operator=(Fiber&& other) noexcept;

  /// Makes the next switch to this fiber call entry(argument) on a fresh stack. entry must not
  /// return.
  void start(Entry entry, void* argument);

  /// Leaves the running context (saved into `from`) and goes on in `to`. Exception state moves
  /// with the contexts.
  static void switch_to(Fiber& from, Fiber& to);
  /// Leaves the running fiber for good.
  [[noreturn]] static void abandon_for(Fiber& to);

  /// After a jump out of a fiber to the context saved in `to`: its exception state is in force
  /// again.
  static void resumed_by_jump(Fiber& to);

  /// True when the address lies in the guard pages below the stack.
  bool is_overflow(const void* address) const noexcept;

 private:
  struct ExceptionState {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };
  friend struct FiberAccess;

  void* context_ = nullptr;
  ExceptionState exceptions_;
  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  void* fake_stack_ = nullptr;  // AddressSanitizer's
  const void* stack_bottom_ = nullptr;
  std::size_t stack_size_ = 0;
};

}  // namespace heddle::sim::runtime
