// The word that thieves compete for: where the deque's top is, and how many items a thief may take
// from there at once; and the arithmetic of indices that wrap.
#pragma once

#include <cstddef>
#include <cstdint>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

/// The limits of a deque in production. A scenario passes its own, small ones.
struct deque_limits {
  /// Indices count modulo 2^index_bits. A thief that sleeps while exactly that many items are
  /// stolen, or popped as the last ones, would not notice (cases like B06): at a hundred million a
  /// second, 56 bits last 22 years.
  static constexpr unsigned index_bits = 56;
  static constexpr std::uint64_t first_index = 0;
  static constexpr std::size_t first_capacity = 256;
  static constexpr std::size_t batch_max = 32;  ///< most items that steal_half takes
};

template <class Limits>
struct deque_index {
  static constexpr unsigned bits = Limits::index_bits;
  static_assert(bits >= 2 && bits <= 56, "the word has 8 bits for the batch limit");
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

  static constexpr std::uint64_t plus(std::uint64_t index, std::uint64_t n) noexcept {
    return (index + n) & mask;
  }
  static constexpr std::uint64_t minus(std::uint64_t index, std::uint64_t n) noexcept {
    return (index - n) & mask;
  }
  /// left - right, for indices that are less than half of the range apart.
  static constexpr std::int64_t distance(std::uint64_t left, std::uint64_t right) noexcept {
    return static_cast<std::int64_t>((left - right) << (64 - bits)) >> (64 - bits);
  }
};

/// bits 8..63: top; bits 0..7: limit.
template <class Limits>
class deque_word {
 public:
  static_assert(Limits::batch_max >= 1 && Limits::batch_max <= 255);

  constexpr deque_word(std::uint64_t top, std::size_t limit) noexcept : bits_(top << 8 | limit) {}
  explicit constexpr deque_word(std::uint64_t bits) noexcept : bits_(bits) {}

  constexpr std::uint64_t top() const noexcept { return bits_ >> 8; }
  constexpr std::int64_t limit() const noexcept { return static_cast<std::int64_t>(bits_ & 0xff); }
  constexpr std::uint64_t bits() const noexcept { return bits_; }
  /// What an exchange of the word expects, and refreshes when it fails.
  constexpr std::uint64_t& expected() noexcept { return bits_; }

  /// After n items were taken. The limit starts anew, and any value is sound: top makes the word
  /// different in any case. Half of what is left is all that the next thief may want, and the lower
  /// the limit, the more items the owner pops without a CAS.
  constexpr deque_word taken(std::uint64_t n, std::int64_t limit = static_cast<std::int64_t>(
                                                  Limits::batch_max)) const noexcept {
    const auto most = static_cast<std::int64_t>(Limits::batch_max);
    return {deque_index<Limits>::plus(top(), n), static_cast<std::size_t>(limit < 1      ? 1
                                                                          : limit > most ? most
                                                                                         : limit)};
  }
  constexpr deque_word limited_to(std::int64_t lower) const noexcept {
    return {top(), static_cast<std::size_t>(lower)};
  }

 private:
  std::uint64_t bits_;
};

}  // namespace heddle::inline HEDDLE_ON
