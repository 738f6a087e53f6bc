#include <heddle/sim/cli/scenario.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/trace/store.hpp>

namespace heddle::sim {
namespace {

struct Registry {
  std::vector<Scenario> all;
  bool in_order = false;
};

// Registration happens before main, in any order of files: the registry is made on first use.
Registry& registry() {
  static Registry instance;
  return instance;
}

std::string place_of(const Scenario& scenario) {
  return fmt::format("{}:{}", scenario.site.file_name(), scenario.site.line());
}

}  // namespace

const std::vector<Scenario>& scenarios() {
  Registry& known = registry();
  if (!known.in_order) {
    std::stable_sort(known.all.begin(), known.all.end(),
                     [](const Scenario& a, const Scenario& b) { return a.name < b.name; });
    known.in_order = true;
  }
  for (std::size_t at = 0; at < known.all.size(); ++at) {
    const Scenario& one = known.all[at];
    if (!trace::is_scenario_name(one.name)) {
      throw std::invalid_argument(
          fmt::format("{}: '{}' is not a name for a scenario: use letters, digits, '_', '-', '.' "
                      "and '+' (it names the trace file too)",
                      place_of(one), one.name));
    }
    if (at > 0 && one.name == known.all[at - 1].name) {
      throw std::invalid_argument(fmt::format("two scenarios have the name '{}': at {} and at {}",
                                              one.name, place_of(known.all[at - 1]),
                                              place_of(one)));
    }
  }
  return known.all;
}

const Scenario* find_scenario(std::string_view name) {
  const auto& all = scenarios();
  const auto found = std::lower_bound(
      all.begin(), all.end(), name,
      [](const Scenario& one, std::string_view wanted) { return one.name < wanted; });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

ScenarioRegistration::ScenarioRegistration(std::string_view name, std::string_view shows,
                                           std::function<void()> body, ScenarioOptions options,
                                           source_location site) {
  registry().all.push_back({std::string(name), std::string(shows), options, std::move(body), site});
  registry().in_order = false;
}

}  // namespace heddle::sim
