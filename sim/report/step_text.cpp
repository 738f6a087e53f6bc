#include <heddle/sim/report/step_text.hpp>

#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

using Kind = TraceStep::Kind;

std::string source_text(const TraceStep& step) {
  if (step.source == TraceStep::no_source) return "";
  if (step.source == TraceStep::initial) return " ← init";
  return fmt::format(" ← {}", step.source);
}

std::string order_text(const TraceStep& step) {
  return step.order.empty() ? "" : fmt::format(" ({})", clean(step.order));
}

std::string location_text(const TraceStep& step) {
  std::string name = step.location.empty() ? "?" : clean(step.location);
  if (step.role.empty() || step.role == "atomic" || step.role == "cell") return name;
  return fmt::format("{} {}", clean(step.role), name);
}

// A mutex is one location, 0 when free; its users think in locks.
std::optional<std::string> mutex_text(const TraceStep& step) {
  if (step.role != "mutex") return std::nullopt;
  const std::string name = clean(step.location);
  if (step.kind == Kind::await_rmw) {
    return fmt::format("lock {}{}{}", name, source_text(step), step.written ? "" : ": it is held");
  }
  if (step.kind == Kind::store) return fmt::format("unlock {}", name);
  if (step.kind == Kind::rmw) {
    return fmt::format("try_lock {}{}{}", name, source_text(step),
                       step.written ? "" : ": it is held");
  }
  return std::nullopt;
}

std::string access_text(const TraceStep& step, std::string_view verb) {
  const std::string location = location_text(step);
  if (step.read && step.written) {
    return fmt::format("{} {}: {} → {}{}{}", verb, location, value_text(step.read),
                       value_text(step.written), source_text(step), order_text(step));
  }
  const std::string nothing =
      step.kind == Kind::rmw || step.kind == Kind::await_rmw ? ", writes nothing" : "";
  return fmt::format("{} {} = {}{}{}{}", verb, location,
                     value_text(step.written ? step.written : step.read), source_text(step),
                     nothing, order_text(step));
}

std::string cell_text(const TraceStep& step, std::string_view verb) {
  const auto& value = step.written ? step.written : step.read;
  return fmt::format("{} cell{}{}", verb, step.location.empty() ? "" : " " + location_text(step),
                     value ? " = " + value_text(value) : "");
}

// The recorder's word for a waiting read whose value does not let its thread go on.
constexpr std::string_view unsatisfied = "waits";

std::string await_text(const TraceStep& step) {
  if (step.text != unsatisfied) return access_text(step, "wait for");
  return fmt::format("wait for {}: {}{} will not do{}", location_text(step), value_text(step.read),
                     source_text(step), order_text(step));
}

std::string action_of(const TraceStep& step) {
  if (const auto text = mutex_text(step)) return *text;
  switch (step.kind) {
    case Kind::load:
      return access_text(step, "load");
    case Kind::store:
      return access_text(step, "store");
    case Kind::rmw:
      return access_text(step, "rmw");
    case Kind::await_load:
    case Kind::await_rmw:
      return await_text(step);
    case Kind::fence:
      return fmt::format("fence{}", order_text(step));
    case Kind::choose:
      return fmt::format("choose {} of {}", step.choice, step.choices);
    case Kind::spawn:
      return fmt::format("start {}", thread_name(step.other_thread));
    case Kind::join:
      return fmt::format("join {}", thread_name(step.other_thread));
    case Kind::cell_read:
      return cell_text(step, "read");
    case Kind::cell_write:
      return cell_text(step, "write");
    case Kind::operation_begin:
      return fmt::format("call {}", clean(step.text));
    case Kind::operation_end:
      return step.text.empty() ? "returns" : fmt::format("returns {}", clean(step.text));
    case Kind::blocked:
      return step.text.empty() ? "waits for ever" : clean(step.text);
    case Kind::spin:
      return "spin: nothing new";
  }
  return "unknown step";
}

bool action_has_text(const TraceStep& step) {
  switch (step.kind) {
    case Kind::operation_begin:
    case Kind::operation_end:
    case Kind::blocked:
    case Kind::spin:
      return true;
    case Kind::await_load:
    case Kind::await_rmw:
      return step.text == unsatisfied;
    default:
      return false;
  }
}

// The write that a stale read did not see: the last one in modification order up to then.
const TraceStep* newest_before(const Trace& trace, std::size_t index, std::size_t& found_at) {
  const TraceStep* newest = nullptr;
  for (std::size_t at = 0; at < index; ++at) {
    const TraceStep& step = trace.steps[at];
    if (!step.written || step.location != trace.steps[index].location) continue;
    if (newest == nullptr || step.co_position >= newest->co_position) {
      newest = &step;
      found_at = at;
    }
  }
  return newest;
}

}  // namespace

StepText text_of(const Trace& trace, std::size_t index) {
  const TraceStep& step = trace.steps[index];
  StepText result{action_of(step), {}};
  if (step.stale) {
    std::size_t at = 0;
    const TraceStep* newest = newest_before(trace, index, at);
    result.remarks.push_back(newest != nullptr ? fmt::format("stale: {} was already {} (step {})",
                                                             clean(step.location),
                                                             value_text(newest->written), at)
                                               : "stale: not the newest value");
  }
  if (!action_has_text(step) && !step.text.empty()) result.remarks.push_back(clean(step.text));
  return result;
}

// A single digit is the same number in hex and without its prefix easier to read.
std::string value_text(const std::optional<std::string>& value) {
  if (!value) return "?";
  if (value->size() == 3 && value->starts_with("0x") && (*value)[2] <= '9') return value->substr(2);
  return clean(*value);
}

std::string thread_name(std::uint32_t thread) { return fmt::format("T{}", thread); }

std::string place(const std::string& file, std::uint32_t line) {
  return file.empty() ? "" : fmt::format("{}:{}", clean(file), line);
}

std::string short_place(const std::string& file, std::uint32_t line) {
  return place(file.substr(file.rfind('/') + 1), line);
}

}  // namespace heddle::sim::report
