#include <heddle/sim/explore/sites.hpp>

#include <stdexcept>
#include <tuple>

#include <heddle/sim/explore/describe.hpp>
#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/runtime/atomic.hpp>

namespace heddle::sim {

using engine::Event;
using engine::EventKind;
using engine::Graph;
using memory::covers;
using memory::hb_before;
using runtime::location_role;
using runtime::rmw_kind;

namespace {

std::string_view operation_name(rmw_kind kind) noexcept {
  switch (kind) {
    case rmw_kind::add:
      return "fetch_add";
    case rmw_kind::subtract:
      return "fetch_sub";
    case rmw_kind::bit_and:
      return "fetch_and";
    case rmw_kind::bit_or:
      return "fetch_or";
    case rmw_kind::bit_xor:
      return "fetch_xor";
    case rmw_kind::maximum:
      return "fetch_max";
    case rmw_kind::compare_exchange:
      return "compare_exchange";
    default:
      return "exchange";
  }
}

std::string_view operation_of(EventKind kind, rmw_kind operation, bool is_mutex, bool waits) {
  if (kind == EventKind::fence) return "fence";
  if (kind == EventKind::store) return "store";
  if (kind == EventKind::load) return waits ? "wait" : "load";
  if (is_mutex) return waits ? "lock" : "try_lock";
  return operation_name(operation);
}

// The write that a read took happens before it: it needed nobody.
bool source_is_past(const Graph& graph, const Event& read) {
  if (read.source >= graph::no_event) return true;
  return covers(hb_before(graph, read), graph[read.source]);
}

// A write later in modification order that does not happen after the load.
bool is_stale(const Graph& graph, const Event& load) {
  const auto& co = graph.location(load.location).co;
  const std::uint32_t position =
      load.source == graph::no_event ? 0 : graph.position_of(load.source);
  for (std::size_t i = position; i < co.size(); ++i) {
    if (!covers(hb_before(graph, graph[co[i]]), load)) return true;
  }
  return false;
}

// Index into possible_outcomes().
std::size_t outcome_of(const Graph& graph, const Event& event, bool is_mutex) {
  if (event.kind == EventKind::load) {
    if (event.waits) return source_is_past(graph, event) ? 0 : 1;
    return is_stale(graph, event) ? 1 : 0;
  }
  if (event.kind != EventKind::rmw) return 0;
  if (is_mutex && event.waits) return source_is_past(graph, event) ? 0 : 1;
  if (is_mutex || event.operation.kind == rmw_kind::compare_exchange) return event.writes ? 0 : 1;
  return 0;
}

}  // namespace

std::string Site::place() const {
  std::string text = file + ":" + std::to_string(line);
  if (column != 0) text += ":" + std::to_string(column);
  return text;
}

std::strong_ordering Site::operator<=>(const Site& other) const {
  return std::tie(file, line, column, operation, order, failure) <=>
         std::tie(other.file, other.line, other.column, other.operation, other.order,
                  other.failure);
}

std::vector<std::string> possible_outcomes(std::string_view operation) {
  if (operation == "load") return {"fresh", "stale"};
  if (operation == "compare_exchange") return {"succeeded", "failed"};
  if (operation == "wait") return {"passed", "waited"};
  if (operation == "lock") return {"free", "contended"};
  if (operation == "try_lock") return {"taken", "refused"};
  return {"done"};
}

void SiteRecorder::ran(const engine::Execution& execution, engine::RunEnd end) {
  if (end == engine::RunEnd::stopped) return;
  ++runs_;
  const Graph& graph = execution.graph();
  for (graph::event_id id = 0; id < graph.size(); ++id) {
    const Event& event = graph[id];
    if (!event.accesses() && event.kind != EventKind::fence) continue;
    if (event.reads() && (event.source == graph::no_event || !event.satisfied)) continue;
    const auto role = event.accesses() ? execution.role_of(event.location) : location_role::atomic;
    if (role != location_role::atomic && role != location_role::mutex) continue;
    const bool is_mutex = role == location_role::mutex;
    if (is_mutex && event.kind == EventKind::store) continue;
    const bool is_rmw = event.kind == EventKind::rmw;
    const source_location where = is_mutex ? execution.constructed_at(event.location) : event.site;
    const Key key = {where.file_name(),
                     static_cast<std::uint32_t>(where.line()),
                     static_cast<std::uint32_t>(where.column()),
                     event.kind,
                     event.operation.kind,
                     is_mutex,
                     event.waits,
                     is_rmw ? event.order_success : event.order,
                     is_rmw ? event.order_failure : event.order};
    Seen& seen = seen_[key];
    seen.function = where.function_name();
    const std::size_t outcome = outcome_of(graph, event, is_mutex);
    if (seen.last_run[outcome] == runs_) continue;
    seen.last_run[outcome] = runs_;
    ++seen.executions[outcome];
  }
}

Site SiteRecorder::site_of(const Key& key, const Seen& seen) {
  Site site;
  site.file = engine::source_name(key.file);
  site.line = key.line;
  site.column = key.column;
  site.operation = operation_of(key.kind, key.operation, key.is_mutex, key.waits);
  site.function = seen.function;
  if (key.is_mutex) return site;
  site.order = engine::order_name(key.order);
  if (site.operation == "compare_exchange") site.failure = engine::order_name(key.failure);
  return site;
}

SiteOutcomes SiteRecorder::outcomes() const {
  SiteOutcomes result;
  for (const auto& [key, seen] : seen_) {
    const Site site = site_of(key, seen);
    const auto names = possible_outcomes(site.operation);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (seen.executions[i] != 0) result[site][names[i]] += seen.executions[i];
    }
  }
  return result;
}

SiteWeakener::SiteWeakener(const std::vector<TraceWeakening>& weakenings) {
  for (const TraceWeakening& one : weakenings) {
    EventKind kind = EventKind::rmw;
    if (one.operation == "load" || one.operation == "wait") kind = EventKind::load;
    if (one.operation == "store") kind = EventKind::store;
    if (one.operation == "fence") kind = EventKind::fence;
    const std::memory_order order = order_named(one.order);
    const std::memory_order to_order = order_named(one.to_order);
    const bool has_failure = !one.failure.empty();
    rules_.push_back(
        {kind, one.file, one.line, one.column, order,
         has_failure ? order_named(one.failure) : runtime::failure_order(order), to_order,
         has_failure ? order_named(one.to_failure) : runtime::failure_order(to_order), nullptr});
  }
}

void SiteWeakener::orders(EventKind kind, const source_location& site, std::memory_order& order,
                          std::memory_order& failure) {
  for (Rule& rule : rules_) {
    if (rule.line != site.line() || rule.kind != kind || rule.order != order) continue;
    if (rule.column != site.column()) continue;
    if (kind == EventKind::rmw && rule.failure != failure) continue;
    if (rule.same_file != site.file_name()) {
      if (engine::source_name(site.file_name()) != rule.file) continue;
      rule.same_file = site.file_name();
    }
    order = rule.to_order;
    if (kind == EventKind::rmw) failure = rule.to_failure;
    return;
  }
}

std::memory_order order_named(std::string_view name) {
  for (const std::memory_order order :
       {std::memory_order_relaxed, std::memory_order_consume, std::memory_order_acquire,
        std::memory_order_release, std::memory_order_acq_rel, std::memory_order_seq_cst}) {
    if (engine::order_name(order) == name) return order;
  }
  throw std::invalid_argument("'" + std::string(name) + "' is not a memory order");
}

}  // namespace heddle::sim
