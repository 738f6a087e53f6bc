#include <heddle/model/linearizability/order.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace heddle::model {
namespace {

/// The operations of one role, those with the smaller rank first.
template <class Rank>
std::vector<OperationId> ranked(std::span<const Role> roles, Role wanted, Rank rank) {
  std::vector<OperationId> found;
  for (OperationId id = 0; id < roles.size(); ++id) {
    if (roles[id] == wanted) {
      found.push_back(id);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](OperationId a, OperationId b) { return rank(a) < rank(b); });
  return found;
}

Plan start_plan(std::vector<OperationId> required, const std::vector<OperationId>& optional) {
  Plan plan;
  plan.required = required.size();
  plan.operations = std::move(required);
  plan.operations.insert(plan.operations.end(), optional.begin(), optional.end());
  plan.predecessors.assign(plan.operations.size(), 0);
  plan.successors.resize(plan.operations.size());
  return plan;
}

void add_edge(Plan& plan, std::size_t from, std::size_t to) {
  plan.successors[from].push_back(static_cast<std::uint32_t>(to));
  ++plan.predecessors[to];
}

/// Only the edges that others do not imply: with w operations open at a time, at most w for each.
Plan plan_intervals(const std::vector<Interval>& intervals, std::span<const Role> roles) {
  const auto called = [&](OperationId id) { return intervals[id].called; };
  Plan plan =
      start_plan(ranked(roles, Role::required, called), ranked(roles, Role::optional, called));
  const auto interval = [&](std::size_t number) { return intervals[plan.operations[number]]; };

  std::vector<std::size_t> by_call(plan.operations.size());
  for (std::size_t number = 0; number < by_call.size(); ++number) {
    by_call[number] = number;
  }
  std::vector<std::size_t> by_return(by_call.begin(),
                                     by_call.begin() + static_cast<std::ptrdiff_t>(plan.required));
  std::sort(by_call.begin(), by_call.end(),
            [&](std::size_t a, std::size_t b) { return interval(a).called < interval(b).called; });
  std::sort(by_return.begin(), by_return.end(), [&](std::size_t a, std::size_t b) {
    return interval(a).returned < interval(b).returned;
  });

  std::size_t returned = 0;       // operations of by_return that are before the target
  std::uint64_t newest_call = 0;  // the latest call among them
  for (const std::size_t target : by_call) {
    while (returned < by_return.size() &&
           interval(by_return[returned]).returned < interval(target).called) {
      newest_call = std::max(newest_call, interval(by_return[returned]).called);
      ++returned;
    }
    // Whoever returned before that newest call is before its operation, which is before the target.
    for (std::size_t at = returned; at > 0; --at) {
      const std::size_t source = by_return[at - 1];
      if (interval(source).returned < newest_call) {
        break;
      }
      add_edge(plan, source, target);
    }
  }
  return plan;
}

Plan plan_relation(const BitMatrix& before, std::span<const Role> roles) {
  // In a closed relation the number of predecessors grows along every edge.
  std::vector<std::size_t> depth(before.size(), 0);
  for (OperationId a = 0; a < before.size(); ++a) {
    for (OperationId b = 0; b < before.size(); ++b) {
      depth[b] += before.test(a, b) ? 1 : 0;
    }
  }
  const auto rank = [&](OperationId id) { return depth[id]; };
  Plan plan = start_plan(ranked(roles, Role::required, rank), ranked(roles, Role::optional, rank));
  for (std::size_t from = 0; from < plan.required; ++from) {
    for (std::size_t to = 0; to < plan.operations.size(); ++to) {
      if (before.test(plan.operations[from], plan.operations[to])) {
        add_edge(plan, from, to);
      }
    }
  }
  return plan;
}

}  // namespace

Order Order::real_time(std::vector<Interval> intervals) {
  for (OperationId id = 0; id < intervals.size(); ++id) {
    if (intervals[id].returned < intervals[id].called) {
      throw std::invalid_argument(fmt::format("operation {} returns before it is called", id));
    }
  }
  return Order(std::move(intervals));
}

Order Order::partial(BitMatrix before) {
  before.close_transitively();
  if (const auto cyclic = before.reflexive_element()) {
    throw std::invalid_argument(
        fmt::format("the order is cyclic: operation {} would be before itself", *cyclic));
  }
  return Order(std::move(before));
}

std::size_t Order::size() const noexcept {
  return std::visit([](const auto& relation) { return relation.size(); }, relation_);
}

bool Order::before(OperationId a, OperationId b) const noexcept {
  if (const auto* const intervals = std::get_if<Intervals>(&relation_)) {
    return (*intervals)[a].returned < (*intervals)[b].called;
  }
  return std::get<BitMatrix>(relation_).test(a, b);
}

Plan Order::plan(std::span<const Role> roles) const {
  if (roles.size() != size()) {
    throw std::invalid_argument(
        fmt::format("{} roles for an order of {} operations", roles.size(), size()));
  }
  if (const auto* const intervals = std::get_if<Intervals>(&relation_)) {
    return plan_intervals(*intervals, roles);
  }
  return plan_relation(std::get<BitMatrix>(relation_), roles);
}

}  // namespace heddle::model
