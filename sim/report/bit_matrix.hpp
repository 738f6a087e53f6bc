// A relation on the numbers below `size` as rows of bits, with what relations are combined by.
// Memory: size² bits. Threads: none of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::sim::report {

class BitMatrix {
 public:
  explicit BitMatrix(std::size_t size)
      : size_(size), words_((size + 63) / 64), bits_(size * words_) {}

  std::size_t size() const noexcept { return size_; }
  void set(std::size_t from, std::size_t to) noexcept {
    bits_[from * words_ + to / 64] |= std::uint64_t{1} << (to % 64);
  }
  bool operator()(std::size_t from, std::size_t to) const noexcept {
    return ((bits_[from * words_ + to / 64] >> (to % 64)) & 1) != 0;
  }

  BitMatrix& operator|=(const BitMatrix& other) noexcept {
    for (std::size_t at = 0; at < bits_.size(); ++at) bits_[at] |= other.bits_[at];
    return *this;
  }

  /// Relational composition: a to c when a is related to some b here and b to c in `other`.
  /// O(size³ / 64).
  BitMatrix then(const BitMatrix& other) const {
    BitMatrix result(size_);
    for (std::size_t from = 0; from < size_; ++from) {
      for (std::size_t middle = 0; middle < size_; ++middle) {
        if ((*this)(from, middle)) result.add_row(from, other, middle);
      }
    }
    return result;
  }

  /// Makes it transitive (Warshall). O(size³ / 64).
  void close() noexcept {
    for (std::size_t middle = 0; middle < size_; ++middle) {
      for (std::size_t from = 0; from < size_; ++from) {
        if ((*this)(from, middle)) add_row(from, *this, middle);
      }
    }
  }

  bool acyclic() const {
    BitMatrix closed = *this;
    closed.close();
    for (std::size_t at = 0; at < size_; ++at) {
      if (closed(at, at)) return false;
    }
    return true;
  }

 private:
  void add_row(std::size_t to, const BitMatrix& other, std::size_t row) noexcept {
    for (std::size_t word = 0; word < words_; ++word) {
      bits_[to * words_ + word] |= other.bits_[row * words_ + word];
    }
  }

  std::size_t size_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace heddle::sim::report
