#include <heddle/sim/graph/clock.hpp>

namespace heddle::sim::graph {

void ClockRows::reserve_threads(std::size_t count, std::size_t events) {
  if (count <= width_) return;
  const std::size_t old_width = width_;
  std::size_t new_width = old_width;
  while (new_width < count) new_width *= 2;
  std::vector<tick> wider(std::max<std::size_t>(events, 16) * rows * new_width, 0);
  for (std::size_t block = 0; block < events * rows; ++block) {
    const tick* in = data_.data() + block * old_width;
    std::copy(in, in + old_width, wider.data() + block * new_width);
  }
  data_ = std::move(wider);
  adopt_width(new_width);
}

}  // namespace heddle::sim::graph
