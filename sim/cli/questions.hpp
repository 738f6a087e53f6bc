// What the commands ask of a scenario: the options that it needs together with those of the
// command.
#pragma once

#include <heddle/sim/cli/arguments.hpp>
#include <heddle/sim/cli/scenario.hpp>
#include <heddle/sim/report/check_result.hpp>

namespace heddle::sim::cli {

/// `jobs`: how many threads may explore this one scenario.
Options options_for(const Scenario& scenario, const CheckArguments& arguments, unsigned jobs);

/// The result of a scenario without what came out.
report::CheckResult question(const Scenario& scenario, const Options& options);

}  // namespace heddle::sim::cli
