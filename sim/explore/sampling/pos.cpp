#include <heddle/sim/explore/sampling/pos.hpp>

namespace heddle::sim::engine {

bool race(const Event& a, const Event& b) noexcept {
  if (!a.accesses() || !b.accesses() || a.location != b.location) return false;
  return a.kind != EventKind::load || b.kind != EventKind::load;
}

bool Pos::begin_run() {
  ++run_;
  return true;
}

Pos::Priority& Pos::slot(graph::thread_id thread) {
  if (thread >= priorities_.size()) priorities_.resize(thread + 1);
  return priorities_[thread];
}

std::uint64_t Pos::priority(const ModelThread& thread) {
  Priority& known = slot(thread.id);
  if (known.run != run_ || known.position != thread.position) {
    known = {run_, thread.position, schedule()()};
  }
  return known.value;
}

std::size_t Pos::pick(const Situation& situation) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < situation.ready.size(); ++i) {
    if (priority(*situation.ready[i]) > priority(*situation.ready[best])) best = i;
  }
  const ModelThread& goes = *situation.ready[best];
  for (const ModelThread* other : situation.pending) {
    if (other != &goes && race(goes.next, other->next)) slot(other->id).run = 0;
  }
  return best;
}

}  // namespace heddle::sim::engine
