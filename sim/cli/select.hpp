// Which scenarios a command means.
#pragma once

#include <string>
#include <vector>

#include <heddle/sim/cli/scenario.hpp>

namespace heddle::sim::cli {

/// The scenarios that one of `patterns` names (all when there is none) and that are in `group`
/// (any when empty). Both are names or globs ("deque_*"). In the order of group and name.
/// Errors: UsageError when a pattern or the group matches nothing, with what was probably meant.
std::vector<const Scenario*> select(const std::vector<Scenario>& scenarios,
                                    const std::vector<std::string>& patterns,
                                    const std::string& group);

}  // namespace heddle::sim::cli
