#include <heddle/sim/trace/shrinker.hpp>

#include <algorithm>
#include <utility>

#include <heddle/sim/trace/event_name.hpp>
#include <heddle/sim/trace/linear_order.hpp>
#include <heddle/sim/trace/same_failure.hpp>

namespace heddle::sim::trace {

using Kind = TraceDecision::Kind;

namespace {

constexpr std::size_t orders_states_max = 200'000;
constexpr std::uint64_t search_runs_max = 10'000;  // of few_decisions()
constexpr std::size_t search_depth_max = 3;
constexpr std::uint64_t renewed_runs = 200;  // around a story that no longer fails

std::vector<TraceDecision> without(std::span<const TraceDecision> story, std::size_t from,
                                   std::size_t count) {
  std::vector<TraceDecision> rest(story.begin(), story.end());
  const auto begin = rest.begin() + static_cast<std::ptrdiff_t>(from);
  rest.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, rest.size() - from)));
  return rest;
}

}  // namespace

Budget::Budget(const MinimiseOptions& options, const GuidedRuns& runs)
    : max_runs_(options.max_runs),
      time_limit_(options.time_limit),
      began_(std::chrono::steady_clock::now()),
      runs_(runs) {}

bool Budget::by_time() const {
  return time_limit_.count() != 0 && std::chrono::steady_clock::now() - began_ >= time_limit_;
}

bool Budget::spent() const { return runs_.count() >= max_runs_ || by_time(); }

Shrinker::Shrinker(const Trace& failing, GuidedRuns& runs, const MinimiseOptions& options)
    : failing_(failing),
      runs_(runs),
      options_(options),
      budget_(options, runs),
      signature_(failure_signature(failing, Lines::compare)) {}

bool Shrinker::fails_the_same(const Attempt& attempt) const {
  return attempt.failed() && failure_signature(attempt.trace, Lines::compare) == signature_;
}

bool Shrinker::offer(const Attempt& attempt) {
  if (!fails_the_same(attempt)) return false;
  const StoryCost cost = cost_of(attempt.trace, attempt.taken.size());
  if (!best_.trace.memory_model.empty() && cost >= best_.cost) return false;
  best_ = {attempt.taken, attempt.trace, cost};
  return true;
}

bool Shrinker::try_story(std::span<const TraceDecision> story) {
  return offer(runs_.run(story, Keep::failing_traces));
}

void Shrinker::tell(const char* doing) {
  if (options_.on_progress) options_.on_progress({runs_.count(), size_of(best_.trace), doing});
}

bool Shrinker::begin() {
  bool found = try_story(decisions_of(failing_));
  for (const Until until : {Until::failing_thread_done, Until::all_done}) {
    const auto order = simplest_order(failing_, until, orders_states_max);
    if (order && try_story(decisions_in_order(failing_, *order))) found = true;
  }
  if (found) return true;
  // What was recorded cannot be told as decisions. A story that is found by itself may do.
  return few_decisions();
}

void Shrinker::shrink() {
  const struct {
    bool (Shrinker::*pass)();
    const char* doing;
  } passes[] = {{&Shrinker::smaller_scenario, "a smaller scenario"},
                {&Shrinker::lower_choices, "lower choices"},
                {&Shrinker::drop_decisions, "fewer decisions"},
                {&Shrinker::reorder, "fewer switches"},
                {&Shrinker::move_switches, "earlier and later switches"},
                {&Shrinker::few_decisions, "other ways to fail"}};
  for (bool again = true; again && !budget_.spent();) {
    again = false;
    for (const auto& one : passes) {
      tell(one.doing);
      again = (this->*one.pass)() || again;
      if (budget_.spent()) break;
    }
  }
}

// Commuting: of all orders of this execution, the one with the fewest stale reads and switches.
bool Shrinker::reorder() {
  bool better = false;
  for (const Until until : {Until::failing_thread_done, Until::all_done}) {
    const auto order = simplest_order(best_.trace, until, orders_states_max);
    if (order) better = try_story(decisions_in_order(best_.trace, *order)) || better;
  }
  return better;
}

// ddmin: halves, quarters, … single decisions.
bool Shrinker::drop_decisions() {
  bool better = false;
  std::size_t chunk = std::max<std::size_t>(1, best_.story.size() / 2);
  while (!budget_.spent()) {
    bool dropped = false;
    for (std::size_t from = 0; from < best_.story.size() && !budget_.spent();) {
      const auto story = without(best_.story, from, chunk);
      if (try_story(story)) {
        dropped = better = true;
      } else {
        from += chunk;
      }
    }
    if (chunk == 1 && !dropped) break;
    if (!dropped) chunk = std::max<std::size_t>(1, chunk / 2);
  }
  return better;
}

