// The run of `heddle check` for machines: docs/reports.md describes what each document holds.
#pragma once

#include <span>
#include <string>

#include <heddle/sim/report/check_result.hpp>
#include <heddle/sim/report/finding.hpp>

namespace heddle::sim::report {

/// Everything, with traces (--json).
std::string json_document(const RunInfo& run, std::span<const CheckResult> results);

/// JUnit XML as CI servers read it: a suite per group, a case per scenario (--junit).
std::string junit_document(const RunInfo& run, std::span<const CheckResult> results,
                           std::span<const Finding> findings = {});

/// SARIF 2.1.0: a result for everything that is not fine, with the interleaving as code flows
/// (--sarif).
std::string sarif_document(const RunInfo& run, std::span<const CheckResult> results,
                           std::span<const Finding> findings = {});

}  // namespace heddle::sim::report
