#include <heddle/sim/trace/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <heddle/sim/trace/fields.hpp>
#include <heddle/sim/trace/json_value.hpp>
#include <heddle/sim/trace/names.hpp>
#include <heddle/sim/trace/validate.hpp>

namespace heddle::sim::trace {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view format_name = "heddle-trace";
constexpr std::string_view initial_name = "initial";

// FNV-1a over the content in its canonical form (keys sorted, no white space, without the checksum
// itself): laying the file out anew is no change, anything else is. It is there to notice a slip or
// a bad merge, not to keep a forger out.
std::string checksum_of(json content) {
  content.erase("checksum");
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : dump(content)) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  return fmt::format("fnv1a64:{:016x}", hash);
}

std::string how_to_record(const std::string& scenario) {
  return fmt::format("Restore the file, or record the failure again: heddle check {} --record DIR",
                     scenario.empty() ? "SCENARIO" : scenario);
}

ordered_json step_value(const TraceStep& step) {
  ordered_json value;
  const auto put_text = [&](const char* name, const std::string& text) {
    if (!text.empty()) value[name] = text;
  };
  value["kind"] = to_string(step.kind);
  value["thread"] = step.thread;
  put_text("order", step.order);
  put_text("location", step.location);
  put_text("role", step.role);
  if (step.read) value["read"] = *step.read;
  if (step.source == TraceStep::initial) {
    value["source"] = initial_name;
  } else if (step.source != TraceStep::no_source) {
    value["source"] = step.source;
  }
  if (step.stale) value["stale"] = true;
  if (step.written) value["written"] = *step.written;
  if (step.co_position != 0) value["co_position"] = step.co_position;
  if (step.kind == TraceStep::Kind::choose) {
    value["choice"] = step.choice;
    value["choices"] = step.choices;
  }
  const bool names_thread =
      step.kind == TraceStep::Kind::spawn || step.kind == TraceStep::Kind::join;
  if (names_thread || step.other_thread != 0) value["other_thread"] = step.other_thread;
  put_text("text", step.text);
  put_text("file", step.file);
  if (step.line != 0) value["line"] = step.line;
  put_text("function", step.function);
  return value;
}

ordered_json locations_value(const std::vector<TraceLocation>& locations) {
  ordered_json list = ordered_json::array();
  for (const TraceLocation& location : locations) {
    ordered_json value;
    value["name"] = location.name;
    value["role"] = location.role;
    if (!location.file.empty()) value["file"] = location.file;
    if (location.line != 0) value["line"] = location.line;
    list.push_back(std::move(value));
  }
  return list;
}

ordered_json weakenings_value(const std::vector<TraceWeakening>& weakenings) {
  ordered_json list = ordered_json::array();
  for (const TraceWeakening& one : weakenings) {
    ordered_json value;
    value["operation"] = one.operation;
    value["file"] = one.file;
    value["line"] = one.line;
    if (one.column != 0) value["column"] = one.column;
    value["order"] = one.order;
    if (!one.failure.empty()) value["failure"] = one.failure;
    value["to_order"] = one.to_order;
    if (!one.to_failure.empty()) value["to_failure"] = one.to_failure;
    list.push_back(std::move(value));
  }
  return list;
}

const json& take_list(Fields& document, std::string_view name, const Fields::Complaint& complain) {
  const json& list = document.take(name);
  if (!list.is_array()) {
    complain(std::string(name), fmt::format("must be a list, but is {}", type_name(list)));
  }
  return list;
}

void take_locations(Fields& document, Trace& trace, const Fields::Complaint& complain) {
  if (!document.has("locations")) return;
  const json& list = take_list(document, "locations", complain);
  for (std::size_t index = 0; index < list.size(); ++index) {
    Fields fields(list[index], fmt::format("locations[{}]", index), complain);
    trace.locations.push_back({fields.text("name"), fields.text("role"),
                               fields.text_or_empty("file"), fields.number32_or("line", 0)});
    fields.finish();
  }
}

std::string order_from(Fields& fields, std::string_view name, const Fields::Complaint& complain) {
  const std::string order = fields.text(name);
  const auto known = memory_order_names();
  if (std::find(known.begin(), known.end(), order) == known.end()) {
    complain(fields.place_of(name),
             fmt::format("'{}' is not a memory order{}", order, did_you_mean(order, known)));
  }
  return order;
}

