#include <heddle/sim/trace/decisive.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/trace/event_name.hpp>
#include <heddle/sim/trace/missing_order.hpp>
#include <heddle/sim/trace/same_failure.hpp>

namespace heddle::sim::trace {
namespace {

using Kind = TraceDecision::Kind;

// What a failure is explained by first: what only weak memory does, then the schedule, then inputs.
constexpr Kind by_weight[] = {Kind::read, Kind::place, Kind::run, Kind::choose};

class Finder {
 public:
  Finder(const Trace& trace, std::span<const TraceDecision> story, GuidedRuns& runs,
         std::uint64_t runs_max)
      : trace_(trace),
        story_(story),
        runs_(runs),
        runs_max_(runs_max),
        first_run_(runs.count()),
        names_(event_names(trace)) {}

  std::string find() {
    if (story_.empty()) {
      return "no decision is needed: it fails when each thread runs for as long as it can";
    }
    // A neighbour that passes says more than one that fails in another way.
    for (const bool passing : {true, false}) {
      if (const std::string sentence = find_against(passing); !sentence.empty()) return sentence;
    }
    return "";
  }

 private:
  std::string find_against(bool passing) {
    for (const Kind kind : by_weight) {
      // The last one is the nearest to the failure.
      for (std::size_t at = story_.size(); at-- > 0;) {
        if (story_[at].kind != kind) continue;
        if (left() == 0) return "";
        std::vector<TraceDecision> others(story_.begin(), story_.end());
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
        const Attempt neighbour = runs_.run(others);
        const bool other =
            neighbour.failed() && !same_failure(neighbour.trace, trace_, Lines::compare);
        if (passing ? !neighbour.passed() : !other) continue;
        if (const std::string sentence = sentence_for(at, neighbour); !sentence.empty()) {
          return sentence;
        }
      }
    }
    return "";
  }

  std::uint64_t left() const {
    const std::uint64_t used = runs_.count() - first_run_;
    return used >= runs_max_ ? 0 : runs_max_ - used;
  }

  std::optional<std::size_t> step_of(const TraceEventName& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }

  std::string sentence_for(std::size_t at, const Attempt& neighbour) {
    const TraceDecision& decision = story_[at];
    switch (decision.kind) {
      case Kind::read:
        return of_read(at);
      case Kind::place:
        return of_place(decision);
      case Kind::run:
        return of_run(decision, neighbour);
      case Kind::choose:
        return of_choose(decision);
    }
    return "";
  }

  std::string of_read(std::size_t at) {
    const auto index = step_of(story_[at].at);
    if (!index) return "";
    const TraceStep& read = trace_.steps[*index];
    const auto newer = newest_before(*index);
    if (!newer) return "";
    const TraceStep& write = trace_.steps[*newer];
    const std::string forbidden = what_would_forbid(trace_, story_, at, runs_, left());
    return fmt::format(
        "the {} at {} in thread {} (step {}) reads the old value {} although thread {} has written "
        "{} at {} (step {}); {}",
        read.written ? "read-modify-write" : "load", short_place(read), read.thread, *index,
        read.read.value_or("?"), write.thread, write.written.value_or("?"), short_place(write),
        *newer, forbidden.empty() ? "nothing orders the two" : forbidden);
  }

  std::optional<std::size_t> newest_before(std::size_t index) const {
    std::optional<std::size_t> newest;
    for (std::size_t i = 0; i < index; ++i) {
      const TraceStep& write = trace_.steps[i];
      if (!write.written || write.location != trace_.steps[index].location) continue;
      if (!newest || write.co_position > trace_.steps[*newest].co_position) newest = i;
    }
    return newest;
  }

  std::string of_place(const TraceDecision& decision) const {
    const auto index = step_of(decision.at);
    const auto other = step_of(decision.other);
    if (!index || !other) return "";
    const TraceStep& write = trace_.steps[*index];
    return fmt::format(
        "the write at {} in thread {} (step {}) counts as older than that at {} (step {}), which "
        "has been seen before it; nothing orders the two",
        short_place(write), write.thread, *index, short_place(trace_.steps[*other]), *other);
  }

  std::string of_run(const TraceDecision& decision, const Attempt& neighbour) const {
    const bool from_start = decision.at.site == start_site;
    const auto index = from_start ? std::optional<std::size_t>() : step_of(decision.at);
    if (!from_start && !index) return "";
    const std::size_t after = index.value_or(0);
    const std::size_t begin = from_start ? 0 : after + 1;
    std::uint32_t left = from_start ? 0 : trace_.steps[after].thread;
    for (const auto& [number, role] : thread_roles(trace_)) {
      if (role == decision.at.thread) left = number;
    }
    const auto first =
        event_from(begin, [&](const TraceStep& step) { return step.thread != left; });
    const auto next = event_from(begin, [&](const TraceStep& step) { return step.thread == left; });
    if (!first) return "";
    const std::uint32_t runner = trace_.steps[*first].thread;
    if (next && !from_start) {
      return fmt::format(
          "thread {} must run between {} and {} of thread {} (after step {}, before step {})",
          runner, short_place(trace_.steps[after]), short_place(trace_.steps[*next]), left, after,
          *next);
    }
    const auto instead = thread_instead(neighbour, decision.at);
    if (!from_start) {
      return fmt::format("after {} of thread {} (step {}), thread {} must run{}",
                         short_place(trace_.steps[after]), left, after, runner,
                         instead && *instead != runner ? fmt::format(" before thread {}", *instead)
                                                       : std::string(" at once"));
    }
    return fmt::format("thread {} must run before thread {} does anything", runner, left);
  }

  template <class Test>
  std::optional<std::size_t> event_from(std::size_t begin, Test test) const {
    for (std::size_t i = begin; i < trace_.steps.size(); ++i) {
      if (is_event(trace_.steps[i].kind) && test(trace_.steps[i])) return i;
    }
    return std::nullopt;
  }

  // Which thread goes on at that place when nothing is decided.
  static std::optional<std::uint32_t> thread_instead(const Attempt& neighbour,
                                                     const TraceEventName& at) {
    const auto names = event_names(neighbour.trace);
    const auto found = std::find(names.begin(), names.end(), at);
    if (found == names.end()) return std::nullopt;
    for (auto i = static_cast<std::size_t>(found - names.begin()) + 1; i < names.size(); ++i) {
      if (!names[i].site.empty()) return neighbour.trace.steps[i].thread;
    }
    return std::nullopt;
  }

  std::string of_choose(const TraceDecision& decision) const {
    const auto index = step_of(decision.at);
    if (!index) return "";
    const TraceStep& step = trace_.steps[*index];
    return fmt::format("the choice at {} in thread {} (step {}) must be {} of 0 to {}",
                       short_place(step), step.thread, *index, step.choice, step.choices - 1);
  }

  const Trace& trace_;
  std::span<const TraceDecision> story_;
  GuidedRuns& runs_;
  std::uint64_t runs_max_;
  std::uint64_t first_run_;
  std::vector<TraceEventName> names_;
};

}  // namespace

std::string decisive_step(const Trace& trace, std::span<const TraceDecision> story,
                          GuidedRuns& runs, std::uint64_t runs_max) {
  return Finder(trace, story, runs, runs_max).find();
}

}  // namespace heddle::sim::trace
