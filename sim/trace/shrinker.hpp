// The passes of minimise(): each proposes candidates, runs them, and keeps what is simpler and
// fails in the same way.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <heddle/sim/trace/guided_runs.hpp>
#include <heddle/sim/trace/minimise.hpp>
#include <heddle/sim/trace/story.hpp>

namespace heddle::sim::trace {

/// Runs that may still be made.
class Budget {
 public:
  Budget(const MinimiseOptions& options, const GuidedRuns& runs);
  bool spent() const;
  bool by_time() const;

 private:
  std::uint64_t max_runs_;
  std::chrono::nanoseconds time_limit_;
  std::chrono::steady_clock::time_point began_;
  const GuidedRuns& runs_;
};

struct Candidate {
  std::vector<TraceDecision> story;
  Trace trace;
  StoryCost cost;
};

class Shrinker {
 public:
  /// `failing` is the recorded execution as it runs today.
  Shrinker(const Trace& failing, GuidedRuns& runs, const MinimiseOptions& options);

  /// Finds decisions that make the recorded failure; false when none of them does.
  bool begin();
  /// All passes, until none makes it simpler or the budget is spent.
  void shrink();

  const Candidate& best() const noexcept { return best_; }
  const Budget& budget() const noexcept { return budget_; }
  const std::string& signature() const noexcept { return signature_; }

 private:
  bool fails_the_same(const Attempt& attempt) const;
  bool offer(const Attempt& attempt);
  bool try_story(std::span<const TraceDecision> story);
  void tell(const char* doing);

  bool reorder();
  bool drop_decisions();
  bool lower_choices();
  bool smaller_scenario();
  bool move_switches();
  bool few_decisions();
  void extend(std::vector<TraceDecision>& story, std::size_t decisions, std::uint64_t& left);

  const Trace& failing_;
  GuidedRuns& runs_;
  const MinimiseOptions& options_;
  Budget budget_;
  std::string signature_;
  Candidate best_;
  bool searched_ = false;  // few_decisions() has looked at everything that it can
};

}  // namespace heddle::sim::trace
