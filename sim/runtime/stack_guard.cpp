#include <heddle/sim/runtime/stack_guard.hpp>

#include <csignal>
#include <memory>
#include <mutex>

namespace heddle::sim::runtime {

namespace {

constexpr std::size_t signal_stack_bytes = 64 * 1024;
struct sigaction previous_action;

void on_fault(int signal, siginfo_t* info, void* context) {
  StackGuard* const guard = active_stack_guard;
  if (guard != nullptr && guard->is_overflow(guard->owner, info->si_addr)) {
    siglongjmp(guard->jump, 1);
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
