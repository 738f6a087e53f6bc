// What `heddle coverage` found: for each site the outcomes that it can have and the scenarios that
// reached each, and places in the sources that no scenario reached.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <heddle/sim/explore/sites.hpp>

namespace heddle::sim::report {

struct OutcomeCoverage {
  std::string outcome;
  std::uint64_t executions = 0;        ///< of all scenarios; 0: not reached
  std::vector<std::string> scenarios;  ///< that reached it
};

struct CoverageRow {
  Site site;
  std::vector<OutcomeCoverage> outcomes;  ///< in the order of possible_outcomes()
};

/// A line that looks like an operation on an atomic and that nothing reached. Text alone decides,
/// so that `load(` of another class is listed too.
struct UnreachedLine {
  std::string file;
  std::uint32_t line = 0;
  std::string text;
};

struct Coverage {
  std::vector<CoverageRow> rows;  ///< by site
  std::vector<UnreachedLine> unreached_lines;
  bool looked_at_sources = false;
  std::vector<std::string> incomplete;  ///< scenarios that were not explored to the end
  std::vector<std::string> left_out;    ///< scenarios, with the reason

  std::size_t outcomes() const;
  std::size_t unreached() const;
};

/// Adds what one scenario reached; rows are made and kept in order.
void add_sites(Coverage& coverage, const std::string& scenario, const SiteOutcomes& sites);

/// Lines of a C++ source that look like an operation on an atomic, less those where one was
/// reached.
std::vector<UnreachedLine> unreached_lines(const std::string& file, const std::string& source,
                                           std::span<const CoverageRow> rows);

std::string coverage_table(const Coverage& coverage, std::size_t width, bool colour);
std::string coverage_markdown(const Coverage& coverage);
nlohmann::ordered_json coverage_value(const Coverage& coverage);
/// "23 sites, 40 outcomes: 38 reached, 2 not".
std::string coverage_line(const Coverage& coverage);

}  // namespace heddle::sim::report
