#include <heddle/sim/runtime/fiber.hpp>

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define HEDDLE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEDDLE_ASAN 1
#endif
#endif
#ifdef HEDDLE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace heddle::sim::runtime {

namespace context = boost::context::detail;

namespace {

std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// Wide enough that a frame with a large array does not step over it.
constexpr std::size_t guard_bytes = 64 * 1024;

// The two words that __cxa_get_globals() points to (Itanium C++ ABI, 2.2.2): handlers that are
// active and exceptions in flight. They belong to a stack, so they move with it.
struct AbiGlobals {
  void* caught;
  unsigned uncaught;
};

AbiGlobals& abi_globals() noexcept {
  // One per OS thread, for as long as the thread lives.
  static thread_local constinit AbiGlobals* known = nullptr;
  if (known == nullptr) known = reinterpret_cast<AbiGlobals*>(abi::__cxa_get_globals());
  return *known;
}

}  // namespace

// Reaches the private parts of Fiber from the C entry point.
struct FiberAccess {
  static void arrive(context::transfer_t transfer) noexcept {
    auto* const from = static_cast<Fiber*>(transfer.data);
    if (from != nullptr) from->context_ = transfer.fctx;
  }

  static void finish_switch([[maybe_unused]] Fiber& self, [[maybe_unused]] Fiber* from) noexcept {
#ifdef HEDDLE_ASAN
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(self.fake_stack_, &bottom, &size);
    if (from != nullptr && from->stack_bottom_ == nullptr) {
      from->stack_bottom_ = bottom;  // the OS thread's own stack, learnt from the first switch
      from->stack_size_ = size;
    }
#endif
  }

  [[noreturn]] static void enter(context::transfer_t transfer) {
    arrive(transfer);
    Fiber& self = *started;
    finish_switch(self, static_cast<Fiber*>(transfer.data));
    self.entry_(self.argument_);
    std::abort();
  }

  static context::transfer_t jump(Fiber* from, Fiber& to) {
    AbiGlobals& globals = abi_globals();
    if (from != nullptr) from->exceptions_ = {globals.caught, globals.uncaught};
    globals = {to.exceptions_.caught, to.exceptions_.uncaught};
    started = &to;
#ifdef HEDDLE_ASAN
    __sanitizer_start_switch_fiber(from != nullptr ? &from->fake_stack_ : nullptr, to.stack_bottom_,
                                   to.stack_size_);
#endif
    return context::jump_fcontext(to.context_, from);
  }

  static thread_local Fiber* started;
};

thread_local Fiber* FiberAccess::started = nullptr;

Fiber::Fiber(std::size_t stack_bytes) {
  const std::size_t page = page_size();
  mapped_ = (stack_bytes + page - 1) / page * page + guard_bytes;
  void* const memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(memory);
  mprotect(mapping_, guard_bytes, PROT_NONE);
  stack_bottom_ = mapping_ + guard_bytes;
  stack_size_ = mapped_ - guard_bytes;
}

Fiber::~Fiber() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

Fiber::Fiber(Fiber&& other) noexcept
    : context_(other.context_),
      mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(other.mapped_),
      stack_bottom_(other.stack_bottom_),
      stack_size_(other.stack_size_) {}

Fiber& Fiber::operator=(Fiber&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(stack_bottom_, other.stack_bottom_);
  std::swap(stack_size_, other.stack_size_);
  return *this;
}

void Fiber::start(Entry entry, void* argument) {
  entry_ = entry;
  argument_ = argument;
  exceptions_ = {};
#ifdef HEDDLE_ASAN
  fake_stack_ = nullptr;
  __asan_unpoison_memory_region(stack_bottom_, stack_size_);
#endif
  context_ = context::make_fcontext(mapping_ + mapped_, mapped_ - guard_bytes,
                                    [](context::transfer_t t) { FiberAccess::enter(t); });
}

void Fiber::switch_to(Fiber& from, Fiber& to) {
  const context::transfer_t transfer = FiberAccess::jump(&from, to);
  FiberAccess::arrive(transfer);
  FiberAccess::finish_switch(from, static_cast<Fiber*>(transfer.data));
}

void Fiber::abandon_for(Fiber& to) {
  FiberAccess::jump(nullptr, to);
  std::abort();
}

void Fiber::resumed_by_jump(Fiber& to) {
  abi_globals() = {to.exceptions_.caught, to.exceptions_.uncaught};
  FiberAccess::finish_switch(to, nullptr);
}

bool Fiber::is_overflow(const void* address) const noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  return mapping_ != nullptr && byte >= mapping_ && byte < mapping_ + guard_bytes;
}

}  // namespace heddle::sim::runtime
