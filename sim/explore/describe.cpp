#include <heddle/sim/explore/describe.hpp>

#include <cstdio>

namespace heddle::sim::engine {

using graph::Event;
using graph::EventKind;

std::string hex(const graph::value& value) {
  char text[40];
  if (value.high != 0) {
    std::snprintf(text, sizeof text, "0x%llx%016llx", static_cast<unsigned long long>(value.high),
                  static_cast<unsigned long long>(value.low));
  } else {
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value.low));
  }
  return text;
}

std::string_view order_name(std::memory_order order) noexcept {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
      return "consume";
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "";
}

std::string_view role_name(runtime::location_role role) noexcept {
  switch (role) {
    case runtime::location_role::atomic:
      return "atomic";
    case runtime::location_role::mutex:
      return "mutex";
    case runtime::location_role::condition_variable:
      return "condition_variable";
    case runtime::location_role::ticket:
      return "ticket";
    case runtime::location_role::park:
      return "park";
    case runtime::location_role::clock:
      return "clock";
  }
  return "";
}

TraceStep::Kind step_kind(const Event& event) noexcept {
  switch (event.kind) {
    case EventKind::load:
      return event.waits ? TraceStep::Kind::await_load : TraceStep::Kind::load;
    case EventKind::store:
      return TraceStep::Kind::store;
    case EventKind::rmw:
      return event.waits ? TraceStep::Kind::await_rmw : TraceStep::Kind::rmw;
    case EventKind::fence:
      return TraceStep::Kind::fence;
    case EventKind::choose:
      return TraceStep::Kind::choose;
    case EventKind::spawn:
      return TraceStep::Kind::spawn;
    case EventKind::join:
      return TraceStep::Kind::join;
  }
  return TraceStep::Kind::load;
}

// The build sees the sources through links; what is behind them is the name that a person knows.
std::string source_name(std::string_view file) {
  for (const std::string_view root : {"/include/heddle/", "./"}) {
    const std::size_t found = file.rfind(root);
    if (found != std::string_view::npos) return std::string(file.substr(found + root.size()));
  }
  return std::string(file);
}

std::string describe(const Naming& naming, const Event& event) {
  std::string text = "a " + std::string(to_string(step_kind(event)));
  if (event.accesses()) text += " of " + naming.location_name(event.location);
  if (event.accesses() || event.kind == EventKind::fence) {
    text += " (" + std::string(order_name(event.order)) + ")";
  }
  return text + " at " + source_name(event.site.file_name()) + ":" +
         std::to_string(event.site.line());
}

}  // namespace heddle::sim::engine
