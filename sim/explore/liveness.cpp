// Why threads that cannot go on cannot: because another branch of the search lets them (the
// execution is blocked, nothing is wrong), or because nothing ever will.

#include <string>

#include <heddle/sim/explore/describe.hpp>
#include <heddle/sim/explore/execution.hpp>

namespace heddle::sim::engine {

using State = ModelThread::State;

namespace {

const char* words_for(runtime::wait_reason reason) noexcept {
  switch (reason) {
    case runtime::wait_reason::mutex:
      return "a mutex that is never unlocked";
    case runtime::wait_reason::condition_variable:
      return "a condition_variable that nobody notifies any more (lost wakeup)";
    case runtime::wait_reason::atomic_wait:
      return "a notification of an atomic that never comes (lost wakeup)";
    case runtime::wait_reason::park:
      return "an unpark that never comes (lost wakeup)";
    default:
      return "a value that nobody will write";
  }
}

}  // namespace

// True when a write that is already there would satisfy the await: the branch that reads it exists.
bool Execution::may_still_be_satisfied(const Event& await) const {
  const Graph& graph = *graph_;
  const auto& co = graph.location(await.location).co;
  const std::uint32_t oldest =
      memory::oldest_visible(graph, await.location, memory::hb_before(graph, await));
  for (std::uint32_t position = oldest; position <= co.size(); ++position) {
    const event_id write = graph.write_at(await.location, position);
    if (!await.predicate.holds(graph.value_of(write, await.location))) continue;
    if (await.kind == EventKind::rmw && position < co.size()) {
      const Event& next = graph[co[position]];
      if (next.kind == EventKind::rmw && next.source == write) continue;  // taken by another
    }
    return true;
  }
  return false;
}

void Execution::classify_stuck() {
  std::string story;
  bool waiting = false;
  const ModelThread* witness = nullptr;
  const auto tell = [&story](const ModelThread& t, const std::string& what) {
    if (!story.empty()) story += "; ";
    story += "thread " + std::to_string(t.id) + " " + what;
  };
  const auto at = [](source_location site) {
    return " at " + source_name(site.file_name()) + ":" + std::to_string(site.line());
  };
  bool lost = false;
  for (std::size_t i = 0; i < live_threads_; ++i) {
    const ModelThread& t = *threads_[i];
    if (t.state == State::stuck) {
      const Event& await = (*graph_)[graph_->thread(t.id).events[t.position - 1]];
      // Time ends a timed wait: that branch is explored beside this one.
      if (await.reason == runtime::wait_reason::timed || may_still_be_satisfied(await)) {
        end_run(RunEnd::blocked);
      }
      waiting = true;
      lost = lost || await.reason == runtime::wait_reason::condition_variable ||
             await.reason == runtime::wait_reason::park ||
             await.reason == runtime::wait_reason::atomic_wait;
      witness = &t;
      failure_.site = await.site;
      tell(t, "waits for " + std::string(words_for(await.reason)) + at(await.site));
    } else if (t.state == State::spinning) {
      for (std::uint32_t e = t.iteration; e < t.position; ++e) {
        const Event& read = (*graph_)[graph_->thread(t.id).events[e]];
        if (!read.reads()) continue;
        if (read.source != graph_->co_maximal(read.location)) end_run(RunEnd::blocked);
      }
      if (witness == nullptr) {
        witness = &t;
        failure_.site = t.hint_site;
      }
      tell(t, "spins for ever" + at(t.hint_site) + ": everything it reads is already the newest");
    } else if (t.state == State::pending && t.next.kind == EventKind::join) {
      tell(t, "joins thread " + std::to_string(t.next.argument) + at(t.next.site));
    }
  }
  if (witness == nullptr) end_run(RunEnd::blocked);
  current_ = threads_[witness->id].get();
  fail(waiting ? FailureKind::deadlock : FailureKind::livelock,
       std::string(waiting ? (lost ? "lost wakeup: " : "deadlock: ") : "livelock: ") + story,
       source_location(failure_.site));
}

}  // namespace heddle::sim::engine