bool Shrinker::lower_choices() {
  bool better = false;
  for (std::size_t at = 0; at < best_.story.size() && !budget_.spent(); ++at) {
    if (best_.story[at].kind != Kind::choose) continue;
    for (std::uint32_t lower = 0; lower < best_.story[at].choice; ++lower) {
      auto story = best_.story;
      story[at].choice = lower;
      if (!try_story(story)) continue;
      better = true;
      at = static_cast<std::size_t>(-1);  // the story is another one
      break;
    }
  }
  return better;
}

// What the body chooses before it starts the first thread is the size of the scenario. A smaller
// one is another program, so the failure is looked for anew, around what is known.
bool Shrinker::smaller_scenario() {
  const auto names = event_names(best_.trace);
  for (std::size_t i = 0; i < best_.trace.steps.size(); ++i) {
    const TraceStep& step = best_.trace.steps[i];
    if (step.kind == TraceStep::Kind::spawn) return false;
    if (step.kind != TraceStep::Kind::choose) continue;
    for (std::uint32_t lower = 0; lower < step.choice && !budget_.spent(); ++lower) {
      std::vector<TraceDecision> story = best_.story;
      const auto known = std::find_if(story.begin(), story.end(), [&](const TraceDecision& one) {
        return one.kind == Kind::choose && one.at == names[i];
      });
      if (known == story.end()) return false;
      // Stated even where it is what happens anyway, so that noise leaves it alone.
      known->choice = lower;
      if (try_story(story)) return true;
      for (std::uint64_t seed = 1; seed <= renewed_runs && !budget_.spent(); ++seed) {
        engine::Guidance guidance;
        // First around the decisions, then around the size alone.
        const std::span<const TraceDecision> all(story);
        guidance.decisions =
            seed % 2 == 1 ? all : all.first(static_cast<std::size_t>(known - story.begin()) + 1);
        guidance.noise = seed;
        if (offer(runs_.run(guidance, Keep::failing_traces))) return true;
      }
    }
  }
  return false;
}

// A switch an event earlier or later, where it may fall together with a wait.
bool Shrinker::move_switches() {
  bool better = false;
  for (std::size_t at = 0; at < best_.story.size() && !budget_.spent(); ++at) {
    if (best_.story[at].kind != Kind::run) continue;
    const auto names = event_names(best_.trace);
    std::vector<TraceEventName> thread;
    thread.push_back({best_.story[at].at.thread, std::string(start_site), 1});
    for (const TraceEventName& name : names) {
      if (name.thread == thread.front().thread) thread.push_back(name);
    }
    const auto here = std::find(thread.begin(), thread.end(), best_.story[at].at);
    if (here == thread.end()) continue;
    for (const std::ptrdiff_t by : {-1, 1}) {
      const auto there = (here - thread.begin()) + by;
      if (there < 0 || there >= static_cast<std::ptrdiff_t>(thread.size())) continue;
      auto story = best_.story;
      story[at].at = thread[static_cast<std::size_t>(there)];
      if (!try_story(story)) continue;
      better = true;
      break;
    }
  }
  return better;
}

// Iterative bounding: every execution with no decision, with one, with two, …, as long as that is
// fewer than what is known.
bool Shrinker::few_decisions() {
  if (searched_) return false;
  searched_ = true;
  const bool known = !best_.trace.memory_model.empty();
  std::uint64_t left = search_runs_max;
  for (std::size_t depth = 0; depth <= search_depth_max && left > 0; ++depth) {
    if (known && depth >= best_.story.size()) break;
    const StoryCost before = best_.cost;
    std::vector<TraceDecision> story;
    extend(story, depth, left);
    const bool found = !best_.trace.memory_model.empty();
    if (found && (!known || best_.cost != before)) return true;
  }
  return false;
}

void Shrinker::extend(std::vector<TraceDecision>& story, std::size_t decisions,
                      std::uint64_t& left) {
  if (left == 0 || budget_.spent()) return;
  --left;
  engine::Guidance guidance;
  guidance.decisions = story;
  guidance.list_alternatives = decisions > 0;
  const Attempt attempt = runs_.run(guidance, Keep::failing_traces);
  if (decisions == 0) {
    offer(attempt);
    return;
  }
  if (attempt.taken.size() != story.size()) return;  // it does not fit: another story has been run
  for (const TraceDecision& next : attempt.alternatives) {
    story.push_back(next);
    extend(story, decisions - 1, left);
    story.pop_back();
  }
}

}  // namespace heddle::sim::trace
