#include <heddle/sim/report/stale_reads.hpp>

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/report/step_text.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/report/what_if.hpp>

namespace heddle::sim::report {
namespace {

using Kind = TraceStep::Kind;
using Indices = std::vector<std::size_t>;

// Longer executions are explained without trying remedies.
constexpr std::size_t remedy_events_max = 250;

class Explainer {
 public:
  Explainer(const Trace& trace, const Relations& relations, const Machines* machines)
      : trace_(trace), relations_(relations), machines_(machines) {}

  std::optional<StaleRead> explain(std::size_t read) {
    const Indices newer = newer_writes(read);
    if (newer.empty()) return std::nullopt;
    StaleRead result;
    result.read = read;
    result.missed = newer.front();
    for (const std::size_t write : newer) {
      if (!relations_.porf(write, read)) continue;
      result.missed = write;
      result.chain = chain(write, read);
      break;
    }
    say_why(result);
    if (!result.chain.empty()) remedies_of_chain(result);
    if (machines_ != nullptr) {
      judge(result);
      if (result.remedies.empty() && !result.cycle.empty()) remedies_of_cycle(result);
    }
    return result;
  }

 private:
  const TraceStep& step(std::size_t index) const { return trace_.steps[index]; }
  std::string who(std::size_t index) const { return thread_name(step(index).thread); }
  std::string site(std::size_t index) const {
    const std::string where = short_place(step(index).file, step(index).line);
    return where.empty() ? fmt::format("step {}", index)
                         : fmt::format("step {} ({})", index, where);
  }

  // In modification order, those that the trace has before the read.
  Indices newer_writes(std::size_t read) const {
    const auto source = relations_.source(read);
    const std::uint32_t seen = source ? step(*source).co_position : 0;
    Indices found;
    for (std::size_t at = 0; at < read; ++at) {
      const bool newer = is_access(step(at)) && step(at).written &&
                         step(at).location == step(read).location && step(at).co_position > seen;
      if (newer) found.push_back(at);
    }
    std::sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
      return step(a).co_position < step(b).co_position;
    });
    return found;
  }

  // The reads-from edges of a way from `from` to `to` in porf which do not synchronise; of all ways
  // one with the fewest of them.
  std::vector<Link> chain(std::size_t from, std::size_t to) const {
    struct Reached {
      std::size_t next = 0;
      bool by_reading = false;
      std::size_t weak = ~std::size_t{0};
    };
    // Backwards from the read, as each step knows what came before it.
    std::vector<Reached> reached(trace_.steps.size());
    std::deque<std::size_t> open{to};
    reached[to].weak = 0;
    while (!open.empty()) {
      const std::size_t at = open.front();
      open.pop_front();
      const auto visit = [&](std::optional<std::size_t> before, bool by_reading) {
        if (!before) return;
        const bool is_weak = by_reading && !relations_.hb(*before, at);
        const std::size_t weak = reached[at].weak + (is_weak ? 1 : 0);
        if (weak >= reached[*before].weak) return;
        reached[*before] = {at, by_reading, weak};
        if (is_weak) {
          open.push_back(*before);
        } else {
          open.push_front(*before);
        }
      };
      visit(relations_.previous(at), false);
      visit(relations_.joined(at), false);
      visit(relations_.source(at), true);
    }
    std::vector<Link> found;
    if (reached[from].weak == ~std::size_t{0}) return found;
    for (std::size_t at = from; at != to; at = reached[at].next) {
      const std::size_t next = reached[at].next;
      if (reached[at].by_reading && !relations_.hb(at, next)) {
        found.push_back({at, next, Link::Kind::reads_from});
      }
    }
    return found;
  }

