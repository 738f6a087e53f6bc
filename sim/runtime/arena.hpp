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

struct Block {
  std::byte* memory = nullptr;
  std::size_t size = 0;
  const void* caller = nullptr;  ///< return address of operator new
  bool live = false;
};

enum class FreeResult { freed, already_free, not_a_block };

class Arena {
 public:
  static constexpr std::size_t region_bytes = std::size_t{256} << 20;

  explicit Arena(std::byte* region) noexcept : region_(region) {}

  /// nullptr when the region is full.
  void* allocate(std::size_t size, std::size_t alignment, const void* caller);
  FreeResult free(void* memory) noexcept;
  void reset() noexcept;

  std::size_t live_blocks() const noexcept { return live_; }
  const std::vector<Block>& blocks() const noexcept { return blocks_; }
  /// The block that holds the address, live or freed.
  const Block* find(const void* address) const noexcept;

 private:
  std::byte* region_;
  std::size_t used_ = 0;
  std::size_t live_ = 0;
  std::vector<Block> blocks_;
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
  bool contains(const void* address) const noexcept;
  /// The arena that owns the address, or nullptr.
  Arena* owner(const void* address) noexcept;
  void reset() noexcept;
  std::size_t live_blocks() const noexcept;
  std::size_t count() const noexcept { return arenas_.size(); }

 private:
  std::vector<std::byte*> ranges_;
  std::vector<Arena> arenas_;
};

/// What operator new and delete look at. Set while a model thread runs user code.
struct AllocationHook {
  Arena* arena = nullptr;      ///< null: the ordinary allocator
  ArenaSet* arenas = nullptr;  ///< of the engine of this OS thread
  void (*exhausted)(std::size_t size) = nullptr;
  void (*bad_free)(FreeResult result, void* memory) = nullptr;
};

inline thread_local constinit AllocationHook allocation_hook{};

/// Referenced by the engine so that the replaced operators are linked.
void link_allocation_hooks() noexcept;

}  // namespace heddle::sim::runtime
