// From scenarios that ran to the coverage of their sites.
#pragma once

#include <string>
#include <vector>

#include <heddle/sim/cli/baseline.hpp>
#include <heddle/sim/report/coverage.hpp>

namespace heddle::sim::cli {

report::Coverage coverage_of(const std::vector<Baseline>& baselines,
                             const std::vector<std::string>& prefixes);

/// Adds lines below `root` that look like an operation on an atomic and that nothing reached.
/// Errors: std::filesystem::filesystem_error, std::runtime_error.
void look_at_sources(report::Coverage& coverage, const std::string& root,
                     const std::vector<std::string>& prefixes);

}  // namespace heddle::sim::cli
