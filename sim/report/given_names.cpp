#include <heddle/sim/report/given_names.hpp>

#include <optional>
#include <regex>
#include <set>
#include <string_view>

#include <heddle/sim/report/relations.hpp>

namespace heddle::sim::report {
namespace {

using Kind = TraceStep::Kind;

// The expression on which the member function is called; its last name is enough.
constexpr std::string_view object = R"(([A-Za-z_]\w*)(?:\[[^\]]*\]|\(\))*\s*(?:\.|->)\s*)";

const std::regex& call_of(const TraceStep& step) {
  using std::string;
  static const std::regex load(string(object) + R"((?:load|wait|test|read|get)\s*\()");
  static const std::regex store(string(object) + R"((?:store|clear|write|unlock)\s*\()");
  static const std::regex rmw(string(object) +
                              R"((?:exchange|compare_exchange_\w+|fetch_\w+|test_and_set)\s*\()");
  static const std::regex mutex(string(object) + R"((?:lock|try_lock|unlock)\s*\()");
  static const std::regex notification(string(object) +
                                       R"((?:wait|wait_for|wait_until|notify_\w+)\s*\()");
  if (step.role == "mutex") return mutex;
  if (step.role == "condition_variable") return notification;
  if (step.kind == Kind::store) return store;
  if (step.kind == Kind::rmw || step.kind == Kind::await_rmw) return rmw;
  return load;
}

// The name in the one call of the right kind on that line. With two of them nobody can say which it
// was.
std::optional<std::string> name_at(const TraceStep& step, Sources& sources) {
  // The library's headers know the object by a name of their own.
  if (step.file.starts_with('/')) return std::nullopt;
  const auto line = sources.line(step.file, step.line);
  if (!line || line->size() > 400) return std::nullopt;
  std::set<std::string> names;
  const std::regex& call = call_of(step);
  for (std::sregex_iterator at(line->begin(), line->end(), call), end; at != end; ++at) {
    names.insert((*at)[1]);
  }
  if (names.size() != 1) return std::nullopt;
  return *names.begin();
}

// Objects of the simulator's own that serve another one.
bool has_no_name(const TraceStep& step) {
  return step.role == "ticket" || step.role == "park" || step.role == "clock";
}

}  // namespace

std::map<std::string, std::string> given_names(const Trace& trace, Sources& sources) {
  std::map<std::string, std::set<std::string>> seen;
  for (const TraceStep& step : trace.steps) {
    if (step.location.empty() || !is_access(step) || has_no_name(step)) continue;
    if (auto name = name_at(step, sources)) seen[step.location].insert(std::move(*name));
  }
  std::map<std::string, int> uses;
  for (const auto& [location, names] : seen) {
    if (names.size() == 1) ++uses[*names.begin()];
  }
  std::map<std::string, std::string> result;
  for (const auto& [location, names] : seen) {
    if (names.size() != 1) continue;
    const std::string& name = *names.begin();
    std::string& shown = result[location];
    shown = name;
    if (uses[name] != 1) shown.append(" ").append(location);
  }
  return result;
}

Trace renamed(const Trace& trace, const std::map<std::string, std::string>& names) {
  Trace result = trace;
  const auto rename = [&](std::string& location) {
    const auto found = names.find(location);
    if (found != names.end()) location = found->second;
  };
  for (TraceStep& step : result.steps) rename(step.location);
  for (TraceLocation& location : result.locations) rename(location.name);
  return result;
}

}  // namespace heddle::sim::report
