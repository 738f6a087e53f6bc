#include <heddle/sim/trace/missing_order.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace heddle::sim::trace {
namespace {

using engine::Followed;
using engine::OrderChange;
using Kind = TraceStep::Kind;

bool has(const std::string& order, bool acquire) {
  if (order == "seq_cst" || order == "acq_rel") return true;
  return acquire ? order == "acquire" || order == "consume" : order == "release";
}

class Strengthening {
 public:
  Strengthening(const Trace& trace, std::span<const TraceDecision> story, std::size_t decision,
                GuidedRuns& runs, std::uint64_t runs_max)
      : trace_(trace),
        story_(story),
        decision_(decision),
        runs_(runs),
        left_(runs_max),
        names_(event_names(trace)) {
    const auto read = std::find(names_.begin(), names_.end(), story[decision].at);
    read_ = static_cast<std::size_t>(read - names_.begin());
  }

  std::string run() {
    if (read_ >= trace_.steps.size()) return "";
    collect();
    for (const OrderChange& one : acquires_) {
      if (forbids({&one, 1})) return fmt::format("an acquire at {} would forbid it", place(one));
    }
    for (const OrderChange& one : releases_) {
      if (forbids({&one, 1})) return fmt::format("a release at {} would forbid it", place(one));
    }
    for (const OrderChange& release : releases_) {
      for (const OrderChange& acquire : acquires_) {
        const OrderChange both[] = {release, acquire};
        if (!forbids(both)) continue;
        return fmt::format("a release at {} together with an acquire at {} would forbid it",
                           place(release), place(acquire));
      }
    }
    return sequential();
  }

 private:
  // Accesses that come before the read: loads of its own thread, nearest first, and writes of
  // others.
  void collect() {
    const std::uint32_t reader = trace_.steps[read_].thread;
    for (std::size_t i = read_ + 1; i-- > 0;) {
      const TraceStep& step = trace_.steps[i];
      if (step.location.empty() || names_[i].site.empty() || step.role != "atomic") continue;
      all_.push_back({names_[i], std::memory_order_seq_cst});
      const bool reads = step.source != TraceStep::no_source;
      if (step.thread == reader && reads && !has(step.order, true)) {
        acquires_.push_back({names_[i], stronger(step, std::memory_order_acquire)});
      }
      if (step.thread != reader && step.written && !has(step.order, false)) {
        releases_.push_back({names_[i], stronger(step, std::memory_order_release)});
      }
    }
  }

  static std::memory_order stronger(const TraceStep& step, std::memory_order with) {
    const bool both = step.kind == Kind::rmw && step.order != "relaxed";
    return both ? std::memory_order_acq_rel : with;
  }

  // As few as can be of the accesses made seq_cst.
  std::string sequential() {
    if (!forbids(all_)) return "";
    std::vector<OrderChange> kept = all_;
    for (std::size_t at = 0; at < kept.size() && left_ > 0;) {
      std::vector<OrderChange> fewer = kept;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
      if (forbids(fewer)) {
        kept = std::move(fewer);
      } else {
        ++at;
      }
    }
    std::vector<std::string> places;
    for (const OrderChange& one : kept) places.push_back(place(one));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return fmt::format(
        "seq_cst at {} would forbid it, or a seq_cst fence between the two accesses "
        "of each thread",
        fmt::join(places, ", "));
  }

  bool forbids(std::span<const OrderChange> changes) {
    if (left_ == 0) return false;
    --left_;
    engine::Guidance guidance;
    guidance.decisions = story_;
    guidance.orders = changes;
    return runs_.run(guidance, Keep::failing_traces).followed[decision_] == Followed::forbidden;
  }

  std::string place(const OrderChange& change) const {
    const auto found = std::find(names_.begin(), names_.end(), change.at);
    return short_place(trace_.steps[static_cast<std::size_t>(found - names_.begin())]);
  }

  const Trace& trace_;
  std::span<const TraceDecision> story_;
  std::size_t decision_;
  GuidedRuns& runs_;
  std::uint64_t left_;
  std::vector<TraceEventName> names_;
  std::size_t read_ = 0;
  std::vector<OrderChange> acquires_;
  std::vector<OrderChange> releases_;
  std::vector<OrderChange> all_;
};

}  // namespace

std::string short_place(const TraceStep& step) {
  const std::size_t slash = step.file.rfind('/');
  const std::string file = slash == std::string::npos ? step.file : step.file.substr(slash + 1);
  return fmt::format("{}:{}", file, step.line);
}

std::string what_would_forbid(const Trace& trace, std::span<const TraceDecision> story,
                              std::size_t decision, GuidedRuns& runs, std::uint64_t runs_max) {
  return Strengthening(trace, story, decision, runs, runs_max).run();
}

}  // namespace heddle::sim::trace
