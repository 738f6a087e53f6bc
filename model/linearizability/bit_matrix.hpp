// A square relation over 0..n-1, one bit per pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::model {

class BitMatrix {
 public:
  explicit BitMatrix(std::size_t size);

  std::size_t size() const noexcept { return size_; }
  bool test(std::size_t row, std::size_t column) const noexcept {
    return (words_[row * words_per_row_ + column / 64] >> (column % 64) & 1U) != 0;
  }
  void set(std::size_t row, std::size_t column) noexcept {
    words_[row * words_per_row_ + column / 64] |= std::uint64_t{1} << (column % 64);
  }

  /// Adds (a, c) wherever (a, b) and (b, c) are there, until nothing is missing.
  /// Complexity: size() squared row operations (Warshall).
  void close_transitively() noexcept;

  /// The smallest a with (a, a), if any: of a closed relation, an element that lies on a cycle.
  std::optional<std::size_t> reflexive_element() const noexcept;

 private:
  std::size_t size_;
  std::size_t words_per_row_;
  std::vector<std::uint64_t> words_;
};

}  // namespace heddle::model