  void say_why(StaleRead& result) const {
    const std::string name = clean(step(result.read).location);
    const std::string newer =
        fmt::format("{}'s write to {} in {}", who(result.missed), name, site(result.missed));
    if (result.chain.empty()) {
      result.why = fmt::format(
          "Nothing orders {} before this load: up to here {} has read nothing that {} wrote at or "
          "after that step. So the load may run before the write, or before the write has become "
          "visible.",
          newer, who(result.read), who(result.missed));
      return;
    }
    result.why = fmt::format("{} does not happen before this load.", newer);
    for (const Link& link : result.chain) {
      result.why += fmt::format(" {} read what {} wrote in {}, but the two do not synchronise: {}.",
                                who(link.to), who(link.from), site(link.from), lacking(link));
    }
  }

  std::string lacking(const Link& link) const {
    const auto order = [&](std::size_t at) {
      return step(at).order.empty() ? std::string("unordered") : clean(step(at).order);
    };
    const bool write_lacks = !relations_.releases(link.from);
    const bool read_lacks = !is_acquire(step(link.to).order);
    const std::string write = fmt::format("the write is {}", order(link.from));
    const std::string read = fmt::format("the read in step {} is {}", link.to, order(link.to));
    if (write_lacks && read_lacks) return write + " and " + read;
    if (write_lacks) return write;
    if (read_lacks) return read;
    return "the release comes before that write";
  }

  static Remedy::Change order_change(const Trace& trace, std::size_t at,
                                     const std::string& wanted) {
    const TraceStep& step = trace.steps[at];
    return {fmt::format("{} instead of {}", strengthened(step, wanted), clean(step.order)), at,
            false};
  }

  // Both sides of what does not synchronise.
  void remedies_of_chain(StaleRead& result) const {
    std::vector<std::pair<std::size_t, std::string>> wanted;
    for (const Link& link : result.chain) {
      if (!is_release(step(link.from).order)) wanted.emplace_back(link.from, "release");
      if (!is_acquire(step(link.to).order)) wanted.emplace_back(link.to, "acquire");
    }
    const auto forbids = [&](const auto& changes) {
      Trace changed = trace_;
      for (const auto& [at, order] : changes) strengthen_site(changed, at, order);
      return Relations(changed).hb(result.missed, result.read);
    };
    if (!forbids(wanted)) return;
    // What can be left out of them is not needed.
    for (std::size_t at = wanted.size(); at-- > 0;) {
      auto fewer = wanted;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
      if (!fewer.empty() && forbids(fewer)) wanted = std::move(fewer);
    }
    Remedy remedy;
    for (const auto& [at, order] : wanted) {
      remedy.changes.push_back(order_change(trace_, at, order));
    }
    result.remedies.push_back(std::move(remedy));
  }

  void judge(StaleRead& result) const {
    const auto path = machines_->sc_path(result.missed, result.read);
    result.sc.emplace();
    result.tso.emplace();
    result.weaker.emplace();
    result.weaker->possible = true;
    if (path.empty()) {
      const std::string why =
          "Run the load before the write, and the same execution is a plain interleaving: the "
          "value "
          "is old only in the order in which the steps are listed.";
      *result.sc = {true, why};
      *result.tso = {true, "As an interleaving."};
      result.weaker->why = "As an interleaving.";
      return;
    }
    result.cycle = path;
    result.cycle.push_back({result.read, result.missed, Link::Kind::from_read});
    result.sc->why = "No interleaving of the threads has it: " + cycle_text(result.cycle);
    judge_tso(result);
    result.weaker->why =
        "The orders that the program names allow it, so that ARM, POWER or RISC-V may do it, and "
        "any compiler.";
  }

  std::string cycle_text(const std::vector<Link>& cycle) const {
    std::string text;
    for (const Link& link : cycle) {
      switch (link.kind) {
        case Link::Kind::program_order:
          text += fmt::format("step {} comes before step {} in the program; ", link.from, link.to);
          break;
        case Link::Kind::reads_from:
          text += fmt::format("step {} reads what step {} wrote; ", link.to, link.from);
          break;
        case Link::Kind::modification_order:
          text += fmt::format("step {} overwrites step {}; ", link.to, link.from);
          break;
        case Link::Kind::from_read:
          text += fmt::format("step {} reads a value from before step {}; ", link.from, link.to);
          break;
      }
    }
    return text + "that is a circle.";
  }

