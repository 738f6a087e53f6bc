#include <heddle/model/linearizability/bit_matrix.hpp>

namespace heddle::model {

BitMatrix::BitMatrix(std::size_t size)
    : size_(size), words_per_row_((size + 63) / 64), words_(size * words_per_row_, 0) {}

void BitMatrix::close_transitively() noexcept {
  for (std::size_t middle = 0; middle < size_; ++middle) {
    const std::uint64_t* const reached = &words_[middle * words_per_row_];
    for (std::size_t from = 0; from < size_; ++from) {
      if (from == middle || !test(from, middle)) {
        continue;
      }
      std::uint64_t* const row = &words_[from * words_per_row_];
      for (std::size_t word = 0; word < words_per_row_; ++word) {
        row[word] |= reached[word];
      }
    }
  }
}

std::optional<std::size_t> BitMatrix::reflexive_element() const noexcept {
  for (std::size_t element = 0; element < size_; ++element) {
    if (test(element, element)) {
      return element;
    }
  }
  return std::nullopt;
}

}  // namespace heddle::model
