#include <heddle/sim/runtime/arena.hpp>

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace heddle::sim::runtime {

namespace {

constexpr std::uint32_t block_magic = 0x4b4c'4248;  // "HBLK"
constexpr int fresh_pattern = 0xa5;
constexpr int freed_pattern = 0xdd;

constexpr std::size_t range_bytes = ArenaSet::arenas_per_range * Arena::region_bytes;

// Address space for arenas, at the first free one of a row of fixed places: an execution has the
// same addresses in every process, so that one that is recorded here (and may order or hash by
// addresses) can be replayed there.
std::byte* map_range() {
  constexpr std::uintptr_t first_place = 0x2000'0000'0000;
  constexpr std::uintptr_t places = 1024;
  for (std::uintptr_t place = 0; place < places; ++place) {
    void* const wanted = reinterpret_cast<void*>(first_place + place * range_bytes);
    void* const memory =
        mmap(wanted, range_bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == wanted) return static_cast<std::byte*>(memory);
    if (memory != MAP_FAILED) munmap(memory, range_bytes);  // a kernel that does not know the flag
  }
  void* const anywhere = mmap(nullptr, range_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (anywhere == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(anywhere);
}

}  // namespace

void* Arena::allocate(std::size_t size, std::size_t alignment, const void* caller) noexcept {
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  std::size_t offset = used_ + sizeof(Block);
  // Blocks lie at multiples of 16, see Block::distance.
  offset = (offset + alignment - 1) & ~(alignment - 1);
  if (offset > region_bytes || size > region_bytes - offset) return nullptr;
  auto* const block = reinterpret_cast<Block*>(region_ + offset) - 1;
  const std::ptrdiff_t distance =
      last_ == nullptr ? 0
                       : reinterpret_cast<std::byte*>(block) - reinterpret_cast<std::byte*>(last_);
  *block = {block_magic,
            true,
            static_cast<std::uint32_t>(distance / 16),
            last_ == nullptr ? 1 : last_->ordinal + 1,
            size,
            caller};
  std::memset(block->memory(), fresh_pattern, size);
  ++live_;
  last_ = block;
  used_ = offset + size;
  return block->memory();
}

FreeResult Arena::free(void* memory) noexcept {
  auto* const byte = static_cast<std::byte*>(memory);
  if (byte < region_ + sizeof(Block) || byte > region_ + used_) return FreeResult::not_a_block;
  if (reinterpret_cast<std::uintptr_t>(byte) % 16 != 0) return FreeResult::not_a_block;
  Block& block = reinterpret_cast<Block*>(byte)[-1];
  if (block.magic != block_magic) return FreeResult::not_a_block;
  if (!block.live) return FreeResult::already_free;
  block.live = false;
  --live_;
  std::memset(memory, freed_pattern, block.size);
  return FreeResult::freed;
}

void Arena::keep_freed(void* memory) noexcept {
  Block& block = static_cast<Block*>(memory)[-1];
  block.caller = freed_;
  freed_ = &block;
}

Block* Arena::take_freed(std::size_t size, std::size_t alignment) noexcept {
  const void** link = &freed_;
  while (*link != nullptr) {
    auto* const block = static_cast<Block*>(const_cast<void*>(*link));
    if (block->size == size && reinterpret_cast<std::uintptr_t>(block->memory()) % alignment == 0) {
      *link = block->caller;
      return block;
    }
    link = &block->caller;
  }
  return nullptr;
}

void* Arena::revive(Block& block, const void* caller) noexcept {
  block.live = true;
  block.caller = caller;
  ++live_;
  std::memset(block.memory(), fresh_pattern, block.size);
  return block.memory();
}

const Block* Arena::find(const void* address) const noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  for (const Block* block = last_; block != nullptr; block = before(block)) {
    if (byte >= block->memory() && byte < block->memory() + block->size) return block;
  }
  return nullptr;
}

ArenaSet::~ArenaSet() {
  for (std::byte* const range : ranges_) munmap(range, range_bytes);
}

Arena& ArenaSet::of_thread(std::size_t thread) {
  while (thread >= arenas_.size()) {
    const std::size_t slot = arenas_.size() % arenas_per_range;
    if (slot == 0) ranges_.push_back(map_range());
    arenas_.emplace_back(ranges_.back() + slot * Arena::region_bytes);
  }
  return arenas_[thread];
}

std::size_t ArenaSet::live_blocks() const noexcept {
  std::size_t live = 0;
  for (const Arena& arena : arenas_) live += arena.live_blocks();
  return live;
}

}  // namespace heddle::sim::runtime
