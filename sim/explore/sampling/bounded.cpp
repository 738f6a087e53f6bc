#include <heddle/sim/explore/sampling/bounded.hpp>

#include <algorithm>

namespace heddle::sim::engine {

bool Bounded::begin_run() {
  depth_ = 0;
  preemptions_ = 0;
  differs_ = false;
  resting_.clear();
  if (!started_) return started_ = true;
  while (!path_.empty() && path_.back().taken + 1 == path_.back().options) path_.pop_back();
  ended_ = path_.empty();
  if (!ended_) ++path_.back().taken;
  return !ended_;
}

std::uint32_t Bounded::decide(std::uint32_t options) {
  if (options == 1) return 0;
  if (depth_ == path_.size()) path_.push_back({0, options});
  const Decision& decision = path_[depth_++];
  differs_ = differs_ || decision.options != options;
  return std::min(decision.taken, options - 1);
}

void Bounded::spun(graph::thread_id thread) {
  if (thread >= resting_.size()) resting_.resize(thread + 1, false);
  resting_[thread] = true;
}

// To go on comes first; it is the only way when no preemption is left.
std::size_t Bounded::pick(const Situation& situation) {
  const auto& ready = situation.ready;
  order_.clear();
  for (std::size_t i = 0; i < ready.size(); ++i) {
    if (!rests(ready[i]->id)) order_.push_back(i);
  }
  if (order_.empty()) {
    for (std::size_t i = 0; i < ready.size(); ++i) order_.push_back(i);
  }
  const auto last = std::find_if(order_.begin(), order_.end(),
                                 [&](std::size_t i) { return ready[i] == situation.last; });
  const bool could_go_on = last != order_.end();
  if (could_go_on) {
    std::rotate(order_.begin(), last, last + 1);
    if (preemptions_ == bound_) order_.resize(1);
  }
  const std::uint32_t taken = decide(static_cast<std::uint32_t>(order_.size()));
  if (differs_) return differs;
  if (could_go_on && taken != 0) ++preemptions_;
  const ModelThread& goes = *ready[order_[taken]];
  if (goes.next.kind == EventKind::store || goes.next.kind == EventKind::rmw) resting_.clear();
  return order_[taken];
}

std::string Bounded::description() const {
  const std::string bound = "preemption bound " + std::to_string(bound_);
  return ended_ ? bound + ", every schedule within it was run" : bound + ", not run to its end";
}

}  // namespace heddle::sim::engine
