#include <heddle/sim/explore/sampling/pct.hpp>

#include <algorithm>

namespace heddle::sim::engine {

bool Pct::begin_run() {
  ++run_;
  steps_ = 0;
  lowest_ = 0;
  tail_ = run_ == 1 ? 0 : std::max(tail_min, tail_factor * steps_max_);
  draw_change_points();
  return true;
}

// Without replacement; all of them when there are fewer steps than change points.
void Pct::draw_change_points() {
  change_points_.clear();
  const std::uint64_t count = std::min<std::uint64_t>(depth_ - 1, steps_max_);
  while (change_points_.size() < count) {
    const std::uint64_t step = 1 + below(schedule(), steps_max_);
    if (std::find(change_points_.begin(), change_points_.end(), step) == change_points_.end()) {
      change_points_.push_back(step);
    }
  }
}

std::int64_t& Pct::priority(graph::thread_id thread) {
  if (thread >= priorities_.size()) priorities_.resize(thread + 1);
  Priority& found = priorities_[thread];
  if (found.run != run_) {
    std::uniform_int_distribution<std::int64_t> initial(depth_, std::int64_t{1} << 62);
    found = {run_, initial(schedule())};
  }
  return found.value;
}

std::size_t Pct::highest(const std::vector<ModelThread*>& ready) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < ready.size(); ++i) {
    if (priority(ready[i]->id) > priority(ready[best]->id)) best = i;
  }
  return best;
}

std::size_t Pct::pick(const Situation& situation) {
  if (situation.ready.size() == 1) return 0;
  ++steps_;
  if (steps_ > tail_) return below(schedule(), situation.ready.size());
  const std::size_t chosen = highest(situation.ready);
  const auto point = std::find(change_points_.begin(), change_points_.end(), steps_);
  if (point == change_points_.end()) return chosen;
  priority(situation.ready[chosen]->id) = 1 + (point - change_points_.begin());
  return highest(situation.ready);
}

void Pct::spun(graph::thread_id thread) { priority(thread) = --lowest_; }

// A run with a tail says how long spinning took, not how long the program is.
void Pct::end_run() {
  if (run_ == 1 || steps_ <= tail_) steps_max_ = std::max(steps_max_, steps_);
}

std::string Pct::description() const {
  return "pct of depth " + std::to_string(depth_) + " (at most " + std::to_string(steps_max_) +
         " steps with a choice)";
}

}  // namespace heddle::sim::engine
