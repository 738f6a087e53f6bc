#include <heddle/sim/explore/sampling/saturation.hpp>

namespace heddle::sim::engine {

void Saturation::add(std::uint64_t fingerprint) {
  if (!kept(fingerprint)) return;
  const std::uint32_t times = ++seen_[fingerprint];
  ++runs_;
  if (times == 1) ++once_;
  if (times == 2) --once_;
  while (seen_.size() > kept_max_) forget_half();
}

void Saturation::forget_half() {
  ++level_;
  for (auto one = seen_.begin(); one != seen_.end();) {
    if (kept(one->first)) {
      ++one;
      continue;
    }
    runs_ -= one->second;
    if (one->second == 1) --once_;
    one = seen_.erase(one);
  }
}

std::optional<double> Saturation::chance_of_new() const {
  if (runs_ == 0) return std::nullopt;
  return static_cast<double>(once_) / static_cast<double>(runs_);
}

}  // namespace heddle::sim::engine
