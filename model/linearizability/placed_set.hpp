// Which operations of a plan have taken their place: a bit set with an incremental hash and a
// short exact key. Required operations are numbered along the order, so that the set is a full
// prefix plus a window no wider than the concurrency of the history; the key leaves the prefix out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::model {

class PlacedSet {
 public:
  PlacedSet(std::size_t required, std::size_t total);

  void place(std::size_t number) noexcept;
  void remove(std::size_t number) noexcept;

  std::size_t required_left() const noexcept { return required_left_; }
  std::size_t hash() const noexcept { return hash_; }

  /// Equal sets have equal keys and different sets have different ones.
  std::vector<std::uint64_t> key() const;

 private:
  std::uint64_t& word_of(std::size_t number) noexcept;

  std::size_t required_;
  std::size_t required_left_;
  std::vector<std::uint64_t> required_words_;
  std::vector<std::uint64_t> optional_words_;
  std::size_t first_open_word_ = 0;  // all required words before it are full
  std::size_t end_word_ = 0;         // all required words from it on are empty
  std::size_t hash_ = 0;
};

/// Spreads the bits of a number over the whole word (the finaliser of splitmix64).
std::uint64_t spread_bits(std::uint64_t bits) noexcept;

}  // namespace heddle::model