void take_weakenings(Fields& document, Trace& trace, const Fields::Complaint& complain) {
  if (!document.has("weakened")) return;
  const json& list = take_list(document, "weakened", complain);
  for (std::size_t index = 0; index < list.size(); ++index) {
    Fields fields(list[index], fmt::format("weakened[{}]", index), complain);
    TraceWeakening one;
    one.operation = fields.text("operation");
    one.file = fields.text("file");
    one.line = fields.number32("line");
    one.column = fields.number32_or("column", 0);
    one.order = order_from(fields, "order", complain);
    one.to_order = order_from(fields, "to_order", complain);
    if (fields.has("failure")) {
      one.failure = order_from(fields, "failure", complain);
      one.to_failure = order_from(fields, "to_failure", complain);
    }
    fields.finish();
    trace.weakened.push_back(std::move(one));
  }
}

std::int64_t source_from(Fields& fields, const Fields::Complaint& complain) {
  if (!fields.has("source")) return TraceStep::no_source;
  const json& value = fields.take("source");
  if (value == initial_name) return TraceStep::initial;
  constexpr auto max = std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max) {
    complain(fields.place_of("source"),
             fmt::format("must be the number of a step or \"{}\", but is {}", initial_name,
                         dump(value)));
  }
  return value.get<std::int64_t>();
}

TraceStep step_from(const json& value, std::string place, const Fields::Complaint& complain) {
  Fields fields(value, std::move(place), complain);
  TraceStep step;
  const std::string kind = fields.text("kind");
  const auto known = step_kind(kind);
  if (!known) {
    complain(fields.place_of("kind"), fmt::format("'{}' is not a kind of step{}", kind,
                                                  did_you_mean(kind, step_kind_names())));
  }
  step.kind = *known;
  step.thread = fields.number32("thread");
  step.order = fields.text_or_empty("order");
  step.location = fields.text_or_empty("location");
  step.role = fields.text_or_empty("role");
  if (fields.has("read")) step.read = fields.text("read");
  step.source = source_from(fields, complain);
  step.stale = fields.flag_or("stale", false);
  if (fields.has("written")) step.written = fields.text("written");
  step.co_position = fields.number32_or("co_position", 0);
  if (step.kind == TraceStep::Kind::choose) {
    step.choice = fields.number32("choice");
    step.choices = fields.number32("choices");
  }
  const bool names_thread =
      step.kind == TraceStep::Kind::spawn || step.kind == TraceStep::Kind::join;
  step.other_thread =
      names_thread ? fields.number32("other_thread") : fields.number32_or("other_thread", 0);
  step.text = fields.text_or_empty("text");
  step.file = fields.text_or_empty("file");
  step.line = fields.number32_or("line", 0);
  step.function = fields.text_or_empty("function");
  fields.finish();
  return step;
}

void take_failure(Fields& document, Trace& trace, const Fields::Complaint& complain) {
  Fields failure(document.take("failure"), "failure", complain);
  const std::string kind = failure.text("kind");
  const auto known = failure_kind(kind);
  if (!known) {
    complain("failure.kind", fmt::format("'{}' is not a kind of failure{}", kind,
                                         did_you_mean(kind, failure_kind_names())));
  }
  trace.failure = *known;
  trace.message = failure.text("message");
  trace.thread = failure.number32("thread");
  trace.file = failure.text_or_empty("file");
  trace.line = failure.number32_or("line", 0);
  failure.finish();
}

// Throws unless this is a trace, and of a version that this program knows.
void check_format(const json& document, const std::string& file) {
  if (!document.is_object() || !document.contains("format") || document["format"] != format_name) {
    throw TraceError(file, "",
                     "is JSON, but not a heddle trace (it has no \"format\": " +
                         fmt::format("\"{}\")", format_name),
                     "Give a file that `heddle check --record DIR` wrote.");
  }
  const auto found = document.find("version");
  if (found == document.end() || !found->is_number_integer()) {
    throw TraceError(file, "version", "is missing or not a number", how_to_record(""));
  }
  if (*found > Trace::current_version) {
    throw TraceError(file, "version",
                     fmt::format("the trace has format version {}, this heddle reads up to {}",
                                 found->dump(), Trace::current_version),
                     "Use the heddle that recorded it, or a newer one.");
  }
  if (*found < 1) {
    throw TraceError(file, "version", found->dump() + " is not a version", how_to_record(""));
  }
}

