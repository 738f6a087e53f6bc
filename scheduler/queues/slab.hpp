// Objects that are named by an index and never move or go away while the slab lives. Chunks double
// in size, so a handful of pointers reaches every index, and looking one up is two loads.
//
// Threads:    grow() by one thread at a time; at() and size() by any.
// Invariants: I1 an index below size() is constructed
//             I2 chunk k holds first << k objects, those from first * (2^k - 1) on; its entry is
//             the
//                address that index 0 would have if the chunk went down so far, so that finding an
//                object takes no subtraction
// Progress:   at() and size() wait-free.
// Memory:     fresh chunks are reserved, not touched: pages are used as objects are made.
// Checked by: properties/queues/pool_scenarios.cpp, properties/queues/pool_std_test.cpp
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include <heddle/scheduler/limits.hpp>
#include <heddle/scheduler/queues/chunk_memory.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

template <class T, class Limits = DefaultLimits>
class Slab {
  static constexpr std::uint32_t first = Limits::slab_first_chunk;
  static_assert(std::has_single_bit(first));

 public:
  static constexpr std::uint64_t capacity_max =
      std::uint64_t{first} * ((std::uint64_t{1} << Limits::slab_chunks) - 1);

  Slab() = default;
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab() {
    for (std::uint32_t i = 0; i < size_.load(sync::memory_order_relaxed); ++i) at(i).~T();
    for (unsigned chunk = 0; chunk < made_.read(); ++chunk) {
      const std::uintptr_t origin = chunks_[chunk].load(sync::memory_order_relaxed);
      ChunkMemory::release(address(origin, first_of(chunk)), bytes_of(chunk), alignof(T));
    }
  }

  /// Precondition: index < size(), seen by this thread or by one that handed the index over.
  T& at(std::uint32_t index) const {
    // relaxed: the chunk came before the size that covers the index, and with it.
    return *address(chunks_[chunk_of(index)].load(sync::memory_order_relaxed), index);
  }

  std::uint32_t size() const { return size_.load(sync::memory_order_acquire); }

  /// Constructs one more object from its index. Throws: std::bad_alloc when full or out of memory.
  std::uint32_t grow() {
    const std::uint32_t index = size_.load(sync::memory_order_relaxed);
    if (index >= capacity_max) throw std::bad_alloc();
    const unsigned chunk = chunk_of(index);
    if (chunk == made_.read()) {
      void* const memory = ChunkMemory::allocate(bytes_of(chunk), alignof(T));
      // May wrap below zero, and is back when an index is added.
      chunks_[chunk].store(
          reinterpret_cast<std::uintptr_t>(memory) - std::size_t{first_of(chunk)} * sizeof(T),
          sync::memory_order_relaxed);
      made_.write(chunk + 1);
    }
    const std::uintptr_t origin = chunks_[chunk].load(sync::memory_order_relaxed);
    ::new (static_cast<void*>(address(origin, index))) T(index);
    // release: publishes the constructed object, and its chunk, to size(), which looks up untrusted
    // indices.
    size_.store(index + 1, sync::memory_order_release);
    return index;
  }

 private:
  static constexpr unsigned chunk_of(std::uint32_t index) noexcept {
    return static_cast<unsigned>(std::bit_width(index / first + 1)) - 1;
  }
  static T* address(std::uintptr_t origin, std::uint32_t index) noexcept {
    return reinterpret_cast<T*>(origin + std::size_t{index} * sizeof(T));
  }
  static constexpr std::size_t bytes_of(unsigned chunk) noexcept {
    return (std::size_t{first} << chunk) * sizeof(T);
  }
  static constexpr std::uint32_t first_of(unsigned chunk) noexcept {
    return first * ((std::uint32_t{1} << chunk) - 1);
  }

  std::array<sync::atomic<std::uintptr_t>, Limits::slab_chunks> chunks_{};
  sync::cell<unsigned> made_{0};  // chunks; of whoever may grow
  sync::atomic<std::uint32_t> size_{0};
};

}  // namespace heddle::inline HEDDLE_ON
