#include <heddle/sim/trace/guided_driver.hpp>

#include <algorithm>
#include <optional>

#include <heddle/sim/explore/describe.hpp>

namespace heddle::sim::engine {

using memory::hb_before;
using memory::oldest_visible;
using State = ModelThread::State;
using Kind = TraceDecision::Kind;

namespace {

constexpr std::uint32_t deviation_odds = 4;  // one in so many

bool is_taken(const Graph& graph, graph::location_id x, std::uint32_t position, event_id source) {
  const auto& co = graph.location(x).co;
  if (position >= co.size()) return false;
  const Event& next = graph[co[position]];
  return next.kind == EventKind::rmw && next.source == source;
}

bool satisfies(const Graph& graph, const Event& await, event_id source) {
  return await.predicate.holds(graph.value_of(source, await.location));
}

}  // namespace

std::uint32_t EventNumbers::site(std::string_view name) {
  const auto found = by_text_.find(name);
  if (found != by_text_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(name);
  by_text_.emplace(name, number);
  return number;
}

std::uint32_t EventNumbers::site_of(const Event& event) {
  const std::tuple key(step_kind(event), event.site.file_name(), event.site.function_name());
  const auto found = by_place_.find(key);
  if (found != by_place_.end()) return found->second;
  const std::uint32_t number =
      site(trace::site_name(to_string(step_kind(event)), event.site.function_name(),
                            source_name(event.site.file_name())));
  by_place_.emplace(key, number);
  return number;
}

GuidedDriver::GuidedDriver(const Guidance& guidance, EventNumbers& numbers)
    : guidance_(guidance),
      numbers_(numbers),
      followed_(guidance.decisions.size(), Followed::unreached),
      random_(guidance.noise) {
  for (std::size_t i = 0; i < guidance.decisions.size(); ++i) {
    const TraceDecision& decision = guidance.decisions[i];
    by_place_.emplace(std::tuple(decision.at.thread, numbers_.site(decision.at.site),
                                 decision.at.occurrence, decision.kind),
                      i);
  }
  for (const OrderChange& change : guidance.orders) {
    orders_.emplace(
        std::tuple(change.at.thread, numbers_.site(change.at.site), change.at.occurrence),
        change.order);
  }
}

void GuidedDriver::know_threads(Execution& execution) {
  const auto& threads = execution.threads();
  while (info_.size() < threads.size()) {
    ThreadInfo info;
    for (auto t = static_cast<thread_id>(info_.size());;) {
      const Naming::Origin& origin = execution.naming().origin_of_thread(t);
      if (t == 0) break;
      info.role.insert(info.role.begin(), origin.ordinal + 1);
      t = origin.thread;
    }
    info.role.insert(info.role.begin(), 0);
    info.name = trace::role_name(info.role);
    info.last = {static_cast<thread_id>(info_.size()), numbers_.site(trace::start_site), 1};
    info_.push_back(std::move(info));
  }
}

TraceEventName GuidedDriver::name_of(const Place& place) const {
  return {info_[place.thread].name, numbers_.site_text(place.site), place.occurrence};
}

GuidedDriver::Place GuidedDriver::next_place(const ModelThread& thread) {
  const std::uint32_t site = numbers_.site_of(thread.next);
  const auto& counts = info_[thread.id].counts;
  return {thread.id, site, (site < counts.size() ? counts[site] : 0) + 1};
}

std::optional<std::size_t> GuidedDriver::decision_at(Kind kind, const Place& place) const {
  const auto found = by_place_.find({info_[place.thread].name, place.site, place.occurrence, kind});
  return found == by_place_.end() ? std::nullopt : std::optional(found->second);
}

void GuidedDriver::take(TraceDecision decision) {
  taken_.push_back(std::move(decision));
  alternatives_.clear();
}

void GuidedDriver::offer(TraceDecision decision) {
  if (guidance_.list_alternatives) alternatives_.push_back(std::move(decision));
}

std::uint32_t GuidedDriver::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(random_() % bound);
}

bool GuidedDriver::deviates() { return guidance_.noise != 0 && below(deviation_odds) == 0; }

// ---- which thread ----

bool GuidedDriver::would_stop(Execution& execution, const ModelThread& thread) {
  const Event& next = thread.next;
  if (thread.state != State::pending || !next.waits) return false;
  const Graph& graph = execution.graph();
  if (satisfies(graph, next, graph.co_maximal(next.location))) return false;
  if (const auto decision = decision_at(Kind::read, next_place(thread))) {
    const auto write = write_named(guidance_.decisions[*decision].other);
    if (write && satisfies(graph, next, *write)) return false;
  }
  return true;
}

bool GuidedDriver::ready(Execution& execution, ModelThread& thread) {
  if (thread.state == State::spinning) execution.wake_spinner(thread);
  return execution.can_go(thread) && !would_stop(execution, thread);
}

ModelThread* GuidedDriver::plain_choice(Execution& execution) {
  if (ready(execution, *current_)) return current_;
  ModelThread* first = nullptr;
  ModelThread* stopping = nullptr;
  for (auto& thread : execution.threads()) {
    if (ready(execution, *thread)) {
      if (first == nullptr || before(thread->id, first->id)) first = thread.get();
    } else if (execution.can_go(*thread)) {
      if (stopping == nullptr || before(thread->id, stopping->id)) stopping = thread.get();
    }
  }
  return first != nullptr ? first : stopping;
}

ModelThread* GuidedDriver::with_noise(Execution& execution, ModelThread* plain) {
  if (plain == nullptr || !deviates()) return plain;
  std::vector<ModelThread*> all;
  for (auto& thread : execution.threads()) {
    if (ready(execution, *thread)) all.push_back(thread.get());
  }
  if (all.empty()) return plain;
  std::sort(all.begin(), all.end(),
            [this](const ModelThread* a, const ModelThread* b) { return before(a->id, b->id); });
  return all[below(static_cast<std::uint32_t>(all.size()))];
}

ModelThread* GuidedDriver::pick(Execution& execution) {
  know_threads(execution);
  auto& threads = execution.threads();
  if (current_ == nullptr) current_ = threads[0].get();
  if (current_->state == State::runnable) return current_;
  ModelThread* const plain = plain_choice(execution);
  ModelThread* chosen = plain;
  const Place place = info_[current_->id].last;
  if (const auto index = decision_at(Kind::run, place)) {
    const TraceDecision& decision = guidance_.decisions[*index];
    const auto wanted = std::find_if(threads.begin(), threads.end(), [&](const auto& thread) {
      return info_[thread->id].name == decision.other.thread;
    });
    if (wanted == threads.end() || (*wanted)->state == State::absent) {
      followed_[*index] = Followed::misfit;
    } else if (!ready(execution, **wanted)) {
      followed_[*index] = Followed::held;
    } else {
      chosen = wanted->get();
      followed_[*index] = chosen == plain ? Followed::plain : Followed::yes;
    }
  } else {
    chosen = with_noise(execution, plain);
  }
  if (chosen != plain) take({Kind::run, name_of(place), {info_[chosen->id].name, "", 0}, 0});
  if (guidance_.list_alternatives) {
    for (auto& thread : threads) {
      if (thread.get() == chosen || thread.get() == plain || !ready(execution, *thread)) continue;
      offer({Kind::run, name_of(place), {info_[thread->id].name, "", 0}, 0});
    }
  }
  if (chosen != nullptr) current_ = chosen;
  return chosen;
}

// ---- what an event does ----

std::optional<event_id> GuidedDriver::write_named(const TraceEventName& name) const {
  if (name.thread.empty()) return graph::from_initial;
  const auto found = writes_.find({name.thread, numbers_.site(name.site), name.occurrence});
  return found == writes_.end() ? std::nullopt : std::optional(found->second);
}

TraceEventName GuidedDriver::name_of_write(event_id write) const {
  return write == graph::from_initial ? TraceEventName{} : name_of(place_of_event_[write]);
}

void GuidedDriver::change_order(Event& event, const Place& place) const {
  if (orders_.empty()) return;
  const auto found = orders_.find({info_[place.thread].name, place.site, place.occurrence});
  if (found == orders_.end()) return;
  const std::memory_order order = found->second;
  event.order = event.order_success = order;
  event.order_failure = order == std::memory_order_release   ? std::memory_order_relaxed
                        : order == std::memory_order_acq_rel ? std::memory_order_acquire
                                                             : order;
}

void GuidedDriver::complete(Execution& execution, event_id id) {
  know_threads(execution);
  Graph& graph = execution.graph();
  Event& event = graph[id];
  ThreadInfo& thread = info_[event.thread];
  const std::uint32_t site = numbers_.site_of(event);
  if (site >= thread.counts.size()) thread.counts.resize(site + 1, 0);
  const Place place{event.thread, site, ++thread.counts[site]};
  thread.last = place;
  place_of_event_.resize(graph.size());
  place_of_event_[id] = place;
  change_order(event, place);
  if (event.reads()) {
    complete_read(execution, id, place);
  } else if (event.writes) {
    complete_store(execution, id, place);
  } else {
    if (event.kind == EventKind::choose) complete_choose(event, place);
    execution.model().compute_clocks(graph, id);
  }
  if (graph[id].writes) writes_[{info_[event.thread].name, site, place.occurrence}] = id;
}

void GuidedDriver::complete_choose(Event& event, const Place& place) {
  event.argument = 0;
  if (const auto index = decision_at(Kind::choose, place)) {
    const std::uint32_t choice = guidance_.decisions[*index].choice;
    followed_[*index] = choice >= event.choices ? Followed::misfit
                        : choice == 0           ? Followed::plain
                                                : Followed::yes;
    if (choice < event.choices) event.argument = choice;
  } else if (deviates()) {
    event.argument = below(event.choices);
  }
  if (event.argument != 0) take({Kind::choose, name_of(place), {}, event.argument});
  for (std::uint32_t other = 1; guidance_.list_alternatives && other < event.choices; ++other) {
    if (other != event.argument) offer({Kind::choose, name_of(place), {}, other});
  }
}

Followed GuidedDriver::read_from(Execution& execution, event_id id, event_id source) {
  Graph& graph = execution.graph();
  const graph::location_id x = graph[id].location;
  if (source != graph::from_initial && graph[source].location != x) return Followed::misfit;
  const std::uint32_t position = graph.position_of(source);
  if (position < oldest_visible(graph, x, hb_before(graph, graph[id]))) return Followed::forbidden;
  if (graph[id].waits && !satisfies(graph, graph[id], source)) return Followed::misfit;
  if (graph[id].kind == EventKind::rmw && is_taken(graph, x, position, source) &&
      graph::apply(graph[id].operation, graph.value_of(source, x)).writes) {
    return Followed::misfit;
  }
  execution.model().take_source(graph, id, source);
  if (source == graph.co_maximal(x) || execution.model().consistent(graph, id))
    return Followed::yes;
  if (graph[id].kind == EventKind::rmw && graph[id].writes) {
    graph.withdraw(id);
  }
  return Followed::forbidden;
}

void GuidedDriver::complete_read(Execution& execution, event_id id, const Place& place) {
  Graph& graph = execution.graph();
  const graph::location_id x = graph[id].location;
  const event_id newest = graph.co_maximal(x);
  const std::uint32_t oldest = oldest_visible(graph, x, hb_before(graph, graph[id]));
  const std::uint32_t last = graph.position_of(newest);
  std::optional<event_id> wanted;
  const auto index = decision_at(Kind::read, place);
  if (index) {
    wanted = write_named(guidance_.decisions[*index].other);
    followed_[*index] = Followed::misfit;
  } else if (oldest < last && deviates()) {
    wanted = graph.write_at(x, oldest + below(last - oldest + 1));
  }
  bool done = false;
  if (wanted) {
    const Followed followed = read_from(execution, id, *wanted);
    done = followed == Followed::yes;
    if (index) followed_[*index] = done && *wanted == newest ? Followed::plain : followed;
    if (done && *wanted != newest) take({Kind::read, name_of(place), name_of_write(*wanted), 0});
  }
  if (!done) execution.model().take_source(graph, id, newest);
  if (!guidance_.list_alternatives || !graph[id].satisfied) return;
  for (std::uint32_t position = last; position-- > oldest;) {
    const event_id write = graph.write_at(x, position);
    if (write == id || write == graph[id].source) continue;
    if (graph[id].waits && !satisfies(graph, graph[id], write)) continue;
    offer({Kind::read, name_of(place), name_of_write(write), 0});
  }
}

Followed GuidedDriver::put_at(Execution& execution, event_id id, std::uint32_t position) {
  Graph& graph = execution.graph();
  const graph::location_id x = graph[id].location;
  if (position <= oldest_visible(graph, x, hb_before(graph, graph[id]))) return Followed::forbidden;
  if (graph[graph.location(x).co[position - 1]].kind == EventKind::rmw) return Followed::misfit;
  graph.place(id, position);
  execution.model().compute_clocks(graph, id);
  if (execution.model().consistent(graph, id)) return Followed::yes;
  graph.unplace(id);
  return Followed::forbidden;
}

void GuidedDriver::complete_store(Execution& execution, event_id id, const Place& place) {
  Graph& graph = execution.graph();
  const graph::location_id x = graph[id].location;
  const auto& co = graph.location(x).co;
  const auto end = static_cast<std::uint32_t>(co.size()) + 1;
  const std::uint32_t oldest = oldest_visible(graph, x, hb_before(graph, graph[id]));
  std::optional<event_id> successor;
  const auto index = decision_at(Kind::place, place);
  if (index) {
    successor = write_named(guidance_.decisions[*index].other);
    followed_[*index] = Followed::misfit;
    if (successor && graph[*successor].location != x) successor.reset();
  } else if (oldest + 1 < end && deviates()) {
    successor = co[oldest + below(end - oldest - 1)];
  }
  bool done = false;
  if (successor) {
    const Followed followed = put_at(execution, id, graph.position_of(*successor));
    done = followed == Followed::yes;
    if (index) followed_[*index] = followed;
    if (done) take({Kind::place, name_of(place), name_of_write(*successor), 0});
  }
  if (!done) {
    graph.place(id, end);
    execution.model().compute_clocks(graph, id);
  }
  if (!guidance_.list_alternatives || done) return;
  for (std::uint32_t position = oldest + 1; position < end; ++position) {
    const event_id behind = graph.location(x).co[position - 1];
    if (graph[behind].kind == EventKind::rmw || behind == id) continue;
    offer({Kind::place, name_of(place), name_of_write(behind), 0});
  }
}

}  // namespace heddle::sim::engine
