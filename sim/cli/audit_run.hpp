// The audit: every memory order that the scenarios reach, weakened one step at a time.
//
// Protocol: 1. Of each site, the single steps down are rows. Scenarios that reach the site run with
//              the weaker order, the quickest first, until one fails: the order is needed.
//           2. Where all of them were explored and none failed, the next step down is tried too.
//           3. What was not explored to the end says nothing but that it is undecided.
#pragma once

#include <string>
#include <vector>

#include <heddle/sim/cli/arguments.hpp>
#include <heddle/sim/cli/baseline.hpp>
#include <heddle/sim/report/audit.hpp>

namespace heddle::sim::cli {

struct AuditOutcome {
  report::AuditInfo info;
  std::vector<report::AuditRow> rows;        ///< by site
  std::vector<std::string> useless_notes;    ///< notes that fit no row, with their place
  std::vector<std::string> internal_errors;  ///< of the simulator
  std::vector<std::string> unrecorded;       ///< traces that could not be written, and why
  bool out_of_time = false;

  std::size_t unexplained() const;
};

/// Errors: UsageError for a file of notes that cannot be read.
AuditOutcome run_audit(const Program& program, const AuditArguments& arguments,
                       const std::vector<Baseline>& baselines, Console& console);

}  // namespace heddle::sim::cli
