#include <heddle/sim/trace/validate.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/trace/names.hpp>

namespace heddle::sim::trace {
namespace {

using Kind = TraceStep::Kind;

bool is_hex(std::string_view value) {
  constexpr std::size_t digits_max = 32;  // 16 bytes, the widest atomic
  if (!value.starts_with("0x")) return false;
  value.remove_prefix(2);
  if (value.empty() || value.size() > digits_max) return false;
  return value.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Which fields a step of each kind has.
struct Shape {
  enum Need : std::uint8_t { never, may, must };
  Need location = never;
  Need order = never;
  Need read = never;  ///< and source with it
  Need written = never;
};

Shape shape_of(Kind kind) {
  switch (kind) {
    case Kind::load:
    case Kind::await_load:
      return {Shape::must, Shape::must, Shape::must, Shape::never};
    case Kind::store:
      return {Shape::must, Shape::must, Shape::never, Shape::must};
    case Kind::rmw:
    case Kind::await_rmw:
      return {Shape::must, Shape::must, Shape::must, Shape::may};
    case Kind::fence:
      return {Shape::never, Shape::must, Shape::never, Shape::never};
    case Kind::cell_read:
      return {Shape::may, Shape::never, Shape::may, Shape::never};
    case Kind::cell_write:
      return {Shape::may, Shape::never, Shape::never, Shape::may};
    case Kind::blocked:
      return {Shape::may, Shape::may, Shape::may, Shape::never};
    case Kind::choose:
    case Kind::spawn:
    case Kind::join:
    case Kind::operation_begin:
    case Kind::operation_end:
    case Kind::spin:
      break;
  }
  return {};
}

class Checker {
 public:
  explicit Checker(const Trace& trace) : trace_(trace) {}

  std::optional<Problem> run() {
    check_head();
    check_limits();
    check_decisions();
    for (index_ = 0; index_ < trace_.steps.size() && !problem_; ++index_) check_step();
    if (!problem_ && !threads_.contains(trace_.thread)) {
      report("failure.thread", fmt::format("thread {} is never started", trace_.thread));
    }
    return problem_;
  }

 private:
  void check_head() {
    if (!memory_model(trace_.memory_model)) {
      const auto names = memory_model_names();
      report("memory_model",
             fmt::format("'{}' is not a memory model (sc or rc11){}", trace_.memory_model,
                         did_you_mean(trace_.memory_model, names)));
    }
  }

  void check_limits() {
    constexpr std::size_t stack_bytes_min = 16 * 1024;
    if (trace_.max_steps == 0) report("max_steps", "must be at least 1");
    if (trace_.stack_bytes < stack_bytes_min) {
      report("stack_bytes", fmt::format("must be at least {}", stack_bytes_min));
    }
  }

  void check_decisions() {
    for (std::size_t i = 0; i < trace_.decisions.size(); ++i) {
      const TraceDecision& decision = trace_.decisions[i];
      check_name(decision.at, fmt::format("decisions[{}]", i));
      switch (decision.kind) {
        case TraceDecision::Kind::run:
          if (!is_role(decision.other.thread)) {
            report(
                fmt::format("decisions[{}].run", i),
                fmt::format("'{}' is not a thread: 0, 0.1, 0.2, 0.1.1, …", decision.other.thread));
          }
          break;
        case TraceDecision::Kind::read:
          if (!decision.other.thread.empty()) {
            check_name(decision.other, fmt::format("decisions[{}].from", i));
          }
          break;
        case TraceDecision::Kind::place:
          check_name(decision.other, fmt::format("decisions[{}].before", i));
          break;
        case TraceDecision::Kind::choose:
          break;
      }
    }
  }

  static bool is_role(std::string_view role) {
    if (!role.starts_with('0')) return false;
    role.remove_prefix(1);
    while (!role.empty()) {
      const std::size_t end = std::min(role.find_first_not_of("0123456789", 1), role.size());
      if (role[0] != '.' || end == 1 || role[1] == '0') return false;
      role.remove_prefix(end);
    }
    return true;
  }

  void check_name(const TraceEventName& name, const std::string& place) {
    if (!is_role(name.thread)) {
      report(place + ".thread",
             fmt::format("'{}' is not a thread: 0, 0.1, 0.2, 0.1.1, …", name.thread));
    }
    if (name.site.empty()) report(place + ".site", "is empty");
    if (name.occurrence == 0) report(place + ".occurrence", "counts from 1");
  }

  void check_step() {
    const TraceStep& step = trace_.steps[index_];
    if (!threads_.contains(step.thread)) {
      return report_field("thread",
                          fmt::format("thread {} has not been started by then", step.thread));
    }
    check_shape(step);
    if (!problem_) check_source(step);
    if (!problem_) check_position(step);
    if (!problem_) check_threads(step);
    if (problem_ || step.kind != Kind::choose) return;
    if (step.choice >= step.choices) {
      report_field("choice", fmt::format("{} is not one of the {} choices (0 is the first)",
                                         step.choice, step.choices));
    }
  }

  void check_shape(const TraceStep& step) {
    const Shape shape = shape_of(step.kind);
    need(shape.location, !step.location.empty(), "location");
    need(shape.order, !step.order.empty(), "order");
    need(shape.read, step.read.has_value(), "read");
    need(shape.written, step.written.has_value(), "written");
    if (shape.read != Shape::may) {
      need(shape.read, step.source != TraceStep::no_source, "source");
    }
    const auto orders = memory_order_names();
    const bool known_order =
        step.order.empty() || std::find(orders.begin(), orders.end(), step.order) != orders.end();
    if (!known_order) {
      report_field("order", fmt::format("'{}' is not a memory order{}", step.order,
                                        did_you_mean(step.order, orders)));
    }
    for (const auto& [name, value] :
         {std::pair("read", &step.read), std::pair("written", &step.written)}) {
      if (value->has_value() && !is_hex(**value)) {
        report_field(name, fmt::format("'{}' is not a value in hex, such as 0x2a", **value));
      }
    }
  }

  void need(Shape::Need need, bool has, std::string_view field) {
    const std::string_view kind = to_string(trace_.steps[index_].kind);
    if (need == Shape::must && !has) {
      report_field(field, fmt::format("is missing; a step of kind {} has it", kind));
    } else if (need == Shape::never && has) {
      report_field(field, fmt::format("does not belong to a step of kind {}", kind));
    }
  }

  void check_source(const TraceStep& step) {
    if (step.source == TraceStep::no_source || step.source == TraceStep::initial) return;
    if (step.source < 0 || static_cast<std::size_t>(step.source) >= index_) {
      return report_field("source", fmt::format("step {} is not before this one, which is step {}",
                                                step.source, index_));
    }
    const TraceStep& source = trace_.steps[static_cast<std::size_t>(step.source)];
    if (!source.written) {
      report_field("source",
                   fmt::format("step {} ({}) writes nothing", step.source, to_string(source.kind)));
    } else if (source.location != step.location) {
      report_field("source", fmt::format("step {} writes {}, this one reads {}", step.source,
                                         source.location, step.location));
    } else if (step.read && *step.read != *source.written) {
      report_field("read", fmt::format("reads {} although step {}, its source, writes {}",
                                       *step.read, step.source, *source.written));
    }
  }

  void check_position(const TraceStep& step) {
    if (step.co_position == 0) return;
    if (!step.written) {
      return report_field("co_position", "belongs to steps that write only");
    }
    if (!positions_.insert({step.location, step.co_position}).second) {
      report_field("co_position",
                   fmt::format("a step before has place {} in the modification order of {} already",
                               step.co_position, step.location));
    }
  }

  void check_threads(const TraceStep& step) {
    if (step.kind == Kind::spawn && !threads_.insert(step.other_thread).second) {
      report_field("other_thread",
                   fmt::format("thread {} has been started before", step.other_thread));
    } else if (step.kind == Kind::join && !threads_.contains(step.other_thread)) {
      report_field("other_thread",
                   fmt::format("thread {} has not been started by then", step.other_thread));
    }
  }

  void report(std::string place, std::string what) {
    if (!problem_) problem_ = Problem{std::move(place), std::move(what)};
  }
  void report_field(std::string_view field, std::string what) {
    report(fmt::format("steps[{}].{}", index_, field), std::move(what));
  }

  const Trace& trace_;
  std::size_t index_ = 0;
  std::set<std::uint32_t> threads_{0};
  std::set<std::pair<std::string, std::uint32_t>> positions_;
  std::optional<Problem> problem_;
};

}  // namespace

std::optional<Problem> find_problem(const Trace& trace) { return Checker(trace).run(); }

}  // namespace heddle::sim::trace
