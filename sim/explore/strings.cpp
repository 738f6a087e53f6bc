#include <heddle/sim/explore/report.hpp>

namespace heddle::sim {

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::verified:
      return "verified";
    case Verdict::failed:
      return "failed";
    case Verdict::incomplete:
      return "incomplete";
    case Verdict::internal_error:
      return "internal_error";
  }
  return "unknown";
}

std::string_view to_string(TraceStep::Kind kind) noexcept {
  switch (kind) {
    case TraceStep::Kind::load:
      return "load";
    case TraceStep::Kind::store:
      return "store";
    case TraceStep::Kind::rmw:
      return "rmw";
    case TraceStep::Kind::fence:
      return "fence";
    case TraceStep::Kind::choose:
      return "choose";
    case TraceStep::Kind::spawn:
      return "spawn";
    case TraceStep::Kind::join:
      return "join";
    case TraceStep::Kind::await_load:
      return "await_load";
    case TraceStep::Kind::await_rmw:
      return "await_rmw";
    case TraceStep::Kind::cell_read:
      return "cell_read";
    case TraceStep::Kind::cell_write:
      return "cell_write";
    case TraceStep::Kind::operation_begin:
      return "operation_begin";
    case TraceStep::Kind::operation_end:
      return "operation_end";
    case TraceStep::Kind::blocked:
      return "blocked";
    case TraceStep::Kind::spin:
      return "spin";
  }
  return "unknown";
}

std::string_view to_string(TraceDecision::Kind kind) noexcept {
  switch (kind) {
    case TraceDecision::Kind::run:
      return "run";
    case TraceDecision::Kind::read:
      return "read";
    case TraceDecision::Kind::place:
      return "place";
    case TraceDecision::Kind::choose:
      return "choose";
  }
  return "unknown";
}

}  // namespace heddle::sim
