#include <heddle/sim/report/machines.hpp>

#include <algorithm>
#include <deque>
#include <optional>

namespace heddle::sim::report {
namespace {

using Kind = TraceStep::Kind;

bool is_event(const TraceStep& step) {
  return is_access(step) || step.kind == Kind::fence || step.kind == Kind::spawn ||
         step.kind == Kind::join;
}

std::vector<std::size_t> events_of(const Trace& trace) {
  std::vector<std::size_t> events;
  for (std::size_t at = 0; at < trace.steps.size(); ++at) {
    if (is_event(trace.steps[at])) events.push_back(at);
  }
  return events;
}

bool reads(const TraceStep& step) { return is_access(step) && step.read.has_value(); }
bool writes(const TraceStep& step) { return is_access(step) && step.written.has_value(); }
bool is_seq_cst(const TraceStep& step) { return step.order == "seq_cst"; }
bool is_seq_cst_fence(const TraceStep& step) {
  return step.kind == Kind::fence && is_seq_cst(step);
}

// What waits in x86's store buffer: anything else that writes is a locked instruction.
bool is_buffered(const TraceStep& step) { return step.kind == Kind::store && !is_seq_cst(step); }
bool is_plain_load(const TraceStep& step) {
  return step.kind == Kind::load || step.kind == Kind::await_load;
}
// Weaker fences are no instruction on x86.
bool is_nothing_on_x86(const TraceStep& step) {
  return step.kind == Kind::fence && !is_seq_cst(step);
}

}  // namespace

bool Machines::can_judge(const Trace& trace) { return events_of(trace).size() <= events_max; }

Machines::Machines(const Trace& trace, const Relations& relations)
    : trace_(trace),
      relations_(relations),
      events_(events_of(trace)),
      rf_(events_.size()),
      co_(events_.size()),
      fr_(events_.size()),
      sc_(events_.size()),
      tso_(events_.size()) {
  order_by_communication();
  order_by_program();
}

bool Machines::same_location(std::size_t a, std::size_t b) const {
  return is_access(step(a)) && is_access(step(b)) && step(a).location == step(b).location;
}

// Place of the write that was read; 0 is the initial value.
std::uint32_t Machines::read_rank(std::size_t event) const {
  const auto source = relations_.source(events_[event]);
  return source ? trace_.steps[*source].co_position : 0;
}

void Machines::order_by_communication() {
  for (std::size_t a = 0; a < events_.size(); ++a) {
    for (std::size_t b = 0; b < events_.size(); ++b) {
      if (a == b || !same_location(a, b)) continue;
      if (writes(step(a)) && reads(step(b)) && relations_.source(events_[b]) == events_[a]) {
        rf_.set(a, b);
        sc_.set(a, b);
        if (!relations_.po(events_[a], events_[b])) tso_.set(a, b);
      }
      if (!writes(step(b))) continue;
      const bool co = writes(step(a)) && step(a).co_position < step(b).co_position;
      const bool fr = reads(step(a)) && read_rank(a) < step(b).co_position;
      if (co) co_.set(a, b);
      if (fr) fr_.set(a, b);
    }
  }
  sc_ |= co_;
  sc_ |= fr_;
  tso_ |= co_;
  tso_ |= fr_;
}

void Machines::order_by_program() {
  for (std::size_t a = 0; a < events_.size(); ++a) {
    for (std::size_t b = a + 1; b < events_.size(); ++b) {
      const TraceStep& first = step(a);
      const TraceStep& second = step(b);
      const bool po = relations_.po(events_[a], events_[b]);
      // A thread begins after its start, and has ended before its join.
      const bool starts = first.kind == Kind::spawn && first.other_thread == second.thread;
      const bool ends = second.kind == Kind::join && second.other_thread == first.thread;
      if (!po && !starts && !ends) continue;
      sc_.set(a, b);
      const bool reordered = is_buffered(first) && is_plain_load(second);
      const bool counts = !is_nothing_on_x86(first) && !is_nothing_on_x86(second);
      if (!po || (counts && !reordered)) tso_.set(a, b);
    }
  }
}

bool Machines::tso_orders(std::size_t first, std::size_t second) const {
  if (!relations_.po(first, second)) return false;
  const auto a = number(first);
  const auto b = number(second);
  if (!a || !b) return false;
  if (tso_(*a, *b)) return true;
  // Through what stands between them.
  for (std::size_t middle = *a + 1; middle < *b; ++middle) {
    if (!relations_.po(first, events_[middle]) || !relations_.po(events_[middle], second)) continue;
    if (tso_(*a, middle) && tso_(middle, *b)) return true;
  }
  return false;
}

// Extended coherence order on one location compares ranks, so that hb;eco? is irreflexive when hb
// never goes against them.
bool Machines::coherent() const {
  for (std::size_t a = 0; a < events_.size(); ++a) {
    if (reads(step(a)) && writes(step(a)) && step(a).co_position != read_rank(a) + 1) return false;
    for (std::size_t b = 0; b < events_.size(); ++b) {
      if (!same_location(a, b) || !relations_.hb(events_[a], events_[b])) continue;
      const std::uint32_t seen =
          std::max(writes(step(a)) ? step(a).co_position : 0, reads(step(a)) ? read_rank(a) : 0);
      if (writes(step(b)) && step(b).co_position <= seen) return false;
      if (reads(step(b)) && read_rank(b) < seen) return false;
    }
  }
  return true;
}

BitMatrix Machines::happens_before() const {
  BitMatrix hb(events_.size());
  for (std::size_t a = 0; a < events_.size(); ++a) {
    for (std::size_t b = 0; b < events_.size(); ++b) {
      if (relations_.hb(events_[a], events_[b])) hb.set(a, b);
    }
  }
  return hb;
}

bool Machines::rc11() const {
  if (!coherent()) return false;
  const std::size_t count = events_.size();
  const BitMatrix hb = happens_before();
  BitMatrix eco = rf_;
  eco |= co_;
  eco |= fr_;
  eco.close();
  BitMatrix po(count);
  BitMatrix po_elsewhere(count);
  BitMatrix scb = co_;
  scb |= fr_;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (relations_.po(events_[a], events_[b])) {
        po.set(a, b);
        if (!same_location(a, b)) po_elsewhere.set(a, b);
      }
      if (hb(a, b) && same_location(a, b)) scb.set(a, b);
    }
  }
  scb |= po;
  scb |= po_elsewhere.then(hb).then(po_elsewhere);
  // ([E_sc] ∪ [F_sc];hb?) and its mirror image.
  BitMatrix enter(count);
  BitMatrix leave(count);
  BitMatrix fence(count);
  for (std::size_t a = 0; a < count; ++a) {
    if (!is_seq_cst(step(a))) continue;
    enter.set(a, a);
    leave.set(a, a);
    if (!is_seq_cst_fence(step(a))) continue;
    fence.set(a, a);
    for (std::size_t b = 0; b < count; ++b) {
      if (hb(a, b)) enter.set(a, b);
      if (hb(b, a)) leave.set(b, a);
    }
  }
  BitMatrix between_fences = hb;
  between_fences |= hb.then(eco).then(hb);
  BitMatrix psc = enter.then(scb).then(leave);
  psc |= fence.then(between_fences).then(fence);
  return psc.acyclic();
}

