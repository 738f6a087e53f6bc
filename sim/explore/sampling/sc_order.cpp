#include <heddle/sim/explore/sampling/sc_order.hpp>

#include <algorithm>

namespace heddle::sim::engine {

void ScOrder::clear() {
  all_.clear();
  for (auto& thread : threads_) thread.clear();
}

void ScOrder::add(graph::event_id id, const graph::Event& event) {
  if (!graph::is_seq_cst(event.order)) return;
  if (event.thread >= threads_.size()) threads_.resize(event.thread + 1);
  threads_[event.thread].push_back({event.index, id});
  all_.push_back(id);
}

bool ScOrder::harmless(const graph::tick* clock, std::memory_order order,
                       graph::event_id overwriting) const noexcept {
  const auto between = std::lower_bound(all_.begin(), all_.end(), overwriting);
  if (between == all_.end()) return true;
  if (graph::is_seq_cst(order)) return false;
  for (graph::thread_id t = 0; t < threads_.size(); ++t) {
    const auto& entries = threads_[t];
    const auto after = std::partition_point(
        entries.begin(), entries.end(), [&](const Entry& entry) { return entry.index < clock[t]; });
    if (after != entries.begin() && std::prev(after)->id > *between) return false;
  }
  return true;
}

}  // namespace heddle::sim::engine
