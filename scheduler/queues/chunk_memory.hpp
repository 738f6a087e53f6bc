// Memory for a slab's chunk. Large chunks ask for huge pages: a million control blocks then cost
// 64 page faults in place of 32,000.
#pragma once

#include <cstddef>
#include <new>

#include <heddle/scheduler/sync/sync.hpp>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace heddle::inline HEDDLE_ON {

class ChunkMemory {
 public:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;

  /// Throws: std::bad_alloc.
  static void* allocate(std::size_t bytes, std::size_t alignment) {
    void* const memory = ::operator new (bytes, std::align_val_t{alignment_for(bytes, alignment)});
#if defined(__linux__)
    // A wish: without huge pages it works as well.
    if (is_large(bytes)) (void)::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
  }
  static void release(void* memory, std::size_t bytes, std::size_t alignment) {
    ::operator delete (memory, std::align_val_t{alignment_for(bytes, alignment)});
  }

 private:
  static constexpr bool is_large(std::size_t bytes) noexcept {
    return !sync::limits_are_small && bytes >= 2 * huge_page;
  }
  static constexpr std::size_t alignment_for(std::size_t bytes, std::size_t alignment) noexcept {
    return is_large(bytes) ? huge_page : alignment;
  }
};

}  // namespace heddle::inline HEDDLE_ON
