// How much a sample has left to find: the chance that the next execution is one that was not seen,
// estimated by the share of executions that were seen exactly once.
//
// Memory:     bounded. When there are too many different executions, those whose fingerprint is odd
//             are forgotten, then those not divisible by four, and so on: the rest is a fair
//             sample.
// Source:     Good: The Population Frequencies of Species (Biometrika 1953), after Turing; for
//             testing: Böhme: STADS (TOSEM 2018).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace heddle::sim::engine {

class Saturation {
 public:
  explicit Saturation(std::size_t kept_max = std::size_t{1} << 20) : kept_max_(kept_max) {}

  void add(std::uint64_t fingerprint);
  /// Nothing before the first execution.
  std::optional<double> chance_of_new() const;

 private:
  bool kept(std::uint64_t fingerprint) const noexcept {
    return (fingerprint & ((std::uint64_t{1} << level_) - 1)) == 0;
  }
  void forget_half();

  std::size_t kept_max_;
  unsigned level_ = 0;
  std::uint64_t runs_ = 0;  // of the fingerprints that are kept
  std::uint64_t once_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> seen_;
};

}  // namespace heddle::sim::engine
