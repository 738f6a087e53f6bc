#include <heddle/model/linearizability/placed_set.hpp>

#include <algorithm>

namespace heddle::model {

std::uint64_t spread_bits(std::uint64_t bits) noexcept {
  bits += 0x9e3779b97f4a7c15ULL;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31);
}

PlacedSet::PlacedSet(std::size_t required, std::size_t total)
    : required_(required),
      required_left_(required),
      required_words_((required + 63) / 64, 0),
      optional_words_((total - required + 63) / 64, 0) {}

std::uint64_t& PlacedSet::word_of(std::size_t number) noexcept {
  return number < required_ ? required_words_[number / 64]
                            : optional_words_[(number - required_) / 64];
}

void PlacedSet::place(std::size_t number) noexcept {
  const std::size_t bit = number < required_ ? number : number - required_;
  word_of(number) |= std::uint64_t{1} << (bit % 64);
  hash_ ^= spread_bits(number);
  if (number >= required_) {
    return;
  }
  --required_left_;
  end_word_ = std::max(end_word_, number / 64 + 1);
  while (first_open_word_ < required_words_.size() &&
         required_words_[first_open_word_] == ~std::uint64_t{0}) {
    ++first_open_word_;
  }
}

void PlacedSet::remove(std::size_t number) noexcept {
  const std::size_t bit = number < required_ ? number : number - required_;
  word_of(number) &= ~(std::uint64_t{1} << (bit % 64));
  hash_ ^= spread_bits(number);
  if (number >= required_) {
    return;
  }
  ++required_left_;
  first_open_word_ = std::min(first_open_word_, number / 64);
  while (end_word_ > 0 && required_words_[end_word_ - 1] == 0) {
    --end_word_;
  }
}

std::vector<std::uint64_t> PlacedSet::key() const {
  const std::size_t window = end_word_ > first_open_word_ ? end_word_ - first_open_word_ : 0;
  std::vector<std::uint64_t> key;
  key.reserve(1 + window + optional_words_.size());
  key.push_back(first_open_word_);
  const auto first = required_words_.begin() + static_cast<std::ptrdiff_t>(first_open_word_);
  key.insert(key.end(), first, first + static_cast<std::ptrdiff_t>(window));
  key.insert(key.end(), optional_words_.begin(), optional_words_.end());
  return key;
}

}  // namespace heddle::model
