#include <heddle/sim/runtime/arena.hpp>

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace heddle::sim::runtime {

namespace {

constexpr std::uint32_t block_magic = 0x4b4c'4248;  // "HBLK"
constexpr int fresh_pattern = 0xa5;
constexpr int freed_pattern = 0xdd;

// Stands directly before every block.
struct Header {
  std::uint32_t magic;
  std::uint32_t index;
  std::uint64_t unused;
};
static_assert(sizeof(Header) == 16);

}  // namespace

void* Arena::allocate(std::size_t size, std::size_t alignment, const void* caller) {
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  std::size_t offset = used_ + sizeof(Header);
  offset = (offset + alignment - 1) / alignment * alignment;
  if (offset > region_bytes || size > region_bytes - offset) return nullptr;
  std::byte* const memory = region_ + offset;
  const Header header{block_magic, static_cast<std::uint32_t>(blocks_.size()), 0};
  std::memcpy(memory - sizeof(Header), &header, sizeof(Header));
  std::memset(memory, fresh_pattern, size);
  blocks_.push_back({memory, size, caller, true});
  ++live_;
  used_ = offset + size;
  return memory;
}

FreeResult Arena::free(void* memory) noexcept {
  const auto* const byte = static_cast<const std::byte*>(memory);
  if (byte < region_ + sizeof(Header)) return FreeResult::not_a_block;
  Header header;
  std::memcpy(&header, byte - sizeof(Header), sizeof(Header));
  if (header.magic != block_magic || header.index >= blocks_.size()) return FreeResult::not_a_block;
  Block& block = blocks_[header.index];
  if (block.memory != memory) return FreeResult::not_a_block;
  if (!block.live) return FreeResult::already_free;
  block.live = false;
  --live_;
  std::memset(memory, freed_pattern, block.size);
  return FreeResult::freed;
}

void Arena::reset() noexcept {
  used_ = 0;
  live_ = 0;
  blocks_.clear();
}

const Block* Arena::find(const void* address) const noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  for (const Block& block : blocks_) {
    if (byte >= block.memory && byte < block.memory + block.size) return &block;
  }
  return nullptr;
}

ArenaSet::~ArenaSet() {
  for (std::byte* const range : ranges_) munmap(range, arenas_per_range * Arena::region_bytes);
}

Arena& ArenaSet::of_thread(std::size_t thread) {
  while (thread >= arenas_.size()) {
    const std::size_t slot = arenas_.size() % arenas_per_range;
    if (slot == 0) {
      void* const memory =
          mmap(nullptr, arenas_per_range * Arena::region_bytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) throw std::bad_alloc();
      ranges_.push_back(static_cast<std::byte*>(memory));
    }
    arenas_.emplace_back(ranges_.back() + slot * Arena::region_bytes);
  }
  return arenas_[thread];
}

bool ArenaSet::contains(const void* address) const noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  for (const std::byte* const range : ranges_) {
    if (byte >= range && byte < range + arenas_per_range * Arena::region_bytes) return true;
  }
  return false;
}

Arena* ArenaSet::owner(const void* address) noexcept {
  const auto* const byte = static_cast<const std::byte*>(address);
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    if (byte < ranges_[i] || byte >= ranges_[i] + arenas_per_range * Arena::region_bytes) continue;
    const std::size_t arena =
        i * arenas_per_range + static_cast<std::size_t>(byte - ranges_[i]) / Arena::region_bytes;
    return arena < arenas_.size() ? &arenas_[arena] : nullptr;
  }
  return nullptr;
}

void ArenaSet::reset() noexcept {
  for (Arena& arena : arenas_) arena.reset();
}

std::size_t ArenaSet::live_blocks() const noexcept {
  std::size_t live = 0;
  for (const Arena& arena : arenas_) live += arena.live_blocks();
  return live;
}

}  // namespace heddle::sim::runtime
