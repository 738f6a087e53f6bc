// The operations of the event core: each is replayed from the graph or added to it.

#include <string>
#include <utility>

#include <heddle/sim/explore/describe.hpp>
#include <heddle/sim/explore/inside.hpp>
#include <heddle/sim/explore/site_observer.hpp>

namespace heddle::sim::engine {

using graph::is_release;
using State = ModelThread::State;

namespace {

// Iterations that a stopped spinner repeats before it is believed to spin for ever.
constexpr unsigned probes_max = 200;

bool same_operation(const Event& a, const Event& b) noexcept {
  if (a.kind != b.kind || a.location != b.location || a.waits != b.waits) return false;
  switch (a.kind) {
    case EventKind::store:
      return a.written == b.written && a.order == b.order;
    case EventKind::rmw:
      return a.operation == b.operation;
    case EventKind::choose:
      return a.choices == b.choices;
    case EventKind::fence:
      return a.order == b.order;
    default:
      return true;
  }
}

const char* name_of(const Event& event) noexcept {
  switch (event.kind) {
    case EventKind::load:
      return "load";
    case EventKind::store:
      return "store";
    case EventKind::rmw:
      return "read-modify-write";
    case EventKind::fence:
      return "fence";
    case EventKind::choose:
      return "choose";
    case EventKind::spawn:
      return "thread creation";
    case EventKind::join:
      return "join";
  }
  return "event";
}

}  // namespace

// Locks and other objects that are built on locations keep their orders: nobody wrote them down.
void Execution::ask_sites(EventKind kind, runtime::location_id id, source_location site,
                          std::memory_order& order, std::memory_order& failure) const {
  if (kind != EventKind::fence && locations_[id].role != runtime::location_role::atomic) return;
  options_.sites->orders(kind, site, order, failure);
}

// The thread's next operation, built where it waits for its turn.
Event& Execution::prepare(ModelThread& t, EventKind kind, source_location site) const {
  Event& event = t.next;
  event = Event{};
  event.kind = kind;
  event.thread = t.id;
  event.site = site;
  return event;
}

void Execution::note_passed(const ModelThread& t) {
  order_.push_back(graph_->thread(t.id).events[t.position]);
}

inline void Execution::pass(ModelThread& t) {
  if (recording_) [[unlikely]]
    note_passed(t);
  if (++t.position == t.known_count) --replaying_;
}

// The usual case of a replay: the next event of the running thread is in the graph and is of this
// kind and place. It was checked when it was added. Comes back when the event may be passed.
inline const Event* Execution::known(EventKind kind, runtime::location_id location, bool waits) {
  const ModelThread& t = *current_;
  if (t.position >= t.fast_count) return nullptr;
  const Event& next = (*graph_)[t.known[t.position]];
  if (next.kind != kind || next.location != location || next.waits != waits || !next.satisfied) {
    return nullptr;
  }
  if (next.source < graph::no_event) {
    const Event& source = (*graph_)[next.source];
    if (source.thread >= live_threads_ || threads_[source.thread]->position <= source.index) {
      const Inside inside(*this);
      wait_for(source.thread);
    }
  }
  return &next;
}

// The run-time half of the event `t.next`: replays it, or waits for its turn and adds it.
event_id Execution::perform(ModelThread& t) {
  if (t.probing) probe_left_loop(t, t.next.site);
  const event_id id = replays(t) ? replay_event(t) : extend(t);
  if ((*graph_)[id].waits) wait_at(t, id);
  return id;
}

event_id Execution::replay_event(ModelThread& t) {
  const event_id id = t.known[t.position];
  if (!same_operation((*graph_)[id], t.next)) {
    fail(FailureKind::nondeterminism,
         std::string("the thread does a ") + name_of(t.next) + " where it did a " +
             name_of((*graph_)[id]) +
             " before; a body must do the same whenever it is run again (no clock, no rand(), no "
             "address-dependent order, no state that outlives the execution)",
         t.next.site);
  }
  if (const thread_id other = unmet_dependency(t); other != nobody) wait_for(other);
  pass(t);
  return id;
}

event_id Execution::extend(ModelThread& t) {
  Event& next = t.next;
  if (graph_->size() >= options_.max_steps) {
    limit_ = "max_steps (" + std::to_string(options_.max_steps) +
             " events in one execution; the last in thread " + std::to_string(t.id) + " at " +
             source_name(next.site.file_name()) + ":" + std::to_string(next.site.line()) +
             "; a loop that waits for another thread needs sim::spin_hint())";
    end_run(RunEnd::limit);
  }
  t.state = State::pending;
  if (replaying_ > 0 || !driver_->at_once(next) || !can_go(t)) schedule(t);
  t.state = State::runnable;
  if (t.position > 0) {
    const Event& last = (*graph_)[graph_->before(t.id, t.position)];
    next.release_fence = last.kind == EventKind::fence && is_release(last.order)
                             ? last.index + 1
                             : last.release_fence;
  }
  const event_id id = graph_->append(next);
  driver_->complete(*this, id);
  pass(t);
  if (parking_) schedule(t);
  return id;
}

void Execution::wait_at(ModelThread& t, event_id id) {
  while (!(*graph_)[id].satisfied) {
    t.state = State::stuck;
    schedule(t);
  }
}

void Execution::require_location(const void* address, runtime::location_id id,
                                 source_location site) {
  if (id < locations_.size()) {
    const Location& known = locations_[id];
    if (known.run == run_number_ && known.address == address) {
      if (known.destroyed) {
        fail(FailureKind::use_after_free, "access to an atomic that has been destroyed", site);
      }
      if (known.role != runtime::location_role::ticket &&
          !ordered(*current_, known.creator, known.epoch)) {
        fail_race("an access to an atomic races with its construction", known.site, known.creator,
                  "construction", site);
      }
      return;
    }
  }
  const runtime::Arena* const owner = arenas_.owner(address);
  const runtime::Block* const block = owner != nullptr ? owner->find(address) : nullptr;
  if (block != nullptr && !block->live) {
    fail(FailureKind::use_after_free, "access to an atomic in memory that has been freed", site);
  }
  fail(FailureKind::uninitialised_read,
       "access to an atomic that was not constructed in this execution", site);
}

runtime::location_id Execution::construct(const void* address, std::uint8_t size,
                                          const runtime::value& initial,
                                          runtime::location_role role, std::string_view,
                                          source_location site) {
  const Inside inside(*this);
  ModelThread& t = *current_;
  const runtime::location_id id = naming_.location(t.id, t.constructed++);
  graph_->ensure_location(id, initial);
  if (id >= locations_.size()) locations_.resize(id + 1);
  locations_[id] = {address, run_number_, t.id, t.position, false, size, role, site, nullptr};
  return id;
}

runtime::LocationRef Execution::waiters_of(const void* address, runtime::location_id of,
                                           source_location site) {
  const Inside inside(*this);
  require_location(address, of, site);
  const runtime::location_id id = naming_.companion(of);
  graph_->ensure_location(id, {});
  if (id >= locations_.size()) locations_.resize(id + 1);
  if (locations_[id].run != run_number_) {
    locations_[id] = locations_[of];
    locations_[id].role = runtime::location_role::condition_variable;
    locations_[id].size = sizeof(runtime::value);
    locations_[id].waiting = nullptr;
  }
  return {address, id};
}

runtime::Waiter*& Execution::waiting_at(runtime::location_id id) { return locations_[id].waiting; }

runtime::value Execution::load(const void* address, runtime::location_id id,
                               std::memory_order order, source_location site) {
  if (const Event* const event = known(EventKind::load, id)) {
    pass(*current_);
    return event->read;
  }
  const Inside inside(*this);
  require_location(address, id, site);
  if (options_.sites != nullptr) ask_sites(EventKind::load, id, site, order, order);
  Event& event = prepare(*current_, EventKind::load, site);
  event.location = id;
  event.order = order;
  if (current_->probing) return probe_read(event);
  return (*graph_)[perform(*current_)].read;
}

void Execution::store(const void* address, runtime::location_id id, const runtime::value& desired,
                      std::memory_order order, source_location site) {
  if (const Event* const event = known(EventKind::store, id);
      event != nullptr && event->written == desired && event->order == order) {
    pass(*current_);
    return;
  }
  const Inside inside(*this);
  require_location(address, id, site);
  if (options_.sites != nullptr) ask_sites(EventKind::store, id, site, order, order);
  Event& event = prepare(*current_, EventKind::store, site);
  event.location = id;
  event.order = order;
  event.written = desired;
  event.writes = true;
  perform(*current_);
}

runtime::rmw_result Execution::rmw(const void* address, runtime::location_id id,
                                   const runtime::rmw_operation& operation,
                                   std::memory_order success, std::memory_order failure,
                                   source_location site) {
  if (const Event* const event = known(EventKind::rmw, id);
      event != nullptr && event->operation == operation) {
    pass(*current_);
    return {event->read, event->writes};
  }
  const Inside inside(*this);
  require_location(address, id, site);
  if (options_.sites != nullptr) ask_sites(EventKind::rmw, id, site, success, failure);
  Event& event = prepare(*current_, EventKind::rmw, site);
  event.location = id;
  event.order_success = success;
  event.order_failure = failure;
  event.operation = operation;
  if (current_->probing) return {probe_read(event), false};
  const Event& done = (*graph_)[perform(*current_)];
  return {done.read, done.writes};
}

runtime::value Execution::await_load(const void* address, runtime::location_id id,
                                     const runtime::await_predicate& predicate,
                                     std::memory_order order, runtime::wait_reason reason,
                                     source_location site) {
  if (const Event* const event = known(EventKind::load, id, true)) {
    pass(*current_);
    return event->read;
  }
  const Inside inside(*this);
  require_location(address, id, site);
  if (options_.sites != nullptr) ask_sites(EventKind::load, id, site, order, order);
  Event& event = prepare(*current_, EventKind::load, site);
  event.location = id;
  event.order = order;
  event.waits = true;
  event.predicate = predicate;
  event.reason = reason;
  return (*graph_)[perform(*current_)].read;
}

runtime::rmw_result Execution::await_rmw(const void* address, runtime::location_id id,
                                         const runtime::await_predicate& predicate,
                                         const runtime::rmw_operation& operation,
                                         std::memory_order order, runtime::wait_reason reason,
                                         source_location site) {
  if (const Event* const event = known(EventKind::rmw, id, true);
      event != nullptr && event->operation == operation) {
    pass(*current_);
    return {event->read, event->writes};
  }
  const Inside inside(*this);
  require_location(address, id, site);
  if (options_.sites != nullptr) ask_sites(EventKind::rmw, id, site, order, order);
  Event& event = prepare(*current_, EventKind::rmw, site);
  event.location = id;
  event.order_success = event.order_failure = order;
  event.operation = operation;
  event.waits = true;
  event.predicate = predicate;
  event.reason = reason;
  const Event& done = (*graph_)[perform(*current_)];
  return {done.read, done.writes};
}

void Execution::fence(std::memory_order order, source_location site) {
  if (const Event* const event = known(EventKind::fence, runtime::no_location);
      event != nullptr && event->order == order) {
    pass(*current_);
    return;
  }
  const Inside inside(*this);
  if (options_.sites != nullptr) {
    ask_sites(EventKind::fence, runtime::no_location, site, order, order);
  }
  if (order == std::memory_order_relaxed) return;
  prepare(*current_, EventKind::fence, site).order = order;
  perform(*current_);
}

unsigned Execution::choose(unsigned n, std::string_view, source_location site) {
  if (n == 1) return 0;
  const Inside inside(*this);
  if (n == 0) fail(FailureKind::misuse, "sim::choose(0): there is nothing to choose from", site);
  prepare(*current_, EventKind::choose, site).choices = n;
  return (*graph_)[perform(*current_)].argument;
}

void* Execution::body_memory(std::size_t size, std::size_t alignment) {
  if (void* const memory = current_->arena->allocate_for_ever(size, alignment)) return memory;
  const Inside inside(*this);
  fail(FailureKind::check, "a model thread needs more memory than its arena has",
       source_location{});
}

runtime::thread_id Execution::spawn(runtime::ThreadBody body, source_location site) {
  ModelThread& parent = *current_;
  const std::uint32_t ordinal = parent.spawned++;
  thread_id child = 0;
  if (const Event* const event = known(EventKind::spawn, runtime::no_location)) {
    child = event->argument;
    pass(parent);
  } else {
    const Inside inside(*this);
    child = naming_.child(parent.id, ordinal);
    thread(child);
    prepare(parent, EventKind::spawn, site).argument = child;
    perform(parent);
  }
  ModelThread& made = *threads_[child];
  made.body = body;
  made.state = State::runnable;
  if (child >= live_threads_) live_threads_ = child + 1;
  return child;
}

void Execution::join(runtime::thread_id child, source_location site) {
  if (const Event* const event = known(EventKind::join, runtime::no_location);
      event != nullptr && event->argument == child) {
    if (threads_[child]->state != State::finished) {
      const Inside inside(*this);
      wait_for(child);
    }
    pass(*current_);
    return;
  }
  const Inside inside(*this);
  prepare(*current_, EventKind::join, site).argument = child;
  perform(*current_);
}

void Execution::yield(source_location) {}

void Execution::spin_hint(source_location site) {
  const Inside inside(*this);
  ModelThread& t = *current_;
  if (t.probing) {
    if (++t.probes < probes_max) return;
    t.spins_for_ever = true;
    t.state = State::spinning;
    for (;;) schedule(t);
  }
  if (replays(t)) {  // it went on when the graph was made
    t.iteration = t.position;
    return;
  }
  const auto& events = graph_->thread(t.id).events;
  bool waits = t.position > t.iteration;
  for (std::uint32_t i = t.iteration; i < t.position; ++i) {
    const Event& event = (*graph_)[events[i]];
    if (event.kind == EventKind::fence) continue;
    if (!event.reads() || event.writes) waits = false;
  }
  if (!waits) {
    t.iteration = t.position;
    return;
  }
  t.hint_site = site;
  t.state = State::spinning;
  while (t.state == State::spinning) schedule(t);
}

}  // namespace heddle::sim::engine
