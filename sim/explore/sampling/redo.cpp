#include <heddle/sim/explore/sampling/redo.hpp>

#include <heddle/sim/explore/sampling/weak_reads.hpp>

namespace heddle::sim::engine {

using State = ModelThread::State;

ModelThread* Redo::pick(Execution& execution) {
  auto& threads = execution.threads();
  const std::size_t next = execution.graph().size();
  const graph::thread_id wanted =
      next < known_.size() ? known_[static_cast<event_id>(next)].thread : failed_;
  if (wanted < threads.size()) {
    ModelThread& thread = *threads[wanted];
    if (thread.state == State::spinning) execution.wake_spinner(thread);
    if (execution.can_go(thread) && (next < known_.size() || thread.state == State::runnable)) {
      return &thread;
    }
  }
  for (auto& thread : threads) {
    if (thread->state == State::runnable) return thread.get();
  }
  return nullptr;
}

void Redo::complete(Execution& execution, event_id id) {
  Graph& graph = execution.graph();
  Event& event = graph[id];
  if (id >= known_.size() || known_[id].kind != event.kind || known_[id].thread != event.thread) {
    execution.stop();
  }
  if (event.reads()) {
    execution.model().take_source(graph, id, known_[id].source);
    return;
  }
  if (event.kind == EventKind::choose) event.argument = known_[id].argument;
  write_last(execution, id);
}

}  // namespace heddle::sim::engine
