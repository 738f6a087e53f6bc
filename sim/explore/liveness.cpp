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
// Coherence narrows the choice; whether the rest of the model agrees is tried on a copy, as it is
// only asked once per stuck execution.
bool Execution::may_still_be_satisfied(event_id id) const {
  const Event& await = (*graph_)[id];
  const auto& co = graph_->location(await.location).co;
  const std::uint32_t oldest =
      memory::oldest_visible(*graph_, await.location, memory::hb_before(*graph_, await));
  for (std::uint32_t position = oldest; position <= co.size(); ++position) {
    const event_id write = graph_->write_at(await.location, position);
    if (!await.predicate.holds(graph_->value_of(write, await.location))) continue;
    if (await.kind == EventKind::rmw && position < co.size()) {
      const Event& next = (*graph_)[co[position]];
      if (next.kind == EventKind::rmw && next.source == write) continue;  // taken by another
    }
    Graph copy = *graph_;
    model_->take_source(copy, id, write);
    if (model_->consistent(copy, id)) return true;
  }
  return false;
}

// A stopped spinner is stuck for good when everything that its last iteration read is the newest
// and the next iteration comes back to the hint. The second part is tried: once nobody else can go,
// the spinner runs on, outside of the graph, seeing the newest values.
bool Execution::sees_only_newest(const ModelThread& spinner) const {
  for (std::uint32_t i = spinner.iteration; i < spinner.position; ++i) {
    const Event& read = (*graph_)[graph_->thread(spinner.id).events[i]];
    if (read.reads() && read.source != graph_->co_maximal(read.location)) return false;
  }
  return true;
}

void Execution::wake_spinner(ModelThread& spinner) noexcept {
  if (sees_only_newest(spinner)) return;
  spinner.iteration = spinner.position;
  spinner.state = State::runnable;
}

bool Execution::tries_exchange(const ModelThread& spinner) const {
  for (std::uint32_t i = spinner.iteration; i < spinner.position; ++i) {
    if ((*graph_)[graph_->thread(spinner.id).events[i]].kind == EventKind::rmw) return true;
  }
  return false;
}

ModelThread* Execution::next_to_probe() {
  for (std::size_t i = 0; i < live_threads_; ++i) {
    ModelThread& t = *threads_[i];
    if (t.state != State::spinning || t.spins_for_ever) continue;
    if (!sees_only_newest(t)) end_run(RunEnd::blocked);
    t.probing = true;
    t.state = State::runnable;
    return &t;
  }
  return nullptr;
}

runtime::value Execution::probe_read(const Event& event) {
  const runtime::value newest =
      graph_->value_of(graph_->co_maximal(event.location), event.location);
  if (event.kind == EventKind::rmw && graph::apply(event.operation, newest).writes) {
    probe_left_loop(*current_, event.site);
  }
  return newest;
}

// The next iteration does something else. After a failed exchange that is the retry with the value
// it has just seen, which another branch explores; after plain reads it is a loop that ends by
// itself, for which spin_hint() makes a promise that does not hold.
void Execution::probe_left_loop(ModelThread& spinner, source_location) {
  if (tries_exchange(spinner)) end_run(RunEnd::blocked);
  fail(FailureKind::misuse,
       "spin_hint() says that nothing changes unless another thread acts, but this loop goes on "
       "by itself: leave the hint out of bounded spins",
       source_location(spinner.hint_site));
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
      const event_id id = graph_->thread(t.id).events[t.position - 1];
      const Event& await = (*graph_)[id];
      // Time ends a timed wait: that branch is explored beside this one.
      if (await.reason == runtime::wait_reason::timed || may_still_be_satisfied(id)) {
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
