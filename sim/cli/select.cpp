#include <heddle/sim/cli/select.hpp>

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fnmatch.h>

#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/trace/names.hpp>

namespace heddle::sim::cli {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<std::string> groups_of(const std::vector<Scenario>& scenarios) {
  std::set<std::string> groups;
  for (const Scenario& one : scenarios) {
    if (!one.options.group.empty()) groups.emplace(one.options.group);
  }
  return {groups.begin(), groups.end()};
}

void check_group(const std::vector<Scenario>& scenarios, const std::string& group) {
  const auto groups = groups_of(scenarios);
  const bool known = std::any_of(groups.begin(), groups.end(),
                                 [&](const std::string& one) { return matches(group, one); });
  if (known) return;
  throw UsageError(fmt::format(
      "there is no group '{}'{}\n  Groups: {}.", group, trace::did_you_mean(group, groups),
      groups.empty() ? "none" : fmt::format("{}", fmt::join(groups, ", "))));
}

void check_pattern(const std::vector<Scenario>& scenarios, const std::string& pattern) {
  const bool known = std::any_of(scenarios.begin(), scenarios.end(),
                                 [&](const Scenario& one) { return matches(pattern, one.name); });
  if (known) return;
  throw UsageError(fmt::format("no scenario is called '{}'{}\n  `list` shows all {}.", pattern,
                               trace::did_you_mean(pattern, names_of(scenarios)),
                               scenarios.size()));
}

}  // namespace

std::vector<const Scenario*> select(const std::vector<Scenario>& scenarios,
                                    const std::vector<std::string>& patterns,
                                    const std::string& group) {
  if (scenarios.empty()) {
    throw UsageError(
        "this program has no scenarios\n  Add files with HEDDLE_SCENARIO to its sources; from a "
        "static library the linker drops them.");
  }
  if (!group.empty()) check_group(scenarios, group);
  for (const std::string& pattern : patterns) check_pattern(scenarios, pattern);
  std::vector<const Scenario*> selected;
  for (const Scenario& one : scenarios) {
    const bool named =
        patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                        [&](const std::string& p) { return matches(p, one.name); });
    const bool in_group = group.empty() || matches(group, std::string(one.options.group));
    if (named && in_group) selected.push_back(&one);
  }
  if (selected.empty()) {
    throw UsageError(fmt::format("no scenario of group '{}' has a name that was given", group));
  }
  std::stable_sort(selected.begin(), selected.end(), [](const Scenario* a, const Scenario* b) {
    return std::tie(a->options.group, a->name) < std::tie(b->options.group, b->name);
  });
  return selected;
}

}  // namespace heddle::sim::cli
