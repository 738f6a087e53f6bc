#include <heddle/sim/runtime/stack_guard.hpp>

#include <ucontext.h>

#include <csignal>
#include <memory>
#include <mutex>

namespace heddle::sim::runtime {

namespace {

constexpr std::size_t signal_stack_bytes = 64 * 1024;
struct sigaction previous_action;

std::uintptr_t pattern_in_registers([[maybe_unused]] void* context) noexcept {
#if defined(__x86_64__)
  for (const greg_t value : static_cast<ucontext_t*>(context)->uc_mcontext.gregs) {
    const auto word = static_cast<std::uint64_t>(value);
    const std::uint64_t high = word >> 32;
    if (high == 0xa5a5'a5a5 || high == 0xdddd'dddd) return word;
  }
#endif
  return ~std::uintptr_t{0};
}

void on_fault(int signal, siginfo_t* info, void* context) {
  StackGuard* const guard = active_stack_guard;
  if (guard != nullptr && guard->is_overflow(guard->owner, info->si_addr)) {
    siglongjmp(guard->jump, StackGuard::overflow);
  }
  if (guard != nullptr && guard->in_user_code()) {
    guard->fault_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    // A pointer that no address can be (a pattern of unwritten or freed memory) is not reported by
    // the processor; it is in one of the registers.
    if (info->si_code == SI_KERNEL) guard->fault_address = pattern_in_registers(context);
    siglongjmp(guard->jump, StackGuard::wild_access);
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr) {
    previous_action.sa_sigaction(signal, info, context);
    return;
  }
  // Back to what it was: the faulting instruction runs again and has its usual end.
  sigaction(signal, &previous_action, nullptr);
}

// The signal stack of one OS thread, taken back when the thread ends.
class SignalStack {
 public:
  SignalStack() : memory_(std::make_unique<char[]>(signal_stack_bytes)) {
    stack_t stack{};
    stack.ss_sp = memory_.get();
    stack.ss_size = signal_stack_bytes;
    sigaltstack(&stack, &previous_);
  }
  ~SignalStack() { sigaltstack(&previous_, nullptr); }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  std::unique_ptr<char[]> memory_;
  stack_t previous_{};
};

}  // namespace

void prepare_stack_guard() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    // The handler is left by a jump, so the signal must not stay blocked.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_action);
  });
  thread_local const SignalStack stack;
}

}  // namespace heddle::sim::runtime
