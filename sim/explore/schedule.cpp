// Which model thread runs.

#include <heddle/sim/explore/execution.hpp>

namespace heddle::sim::engine {

using State = ModelThread::State;

void Execution::unblock(thread_id t) noexcept {
  if (t < live_threads_ && threads_[t]->state == State::stuck) threads_[t]->state = State::runnable;
}

// What the thread's next known event waits for: the thread that has to pass an event or end first.
thread_id Execution::unmet_dependency(const ModelThread& thread) const noexcept {
  if (thread.state == State::absent) {
    const event_id spawn = graph_->thread(thread.id).spawned_by;
    return spawn == graph::no_event ? nobody : (*graph_)[spawn].thread;
  }
  if (!replays(thread)) return nobody;
  const Event& next = (*graph_)[thread.known[thread.position]];
  if (next.source < graph::no_event) {
    const Event& source = (*graph_)[next.source];
    const bool passed =
        source.thread < live_threads_ && threads_[source.thread]->position > source.index;
    if (!passed) return source.thread;
  } else if (next.kind == EventKind::join) {
    if (threads_[next.argument]->state != State::finished) return next.argument;
  }
  return nobody;
}

// A thread that stopped may wait for another one, which may wait for a third: the row of them is
// kept, and the last one runs. A thread goes on only when what it waited for has come. Null: the
// body does not do what it did when the graph was made.
ModelThread* Execution::pick_replay() {
  if (waiting_.size() == 1) {
    ModelThread& last = *threads_[waiting_.front()];
    if (last.state == State::runnable && unmet_dependency(last) == nobody) {
      waiting_.clear();
      return &last;
    }
  }
  for (std::size_t hops = 0; hops <= 2 * threads_.size();) {
    if (waiting_.empty()) {
      for (thread_id t = 0; t < graph_->threads(); ++t) {
        if (t < threads_.size() && replays(*threads_[t])) {
          waiting_.push_back(t);
          break;
        }
      }
      if (waiting_.empty()) return nullptr;
    }
    ModelThread& last = *threads_[waiting_.back()];
    const thread_id other = unmet_dependency(last);
    if (other == nobody) {
      waiting_.pop_back();
      if (last.state == State::runnable) return &last;
      if (replays(last) || last.state == State::absent) return nullptr;
      continue;
    }
    if (!wait_behind(other)) return nullptr;
    ++hops;
  }
  return nullptr;  // they wait for each other
}

bool Execution::wait_behind(thread_id other) {
  if (other >= threads_.size()) return false;
  // A thread that stopped before an operation that is not in the graph, or has ended, is not the
  // one that was recorded.
  const State state = threads_[other]->state;
  if (state != State::runnable && state != State::absent) return false;
  std::erase(waiting_, other);  // what it waited for there has come
  waiting_.push_back(other);
  return true;
}

// A replaying thread stops until `other` has passed what its next event needs.
void Execution::wait_for(thread_id other) {
  ModelThread& self = *current_;
  if (!waiting_.empty()) std::erase(waiting_, self.id);
  waiting_.push_back(self.id);
  // The usual case: the other one has not been waited for and may go.
  if (waiting_.size() == 1 && other < threads_.size()) {
    ModelThread& next = *threads_[other];
    if (next.state == State::runnable && (!next.entered || unmet_dependency(next) == nobody)) {
      switch_to(self, next);
      return;
    }
  }
  ModelThread* next = wait_behind(other) ? pick_replay() : nullptr;
  if (next == nullptr) next = &end_of_threads();
  if (next != &self) switch_to(self, *next);
}

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
  ModelThread* next = replaying_ > 0 ? pick_replay() : driver_->pick(*this);
  if (next == nullptr) next = &end_of_threads();
  if (next == &self) return;
  switch_to(self, *next);
}

}  // namespace heddle::sim::engine