std::optional<std::size_t> Machines::number(std::size_t index) const {
  const auto found = std::lower_bound(events_.begin(), events_.end(), index);
  if (found == events_.end() || *found != index) return std::nullopt;
  return static_cast<std::size_t>(found - events_.begin());
}

Link Machines::link(std::size_t from, std::size_t to) const {
  Link found{events_[from], events_[to], Link::Kind::program_order};
  if (rf_(from, to)) {
    found.kind = Link::Kind::reads_from;
  } else if (co_(from, to)) {
    found.kind = Link::Kind::modification_order;
  } else if (fr_(from, to)) {
    found.kind = Link::Kind::from_read;
  }
  // Within a thread program order says enough.
  if (relations_.po(found.from, found.to)) found.kind = Link::Kind::program_order;
  return found;
}

std::vector<Link> Machines::path(const BitMatrix& edges, std::size_t from, std::size_t to) const {
  const auto start = number(from);
  const auto goal = number(to);
  if (!start || !goal) return {};
  std::vector<std::optional<std::size_t>> reached_from(events_.size());
  std::deque<std::size_t> open{*start};
  while (!open.empty() && !reached_from[*goal]) {
    const std::size_t at = open.front();
    open.pop_front();
    for (std::size_t next = 0; next < events_.size(); ++next) {
      if (!edges(at, next) || reached_from[next] || next == *start) continue;
      reached_from[next] = at;
      open.push_back(next);
    }
  }
  std::vector<Link> found;
  if (!reached_from[*goal]) return found;
  for (std::size_t at = *goal; at != *start; at = *reached_from[at]) {
    found.push_back(link(*reached_from[at], at));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace heddle::sim::report
