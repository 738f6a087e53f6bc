// The replaced operator new and delete. Inside of a model thread's user code memory comes from the
// thread's arena; everywhere else from malloc.

#include <cstdlib>
#include <new>

#include <heddle/sim/runtime/arena.hpp>

namespace heddle::sim::runtime {

void link_allocation_hooks() noexcept {}

namespace {

void* allocate(std::size_t size, std::size_t alignment, const void* caller) {
  AllocationHook& hook = allocation_hook;
  if (Arena* const arena = hook.arena; arena != nullptr) {
    if (hook.reuse) {
      if (Block* const freed = arena->take_freed(size, alignment)) {
        return hook.arenas->owner(freed)->revive(*freed, caller);
      }
    }
    void* const memory = arena->allocate(size, alignment, caller);
    if (memory == nullptr) hook.exhausted(size);
    return memory;
  }
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment, const void* caller) {
  void* const memory = allocate(size, alignment, caller);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  AllocationHook& hook = allocation_hook;
  if (hook.arenas != nullptr) {
    Arena* const owner = hook.arenas->owner(memory);
    if (owner != nullptr || hook.arenas->contains(memory)) {
      // Outside of user code nothing may touch an execution that is being abandoned.
      if (hook.arena == nullptr) return;
      const FreeResult result = owner != nullptr ? owner->free(memory) : FreeResult::not_a_block;
      if (result != FreeResult::freed) hook.bad_free(result, memory);
      if (hook.reuse) hook.arena->keep_freed(memory);
      return;
    }
  }
  std::free(memory);
}

}  // namespace

}  // namespace heddle::sim::runtime

namespace rt = heddle::sim::runtime;
constexpr std::size_t plain = alignof(std::max_align_t);

// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(std::size_t size) {
  return rt::allocate_or_throw(size, plain, __builtin_return_address(0));
}
void* operator new[](std::size_t size) {
  return rt::allocate_or_throw(size, plain, __builtin_return_address(0));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return rt::allocate_or_throw(size, static_cast<std::size_t>(alignment),
                               __builtin_return_address(0));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return rt::allocate_or_throw(size, static_cast<std::size_t>(alignment),
                               __builtin_return_address(0));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return rt::allocate(size, plain, __builtin_return_address(0));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return rt::allocate(size, plain, __builtin_return_address(0));
}
void operator delete(void* memory) noexcept { rt::release(memory); }
void operator delete[](void* memory) noexcept { rt::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { rt::release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { rt::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { rt::release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { rt::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { rt::release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  rt::release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { rt::release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { rt::release(memory); }
// NOLINTEND(misc-new-delete-overloads)
