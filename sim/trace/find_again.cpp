#include <heddle/sim/trace/find_again.hpp>

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/explore/explore.hpp>
#include <heddle/sim/trace/alignment.hpp>
#include <heddle/sim/trace/event_name.hpp>
#include <heddle/sim/trace/guided_runs.hpp>
#include <heddle/sim/trace/options_of.hpp>
#include <heddle/sim/trace/same_failure.hpp>
#include <heddle/sim/trace/story.hpp>

namespace heddle::sim::trace {
namespace {

using engine::Followed;
using Kind = TraceDecision::Kind;

constexpr int renaming_rounds = 4;

class Search {
 public:
  Search(const Trace& recorded, const std::function<void()>& body, const FindOptions& options)
      : recorded_(recorded),
        body_(body),
        options_(options),
        runs_(options_of(recorded), body),
        signature_(failure_signature(recorded, Lines::ignore)),
        decisions_(recorded.decisions.empty() ? decisions_of(recorded) : recorded.decisions),
        story_(decisions_) {}

  Found run() {
    if (along_decisions() || around_decisions()) {
      return {Fate::repaired, std::move(*found_), std::move(how_)};
    }
    const bool all = whole_scenario();
    if (found_) return {Fate::repaired, std::move(*found_), std::move(how_)};
    if (other_) return {Fate::another_failure, std::move(*other_), ""};
    Found found = verdict();
    found.why += all ? fmt::format(". None of its {} executions fails", executions_)
                     : fmt::format(
                           ". {} executions around the recorded one and {} of the whole "
                           "search did not fail either",
                           runs_.count(), executions_);
    return found;
  }

 private:
  bool is_it(const Trace& trace) const {
    return failure_signature(trace, Lines::ignore) == signature_;
  }

  bool look_at(Attempt& attempt, const char* how) {
    if (!attempt.failed()) return false;
    if (!is_it(attempt.trace)) {
      if (!other_) other_ = attempt.trace;
      return false;
    }
    keep(std::move(attempt.trace), how);
    found_->decisions = std::move(attempt.taken);
    return true;
  }

  void keep(Trace trace, const char* how) {
    trace.scenario = recorded_.scenario;
    found_ = std::move(trace);
    how_ = how;
  }

  bool along_decisions() {
    for (int round = 0; round < renaming_rounds; ++round) {
      Attempt attempt = runs_.run(story_);
      if (look_at(attempt, "the recorded decisions, by the names of their sites, lead to it")) {
        return true;
      }
      followed_ = attempt.followed;
      if (attempt.end == engine::RunEnd::limit) return false;
      auto next = renamed(decisions_, recorded_, attempt.trace);
      if (next == story_) return false;
      story_ = std::move(next);
    }
    return false;
  }

  bool around_decisions() {
    for (std::size_t at = 0; at < story_.size(); ++at) {
      std::vector<TraceDecision> fewer = story_;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
      Attempt attempt = runs_.run(fewer);
      if (look_at(attempt, "the recorded decisions without one of them lead to it")) return true;
    }
    for (std::uint64_t seed = 1; seed <= options_.random_runs; ++seed) {
      engine::Guidance guidance;
      guidance.decisions = story_;
      guidance.noise = seed;
      Attempt attempt = runs_.run(guidance);
      if (look_at(attempt, "an execution near the recorded one leads to it")) return true;
    }
    return false;
  }

  // True when every execution was explored.
  bool whole_scenario() {
    Options options = options_of(recorded_);
    options.max_executions = options_.max_executions;
    options.time_limit = options_.time_limit;
    Report report = explore(options, body_);
    executions_ = report.executions + report.blocked + report.failures;
    if (!report.failure) return report.verdict == Verdict::verified;
    if (is_it(report.failure->trace)) {
      keep(std::move(report.failure->trace), "a search of the whole scenario found it again");
    } else if (!other_) {
      other_ = std::move(report.failure->trace);
    }
    return false;
  }

  // No failure was found. The first decision that could not be taken tells why.
  Found verdict() const {
    for (std::size_t i = 0; i < story_.size() && i < followed_.size(); ++i) {
      const TraceDecision& decision = story_[i];
      const auto text = [&](std::string_view what) {
        return fmt::format("decision {} of {}, {}, {}", i + 1, story_.size(), words(decision),
                           what);
      };
      switch (followed_[i]) {
        case Followed::yes:
        case Followed::plain:
          break;
        case Followed::forbidden:
          return {Fate::fixed, {}, text("is no longer allowed by the memory model")};
        case Followed::held:
          return {Fate::fixed, {}, text("is no longer possible: that thread cannot go on there")};
        case Followed::unreached:
          return {Fate::obsolete, {}, text("is never reached")};
        case Followed::misfit:
          return {Fate::obsolete, {}, text("does not fit what the scenario does there")};
      }
    }
    return {Fate::fixed, {}, "the scenario runs through with the same decisions"};
  }

  static std::string words(const TraceDecision& decision) {
    const std::string at = in_words(decision.at);
    switch (decision.kind) {
      case Kind::run:
        return fmt::format("to run thread {} after {}", decision.other.thread, at);
      case Kind::read:
        return fmt::format("to read {} at {}",
                           decision.other.thread.empty()
                               ? std::string("the initial value")
                               : fmt::format("what {} wrote", in_words(decision.other)),
                           at);
      case Kind::place:
        return fmt::format("to put {} before {}", at, in_words(decision.other));
      case Kind::choose:
        return fmt::format("to choose {} at {}", decision.choice, at);
    }
    return "";
  }

  const Trace& recorded_;
  const std::function<void()>& body_;
  const FindOptions& options_;
  GuidedRuns runs_;
  std::string signature_;
  std::vector<TraceDecision> decisions_;  // as recorded
  std::vector<TraceDecision> story_;      // in the names of the body as it is now
  std::vector<Followed> followed_;
  std::optional<Trace> found_;
  std::optional<Trace> other_;
  std::string how_;
  std::uint64_t executions_ = 0;
};

}  // namespace

Found find_again(const Trace& trace, const std::function<void()>& body,
                 const FindOptions& options) {
  const Report strict = replay(trace, body);
  if (strict.failure && same_failure(strict.failure->trace, trace, Lines::ignore)) {
    return {Fate::reproduced, strict.failure->trace, ""};
  }
  if (!trace.weakened.empty()) {
    const bool ran = strict.verdict == Verdict::verified;
    return {ran ? Fate::fixed : Fate::obsolete, {}, ran ? "it ran to its end" : strict.bound};
  }
  Found found = Search(trace, body, options).run();
  if (found.fate == Fate::obsolete && !strict.bound.empty()) {
    found.why = fmt::format("{}. Strictly: {}", found.why, strict.bound);
  }
  return found;
}

}  // namespace heddle::sim::trace
