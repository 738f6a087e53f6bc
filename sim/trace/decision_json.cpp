#include <heddle/sim/trace/decision_json.hpp>

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/trace/names.hpp>

namespace heddle::sim::trace {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Kind = TraceDecision::Kind;

constexpr std::string_view initial_name = "initial";

ordered_json name_value(const TraceEventName& name) {
  return {{"thread", name.thread}, {"site", name.site}, {"occurrence", name.occurrence}};
}

TraceEventName name_from(Fields& fields) {
  return {fields.text("thread"), fields.text("site"), fields.number32("occurrence")};
}

TraceEventName write_from(Fields& fields, const char* field, const Fields::Complaint& complain) {
  const json& value = fields.take(field);
  if (value == initial_name) return {};
  Fields write(value, fields.place_of(field), complain);
  TraceEventName name = name_from(write);
  write.finish();
  return name;
}

TraceDecision decision_from(const json& value, std::string place,
                            const Fields::Complaint& complain) {
  Fields fields(value, std::move(place), complain);
  TraceDecision decision;
  const std::string kind = fields.text("kind");
  const auto known = decision_kind(kind);
  if (!known) {
    complain(fields.place_of("kind"), fmt::format("'{}' is not a kind of decision{}", kind,
                                                  did_you_mean(kind, decision_kind_names())));
  }
  decision.kind = *known;
  decision.at = name_from(fields);
  switch (decision.kind) {
    case Kind::run:
      decision.other.thread = fields.text("run");
      break;
    case Kind::read:
      decision.other = write_from(fields, "from", complain);
      break;
    case Kind::place:
      decision.other = write_from(fields, "before", complain);
      break;
    case Kind::choose:
      decision.choice = fields.number32("choice");
      break;
  }
  fields.finish();
  return decision;
}

}  // namespace

ordered_json decisions_value(const std::vector<TraceDecision>& decisions) {
  ordered_json list = ordered_json::array();
  for (const TraceDecision& decision : decisions) {
    ordered_json value = {{"kind", to_string(decision.kind)}};
    value.update(name_value(decision.at));
    switch (decision.kind) {
      case Kind::run:
        value["run"] = decision.other.thread;
        break;
      case Kind::read:
        value["from"] =
            decision.other.thread.empty() ? ordered_json(initial_name) : name_value(decision.other);
        break;
      case Kind::place:
        value["before"] = name_value(decision.other);
        break;
      case Kind::choose:
        value["choice"] = decision.choice;
        break;
    }
    list.push_back(std::move(value));
  }
  return list;
}

std::vector<TraceDecision> decisions_from(const json& list, const Fields::Complaint& complain) {
  if (!list.is_array()) {
    complain("decisions", fmt::format("must be a list, but is {}", type_name(list)));
  }
  std::vector<TraceDecision> decisions;
  for (std::size_t index = 0; index < list.size(); ++index) {
    decisions.push_back(decision_from(list[index], fmt::format("decisions[{}]", index), complain));
  }
  return decisions;
}

}  // namespace heddle::sim::trace