// The library keeps the last of several fields with one name; here that is an error.
json parse(std::string_view text, const std::string& file) {
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed).second) {
      throw TraceError(file, parsed.get<std::string>(), "stands twice in one object",
                       how_to_record(""));
    }
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::parse_error& error) {
    const auto end = std::min<std::size_t>(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const std::string_view before = text.substr(0, end);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto column = end - (before.rfind('\n') + 1) + 1;
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    const bool empty = last == std::string_view::npos;
    const std::string problem = empty        ? "the file is empty"
                                : last < end ? "ends in the middle: the file was cut short"
                                             : "is not JSON: something else is expected here";
    throw TraceError(file, fmt::format("line {}, column {}", line, column), problem,
                     how_to_record(""));
  }
}

std::string one_per_line(const ordered_json& list) {
  if (list.empty()) return "[]";
  std::string text = "[";
  std::string_view separator = "\n";
  for (const auto& element : list) {
    text += fmt::format("{}    {}", separator, dump(element));
    separator = ",\n";
  }
  return text + "\n  ]";
}

}  // namespace

ordered_json to_value(const Trace& trace) {
  ordered_json document;
  document["format"] = format_name;
  document["version"] = trace.version;
  document["scenario"] = trace.scenario;
  document["memory_model"] = trace.memory_model;
  document["timeouts"] = trace.timeouts;
  document["spurious_wakeups"] = trace.spurious_wakeups;
  ordered_json failure;
  failure["kind"] = to_string(trace.failure);
  failure["message"] = trace.message;
  failure["thread"] = trace.thread;
  if (!trace.file.empty()) failure["file"] = trace.file;
  if (trace.line != 0) failure["line"] = trace.line;
  document["failure"] = std::move(failure);
  document["execution"] = trace.execution;
  if (!trace.weakened.empty()) document["weakened"] = weakenings_value(trace.weakened);
  if (!trace.conflict.empty()) document["conflict"] = trace.conflict;
  if (!trace.locations.empty()) document["locations"] = locations_value(trace.locations);
  document["steps"] = ordered_json::array();
  for (const TraceStep& step : trace.steps) document["steps"].push_back(step_value(step));
  return document;
}

Trace from_value(const json& document, const std::string& file) {
  check_format(document, file);
  std::string scenario;
  const bool has_checksum = document.contains("checksum");
  const bool changed = has_checksum && document["checksum"] != checksum_of(document);
  const Fields::Complaint complain = [&](const std::string& place, const std::string& problem) {
    const std::string hint =
        changed ? "The file was changed after it was recorded (its checksum does not match). " : "";
    throw TraceError(file, place, problem, hint + how_to_record(scenario));
  };

  Fields fields(document, "", complain);
  Trace trace;
  fields.take("format");
  trace.version = static_cast<int>(fields.number("version", Trace::current_version));
  if (has_checksum) fields.text("checksum");
  scenario = trace.scenario = fields.text("scenario");
  trace.memory_model = fields.text("memory_model");
  trace.timeouts = fields.flag_or("timeouts", true);
  trace.spurious_wakeups = fields.number32_or("spurious_wakeups", 1);
  take_failure(fields, trace, complain);
  trace.execution = fields.number_or("execution", 0, std::numeric_limits<std::uint64_t>::max());
  trace.conflict = fields.texts_or_none("conflict");
  take_weakenings(fields, trace, complain);
  take_locations(fields, trace, complain);
  const json& steps = take_list(fields, "steps", complain);
  for (std::size_t index = 0; index < steps.size(); ++index) {
    trace.steps.push_back(step_from(steps[index], fmt::format("steps[{}]", index), complain));
  }
  fields.finish();
  if (const auto problem = find_problem(trace)) complain(problem->place, problem->what);
  if (changed) {
    throw TraceError(
        file, "checksum",
        "the content is not what was recorded: the file was edited or badly merged",
        how_to_record(scenario) + ". If the edit is meant, delete the line \"checksum\".");
  }
  return trace;
}

std::string write_json(const Trace& trace) {
  ordered_json document = to_value(trace);
  const std::string checksum = checksum_of(json::parse(dump(document)));
  std::string text = "{\n";
  for (const auto& [name, value] : document.items()) {
    if (name != "format") text += ",\n";
    if (value.is_array()) {
      text += fmt::format("  \"{}\": {}", name, one_per_line(value));
    } else {
      text += fmt::format("  \"{}\": {}", name, dump(value));
    }
    if (name == "version") text += fmt::format(",\n  \"checksum\": \"{}\"", checksum);
  }
  return text + "\n}\n";
}

Trace read_json(std::string_view text, const std::string& file) {
  return from_value(parse(text, file), file);
}

}  // namespace heddle::sim::trace
