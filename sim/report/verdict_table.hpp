// The last lines of `heddle check`: the scenarios with what each shows and how it went, then the
// known-bad variants with the check that caught each, what needs attention, and one line of sum.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <heddle/sim/report/check_result.hpp>

namespace heddle::sim::report {

std::string verdict_table(const RunInfo& run, std::span<const CheckResult> results,
                          std::size_t width, bool colour);

/// The sum alone: "3 scenarios: 2 verified, 1 FAILED. …".
std::string verdict_line(const RunInfo& run, std::span<const CheckResult> results);

}  // namespace heddle::sim::report
