#include <heddle/sim/explore/sampling/store_history.hpp>

#include <algorithm>

namespace heddle::sim::engine {

void StoreHistory::clear() {
  for (const graph::location_id x : touched_) {
    for (auto& entries : locations_[x]) entries.clear();
  }
  touched_.clear();
}

void StoreHistory::add(const graph::Event& access, std::uint32_t position, std::uint32_t newest) {
  if (access.location >= locations_.size()) locations_.resize(access.location + 1);
  PerThread& threads = locations_[access.location];
  if (access.thread >= threads.size()) threads.resize(access.thread + 1);
  auto& entries = threads[access.thread];
  if (!entries.empty() && entries.back().position >= position) return;
  if (entries.empty()) touched_.push_back(access.location);
  if (entries.size() >= 2 * depth) {
    const auto offered = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return entry.position + depth > newest;
    });
    entries.erase(entries.begin(), offered);
  }
  entries.push_back({access.index, position});
}

std::uint32_t StoreHistory::oldest(graph::location_id location, const graph::tick* clock,
                                   std::uint32_t newest) const noexcept {
  std::uint32_t found = newest >= depth ? newest - depth + 1 : 0;
  if (location >= locations_.size()) return found;
  const PerThread& threads = locations_[location];
  for (graph::thread_id t = 0; t < threads.size(); ++t) {
    const auto& entries = threads[t];
    const auto after = std::partition_point(
        entries.begin(), entries.end(), [&](const Entry& entry) { return entry.index < clock[t]; });
    if (after != entries.begin()) found = std::max(found, std::prev(after)->position);
  }
  return found;
}

}  // namespace heddle::sim::engine
