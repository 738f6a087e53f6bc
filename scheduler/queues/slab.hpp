// Objects that are named by an index and never move or go away while the slab lives. Chunks double
// in size, so a handful of pointers reaches every index, and looking one up is two loads.
//
// Threads:    grow() by one thread at a time; at() and size() by any.
// Invariants: I1 an index below size() is constructed
//             I2 chunk k holds first << k objects, those from first * (2^k - 1) on
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
    for (unsigned chunk = 0; chunk < chunks_.size(); ++chunk) {
      if (T* const memory = chunks_[chunk].load(sync::memory_order_relaxed)) {
        ChunkMemory::release(memory, bytes_of(chunk), alignof(T));
      }
    }
  }

  /// Precondition: index < size(), seen by this thread or by one that handed the index over.
  T& at(std::uint32_t index) const {
    const unsigned chunk = chunk_of(index);
    // acquire: pairs with the release in grow(); whoever has the index has usually more than that.
    return chunks_[chunk].load(sync::memory_order_acquire)[index - first_of(chunk)];
  }

  std::uint32_t size() const { return size_.load(sync::memory_order_acquire); }

  /// Constructs one more object from its index. Throws: std::bad_alloc when full or out of memory.
  std::uint32_t grow() {
    const std::uint32_t index = size_.load(sync::memory_order_relaxed);
    if (index >= capacity_max) throw std::bad_alloc();
    const unsigned chunk = chunk_of(index);
    T* memory = chunks_[chunk].load(sync::memory_order_relaxed);
    if (memory == nullptr) {
      const std::size_t bytes = (std::size_t{first} << chunk) * sizeof(T);
      memory = static_cast<T*>(::operator new (bytes, std::align_val_t{alignof(T)}));
      // release: the chunk's memory before the pointer to it.
      chunks_[chunk].store(memory, sync::memory_order_release);
    }
    ::new (static_cast<void*>(memory + (index - first_of(chunk)))) T(index);
    // release: publishes the constructed object to size(), which looks up untrusted indices.
    size_.store(index + 1, sync::memory_order_release);
    return index;
  }

 private:
  static constexpr unsigned chunk_of(std::uint32_t index) noexcept {
    return static_cast<unsigned>(std::bit_width(index / first + 1)) - 1;
  }
  static constexpr std::size_t bytes_of(unsigned chunk) noexcept {
    return (std::size_t{first} << chunk) * sizeof(T);
  }
  static constexpr std::uint32_t first_of(unsigned chunk) noexcept {
    return first * ((std::uint32_t{1} << chunk) - 1);
  }

  std::array<sync::atomic<T*>, Limits::slab_chunks> chunks_{};
  sync::atomic<std::uint32_t> size_{0};
};

}  // namespace heddle::inline HEDDLE_ON