  void judge_tso(StaleRead& result) const {
    const auto path = machines_->tso_path(result.missed, result.read);
    if (!path.empty()) {
      result.tso->why =
          "x86 keeps stores in order, keeps loads in order, and this circle has no store that a "
          "later load could overtake. The compiler may still reorder relaxed accesses.";
      return;
    }
    result.tso->possible = true;
    for (const Link& link : result.cycle) {
      const bool swapped =
          link.kind == Link::Kind::program_order && !machines_->tso_orders(link.from, link.to);
      if (!swapped) continue;
      result.tso->why += fmt::format(
          "{}{}'s store of step {} may still be in its store buffer when the load of "
          "step {} runs.",
          result.tso->why.empty() ? "" : " ", who(link.from), link.from, link.to);
    }
  }

  // Fences between the steps of a thread, or seq_cst for all that is in the circle.
  void remedies_of_cycle(StaleRead& result) const {
    if (trace_.steps.size() > remedy_events_max) return;
    Indices fences;
    std::set<std::size_t> accesses;
    for (const Link& link : result.cycle) {
      if (is_access(step(link.from))) accesses.insert(link.from);
      const bool within = relations_.po(link.from, link.to);
      if (within && step(link.from).location != step(link.to).location) fences.push_back(link.from);
    }
    std::sort(fences.begin(), fences.end());
    fences.erase(std::unique(fences.begin(), fences.end()), fences.end());
    try_fences(result, fences);
    try_seq_cst(result, {accesses.begin(), accesses.end()});
  }

  template <class Forbids>
  static Indices needed(Indices all, const Forbids& forbids) {
    if (all.empty() || !forbids(all)) return {};
    for (std::size_t at = all.size(); at-- > 0;) {
      Indices fewer = all;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
      if (!fewer.empty() && forbids(fewer)) all = std::move(fewer);
    }
    return all;
  }

  static bool allowed(const Trace& trace) {
    const Relations relations(trace);
    return Machines(trace, relations).rc11();
  }

  void try_fences(StaleRead& result, const Indices& behind) const {
    const Indices found =
        needed(behind, [&](const Indices& some) { return !allowed(with_fences(trace_, some)); });
    if (found.empty()) return;
    Remedy remedy;
    for (const std::size_t at : found) remedy.changes.push_back({"a seq_cst fence", at, true});
    result.remedies.push_back(std::move(remedy));
  }

  void try_seq_cst(StaleRead& result, Indices accesses) const {
    std::erase_if(accesses, [&](std::size_t at) { return step(at).order == "seq_cst"; });
    const Indices found = needed(std::move(accesses), [&](const Indices& some) {
      Trace changed = trace_;
      for (const std::size_t at : some) strengthen_site(changed, at, "seq_cst");
      return !allowed(changed);
    });
    if (found.empty()) return;
    Remedy remedy;
    for (const std::size_t at : found) {
      remedy.changes.push_back(order_change(trace_, at, "seq_cst"));
    }
    result.remedies.push_back(std::move(remedy));
  }

  const Trace& trace_;
  const Relations& relations_;
  const Machines* machines_;
};

}  // namespace

std::vector<StaleRead> stale_reads(const Trace& trace, const Relations& relations) {
  std::vector<StaleRead> found;
  const bool any = std::any_of(trace.steps.begin(), trace.steps.end(),
                               [](const TraceStep& step) { return step.stale; });
  if (!any) return found;
  std::optional<Machines> machines;
  if (Machines::can_judge(trace)) machines.emplace(trace, relations);
  Explainer explainer(trace, relations, machines ? &*machines : nullptr);
  for (std::size_t at = 0; at < trace.steps.size(); ++at) {
    if (!trace.steps[at].stale) continue;
    if (auto read = explainer.explain(at)) found.push_back(std::move(*read));
  }
  return found;
}

}  // namespace heddle::sim::report
