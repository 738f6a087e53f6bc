// Memory of one execution. Every model thread allocates from a region of its own, so that its
// addresses depend only on what it did itself and are the same in every re-execution; dropping an
// execution is resetting a few numbers.
//
// Threads:    one OS thread. A block may be freed by another model thread than its owner.
// Invariants: A1 memory is not handed out twice in one execution
//             A2 freed and fresh memory is filled with a pattern, so that an object that was never
//                built there is recognised
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::sim::runtime {

/// Stands directly before the memory of every block.
struct Block {
  std::uint32_t magic;
  bool live;
  std::uint32_t distance;  ///< from the block before, in units of 16 bytes; 0: the first
  std::uint32_t ordinal;   ///< 1 is the first of its arena
  std::size_t size;
  /// Return address of operator new; once freed, in reuse mode, the block that was freed before.
  const void* caller;

  std::byte* memory() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* memory() const noexcept { return reinterpret_cast<const std::byte*>(this + 1); }
};
static_assert(sizeof(Block) % 16 == 0);

enum class FreeResult { freed, already_free, not_a_block };

class Arena {
 public:
  static constexpr std::size_t region_bits = 28;
  static constexpr std::size_t region_bytes = std::size_t{1} << region_bits;

  explicit Arena(std::byte* region) noexcept : region_(region) {}

  /// nullptr when the region is full.
  void* allocate(std::size_t size, std::size_t alignment, const void* caller) noexcept;
  FreeResult free(void* memory) noexcept;
  /// Memory that is no block: it is not freed and counts for nothing. nullptr: the region is full.
  void* allocate_for_ever(std::size_t size, std::size_t alignment) noexcept {
    const std::size_t offset = (used_ + alignment - 1) & ~(alignment - 1);
    if (offset > region_bytes || size > region_bytes - offset) return nullptr;
    used_ = offset + size;
    return region_ + offset;
  }
  void reset() noexcept {
    used_ = 0;
    live_ = 0;
    last_ = nullptr;
    freed_ = nullptr;
  }

  /// Reuse mode. A freed block goes to the thread that freed it, and comes back to that thread's
  /// next allocation of the same size: as early as can be, and as a matter of its own program
  /// order, so that addresses stay the same in every re-execution.
  void keep_freed(void* memory) noexcept;
  /// The block that was freed last by this thread and fits, or nullptr.
  Block* take_freed(std::size_t size, std::size_t alignment) noexcept;
  /// A block of this arena is in use again.
  void* revive(Block& block, const void* caller) noexcept;

  std::size_t live_blocks() const noexcept { return live_; }
  /// The block that was allocated last, freed or not.
  const Block* last() const noexcept { return last_; }
  /// The one before it, or nullptr.
  static const Block* before(const Block* block) noexcept {
    if (block->distance == 0) return nullptr;
    return reinterpret_cast<const Block*>(reinterpret_cast<const std::byte*>(block) -
                                          std::size_t{block->distance} * 16);
  }
  /// The block that holds the address, live or freed.
  const Block* find(const void* address) const noexcept;

 private:
  std::byte* region_;
  std::size_t used_ = 0;
  std::size_t live_ = 0;
  Block* last_ = nullptr;
  const void* freed_ =
      nullptr;  // reuse mode: the block freed by this arena's thread, the last one first
};

/// The arenas of all model threads of one engine.
class ArenaSet {
 public:
  static constexpr std::size_t arenas_per_range = 64;

  ArenaSet() = default;
  ~ArenaSet();
  ArenaSet(const ArenaSet&) = delete;
  ArenaSet& operator=(const ArenaSet&) = delete;

  Arena& of_thread(std::size_t thread);
  bool contains(const void* address) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (const std::byte* const range : ranges_) {
      if (at - reinterpret_cast<std::uintptr_t>(range) < arenas_per_range * Arena::region_bytes) {
        return true;
      }
    }
    return false;
  }
  /// The arena that owns the address, or nullptr.
  Arena* owner(const void* address) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const std::size_t slot =
          (at - reinterpret_cast<std::uintptr_t>(ranges_[i])) >> Arena::region_bits;
      if (slot >= arenas_per_range) continue;
      const std::size_t arena = i * arenas_per_range + slot;
      return arena < arenas_.size() ? &arenas_[arena] : nullptr;
    }
    return nullptr;
  }
  std::size_t live_blocks() const noexcept;

 private:
  std::vector<std::byte*> ranges_;
  std::vector<Arena> arenas_;
};

/// What operator new and delete look at. Set while a model thread runs user code.
struct AllocationHook {
  Arena* arena = nullptr;      ///< null: the ordinary allocator
  ArenaSet* arenas = nullptr;  ///< of the engine of this OS thread
  bool reuse = false;          ///< memory is handed out again, see sim::reuse_memory()
  void (*exhausted)(std::size_t size) = nullptr;
  void (*bad_free)(FreeResult result, void* memory) = nullptr;
};

inline thread_local constinit AllocationHook allocation_hook{};

/// Referenced by the engine so that the replaced operators are linked.
void link_allocation_hooks() noexcept;

}  // namespace heddle::sim::runtime
