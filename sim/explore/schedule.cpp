// Which model thread runs.

#include <heddle/sim/explore/execution.hpp>

namespace heddle::sim::engine {

using State = ModelThread::State;

bool Execution::can_go(const ModelThread& thread) const noexcept {
  if (thread.state == State::runnable) return true;
  if (thread.state != State::pending) return false;
  if (thread.next.kind != EventKind::join) return true;
  return threads_[thread.next.argument]->state == State::finished;
}

void Execution::unblock(thread_id t) noexcept {
  if (t < live_threads_ && threads_[t]->state == State::stuck) threads_[t]->state = State::runnable;
}

// What the thread's next known event waits for: the thread that has to pass an event or end first.
std::optional<thread_id> Execution::unmet_dependency(const ModelThread& thread) const noexcept {
  if (thread.state == State::absent) {
    const event_id spawn = graph_->thread(thread.id).spawned_by;
    return spawn == graph::no_event ? std::nullopt
                                    : std::optional<thread_id>((*graph_)[spawn].thread);
  }
  if (!replays(thread)) return std::nullopt;
  const Event& next = (*graph_)[graph_->thread(thread.id).events[thread.position]];
  if (next.kind == EventKind::join) {
    if (threads_[next.argument]->state != State::finished) return next.argument;
  } else if (next.reads() && next.source < graph::no_event) {
    const Event& source = (*graph_)[next.source];
    const bool passed =
        source.thread < live_threads_ && threads_[source.thread]->position > source.index;
    if (!passed) return source.thread;
  }
  return std::nullopt;
}

ModelThread* Execution::pick_replay() {
  const auto chase = [this](thread_id start) -> ModelThread* {
    thread_id t = start;
    for (std::size_t hops = 0; hops <= graph_->threads(); ++hops) {
      if (t >= threads_.size() || threads_[t]->state == State::absent) {
        const event_id spawn =
            t < graph_->threads() ? graph_->thread(t).spawned_by : graph::no_event;
        if (spawn == graph::no_event) return nullptr;
        t = (*graph_)[spawn].thread;
        continue;
      }
      const std::optional<thread_id> other = unmet_dependency(*threads_[t]);
      if (!other) return threads_[t].get();
      t = *other;
    }
    return nullptr;
  };
  for (thread_id t = 0; t < graph_->threads(); ++t) {
    const std::size_t known = graph_->thread(t).events.size();
    if (known == 0 || (t < live_threads_ && threads_[t]->position == known)) continue;
    ModelThread* const found = chase(t);
    if (found == nullptr) return nullptr;
    // A thread that should go on but stopped before an operation that is not in the graph, or
    // has ended, is not the one that was recorded.
    const bool goes = found->state == State::runnable;
    return goes ? found : nullptr;
  }
  return nullptr;
}

ModelThread* Execution::pick() { return replay_left_ > 0 ? pick_replay() : driver_->pick(*this); }

void Execution::switch_to(ModelThread& self, ModelThread& next) {
  current_ = &next;
  if (!next.entered) {
    next.entered = true;
    next.fiber.start(enter_thread, &next);
  }
  if (self.state == State::finished) runtime::Fiber::abandon_for(next.fiber);
  runtime::Fiber::switch_to(self.fiber, next.fiber);
}

// Gives way until this thread is picked.
void Execution::schedule(ModelThread& self) {
  ModelThread* next = pick();
  if (next == nullptr) next = &end_of_threads();
  if (next == &self) return;
  switch_to(self, *next);
}

}  // namespace heddle::sim::engine
