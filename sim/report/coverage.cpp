#include <heddle/sim/report/coverage.hpp>

#include <algorithm>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include <heddle/sim/report/sites_value.hpp>
#include <heddle/sim/report/table.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

using nlohmann::ordered_json;

// A call that is spread over several lines has its place in one of them.
constexpr std::uint32_t call_lines_max = 3;

CoverageRow& row_of(Coverage& coverage, const Site& site) {
  const auto at = std::lower_bound(
      coverage.rows.begin(), coverage.rows.end(), site,
      [](const CoverageRow& row, const Site& wanted) { return row.site < wanted; });
  if (at != coverage.rows.end() && at->site == site) return *at;
  CoverageRow row;
  row.site = site;
  for (const std::string& outcome : possible_outcomes(site.operation)) {
    row.outcomes.push_back({outcome, 0, {}});
  }
  return *coverage.rows.insert(at, std::move(row));
}

std::string order_text(const Site& site) {
  return site.failure.empty() ? site.order : site.order + ", " + site.failure;
}

std::string outcome_text(const OutcomeCoverage& one) {
  if (one.executions == 0) return fmt::format("{}: NOT REACHED", one.outcome);
  return fmt::format(
      "{}: {}{}", one.outcome, one.scenarios.front(),
      one.scenarios.size() == 1 ? "" : fmt::format(" and {} more", one.scenarios.size() - 1));
}

bool reached_near(std::span<const CoverageRow> rows, const std::string& file, std::uint32_t line) {
  return std::any_of(rows.begin(), rows.end(), [&](const CoverageRow& row) {
    return row.site.file == file && row.site.line >= line && row.site.line < line + call_lines_max;
  });
}

}  // namespace

std::size_t Coverage::outcomes() const {
  std::size_t count = 0;
  for (const CoverageRow& row : rows) count += row.outcomes.size();
  return count;
}

std::size_t Coverage::unreached() const {
  std::size_t count = 0;
  for (const CoverageRow& row : rows) {
    for (const OutcomeCoverage& one : row.outcomes) count += one.executions == 0 ? 1 : 0;
  }
  return count;
}

void add_sites(Coverage& coverage, const std::string& scenario, const SiteOutcomes& sites) {
  for (const auto& [site, seen] : sites) {
    for (OutcomeCoverage& one : row_of(coverage, site).outcomes) {
      const auto found = seen.find(one.outcome);
      if (found == seen.end() || found->second == 0) continue;
      one.executions += found->second;
      one.scenarios.push_back(scenario);
    }
  }
}

std::vector<UnreachedLine> unreached_lines(const std::string& file, const std::string& source,
                                           std::span<const CoverageRow> rows) {
  static const std::regex operation(
      "(\\.|->)(load|store|exchange|compare_exchange_(weak|strong)|fetch_(add|sub|and|or|xor))\\(|"
      "atomic_thread_fence\\(");
  std::vector<UnreachedLine> lines;
  std::istringstream input(source);
  std::uint32_t number = 0;
  for (std::string text; std::getline(input, text);) {
    ++number;
    const std::string code = text.substr(0, text.find("//"));
    if (!std::regex_search(code, operation) || reached_near(rows, file, number)) continue;
    lines.push_back(
        {file, number, code.substr(std::min(code.find_first_not_of(' '), code.size()))});
  }
  return lines;
}

std::string coverage_line(const Coverage& coverage) {
  std::string text =
      fmt::format("{}, {}: {} reached, {} not", counted(coverage.rows.size(), "site"),
                  counted(coverage.outcomes(), "outcome"),
                  coverage.outcomes() - coverage.unreached(), coverage.unreached());
  if (coverage.looked_at_sources) {
    text += fmt::format("; {} in the sources that nothing reached",
                        counted(coverage.unreached_lines.size(), "line"));
  }
  return text;
}

std::string coverage_table(const Coverage& coverage, std::size_t width, bool colour) {
  const Painter paint(colour);
  Table table({{"site", false, false},
               {"operation", false, false},
               {"order", false, false},
               {"outcomes, and a scenario that reached each", false, true}});
  for (const CoverageRow& row : coverage.rows) {
    std::string text;
    bool all = true;
    for (const OutcomeCoverage& one : row.outcomes) {
      text += (text.empty() ? "" : "; ") + outcome_text(one);
      all = all && one.executions != 0;
    }
    table.add({{row.site.place()},
               {row.site.operation},
               {order_text(row.site)},
               {text, all ? Style::plain : Style::yellow}});
  }
  std::string text = table.empty() ? "" : table.text(width, paint) + "\n";
  text += coverage_line(coverage) + "\n";
  for (const UnreachedLine& one : coverage.unreached_lines) {
    text += fmt::format("{}:{}: nothing reached: {}\n", one.file, one.line, one.text);
  }
  for (const std::string& one : coverage.incomplete) {
    text += fmt::format("not explored to the end: {}\n", one);
  }
  for (const std::string& one : coverage.left_out) text += fmt::format("left out: {}\n", one);
  return text;
}

std::string coverage_markdown(const Coverage& coverage) {
  std::string text = coverage_line(coverage) + ".\n";
  std::string file;
  for (const CoverageRow& row : coverage.rows) {
    if (row.site.file != file) {
      file = row.site.file;
      text += fmt::format(
          "\n### {}\n\n| line | operation | order | outcome | executions | scenarios |\n"
          "|---|---|---|---|---|---|\n",
          file);
    }
    for (const OutcomeCoverage& one : row.outcomes) {
      const std::string scenarios = one.executions == 0
                                        ? "**not reached**"
                                        : fmt::format("{}", fmt::join(one.scenarios, ", "));
      text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.site.line, row.site.operation,
                          order_text(row.site), one.outcome, one.executions, scenarios);
    }
  }
  if (!coverage.unreached_lines.empty()) text += "\n### Reached by nothing\n\n";
  for (const UnreachedLine& one : coverage.unreached_lines) {
    text += fmt::format("* {}:{}: `{}`\n", one.file, one.line, one.text);
  }
  if (!coverage.incomplete.empty() || !coverage.left_out.empty()) text += "\n";
  for (const std::string& one : coverage.incomplete) {
    text += fmt::format("* not explored to the end: {}\n", one);
  }
  for (const std::string& one : coverage.left_out) text += fmt::format("* left out: {}\n", one);
  return text;
}

ordered_json coverage_value(const Coverage& coverage) {
  ordered_json document;
  document["format"] = "heddle-coverage";
  document["version"] = 1;
  ordered_json list = ordered_json::array();
  for (const CoverageRow& row : coverage.rows) {
    ordered_json value;
    value["site"] = to_value(row.site);
    ordered_json outcomes = ordered_json::array();
    for (const OutcomeCoverage& one : row.outcomes) {
      outcomes.push_back(
          {{"outcome", one.outcome}, {"executions", one.executions}, {"scenarios", one.scenarios}});
    }
    value["outcomes"] = std::move(outcomes);
    list.push_back(std::move(value));
  }
  document["sites"] = std::move(list);
  document["looked_at_sources"] = coverage.looked_at_sources;
  document["unreached_lines"] = ordered_json::array();
  for (const UnreachedLine& one : coverage.unreached_lines) {
    document["unreached_lines"].push_back(
        {{"file", one.file}, {"line", one.line}, {"text", one.text}});
  }
  document["incomplete"] = coverage.incomplete;
  document["left_out"] = coverage.left_out;
  return document;
}

}  // namespace heddle::sim::report
